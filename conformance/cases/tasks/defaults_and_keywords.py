"""Defaults and keyword arguments of what is forked are those of a call."""

from typing import Optional

import torch


def affine(x: torch.Tensor, scale: float = 2.0, shift: Optional[torch.Tensor] = None) -> torch.Tensor:
    if shift is None:
        return x * scale
    return x * scale + shift


def program(x: torch.Tensor) -> torch.Tensor:
    a = torch.jit.fork(affine, x)
    b = torch.jit.fork(affine, x, shift=x)
    c = torch.jit.fork(affine, x, 3.0, x)
    return torch.jit.wait(a) + torch.jit.wait(b) + torch.jit.wait(c)


def inputs():
    return [(torch.ones(2),)]
