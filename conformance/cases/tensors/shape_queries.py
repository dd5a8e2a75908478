"""size, shape, dim, numel, stride and len give ints and lists of ints to compute with."""

from typing import List, Tuple

import torch


def program(x: torch.Tensor) -> Tuple[List[int], torch.Tensor, List[int]]:
    b, *rest = x.shape[0], x.size(-1)
    rows, cols = x.size(0), x.shape[-1]
    sizes = list(x.size())
    numbers = [b, rows, cols, x.dim(), x.numel(), len(x), x.ndim, x.element_size()]
    if x.dim() == 2 and x.is_contiguous():
        m, n = x.shape
        numbers.append(m * n)
    for i, s in enumerate(x.shape):
        numbers.append(s * 10 + i if i > 0 else s)
    return numbers, x.reshape(sizes[0], -1), sizes + x.shape


def inputs():
    return [(torch.zeros(2, 3),), (torch.zeros(4, 1, 2),), (torch.zeros(3),), (torch.zeros([]),)]
