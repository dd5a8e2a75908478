"""Functions of torch that are written in Python (norm, split, meshgrid, einsum) compile from source."""

from typing import List

import torch


def program(x: torch.Tensor, n: int) -> List[torch.Tensor]:
    found = [torch.norm(x), torch.norm(x, p=1, dim=0), torch.norm(x, dim=[0, 1], keepdim=True)]
    for part in torch.split(x, n, dim=1):
        found.append(part)
    gx, gy = torch.meshgrid([x[0], x[:, 0]], indexing="ij")
    found += [gx, gy, torch.einsum("ij->ji", x)]
    found += [torch.tensordot(x, x, dims=([0], [0])), torch.cdist(x, x)]
    a, b = torch.broadcast_tensors([x[:1], x[0]])
    return found + [a, b, torch.unique(x), torch.cartesian_prod([x[0], x[0]])]


def inputs():
    return [(torch.arange(4.0).view(2, 2), 1), (torch.ones(2, 3), 2)]
