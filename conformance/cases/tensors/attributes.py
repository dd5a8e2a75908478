"""Attributes of tensors: dtype, device, shape, T, mT, requires_grad, is_cuda, layout."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[bool], torch.Tensor, int]:
    flags = [x.requires_grad, x.is_cuda, x.is_sparse, x.is_leaf, x.dtype == torch.float32]
    flags += [x.device.type == "cpu", x.layout == torch.strided, x.is_quantized]
    y = x.detach().T
    z = y.mT if y.dim() > 1 else y.data
    return flags, z, x.ndim


def inputs():
    return [(torch.ones(2, 3, requires_grad=True),), (torch.arange(3),)]
