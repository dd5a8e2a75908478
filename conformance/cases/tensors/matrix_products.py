"""matmul, @, mm, bmm and einsum, with broadcasting and vectors."""

from typing import List

import torch


def program(a: torch.Tensor, b: torch.Tensor) -> List[torch.Tensor]:
    c = a @ b
    a = a + 0.5
    c = c @ torch.eye(c.size(-1))
    return [c, torch.matmul(a, b[..., 0]), torch.einsum("ij,jk->ki", [a, b]), a.mm(b).t(), torch.addmm(c, a, b, beta=2, alpha=0.5)]


def inputs():
    return [
        (torch.arange(6.0).view(2, 3), torch.arange(12.0).view(3, 4) - 5),
        (torch.ones(1, 1), torch.ones(1, 2)),
        (torch.ones(2, 3), torch.ones(2, 3)),
    ]
