"""`torch.jit.fork` calls a function, a method or a module on its own; `wait` gives its result, as often as asked."""

from typing import Dict, List, Tuple

import torch
from torch import nn


def both(x: torch.Tensor, n: int = 3) -> Tuple[torch.Tensor, int]:
    return x * n, n


def later(x: torch.Tensor) -> torch.Tensor:
    inner = torch.jit.fork(both, x, n=2)
    return torch.jit.wait(inner)[0]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)

    def shifted(self, x: torch.Tensor, by: float) -> torch.Tensor:
        return self.lin.bias + x * by

    def forward(
        self, x: torch.Tensor, xs: List[torch.Tensor], twice: bool
    ) -> Tuple[torch.Tensor, List[torch.Tensor], Dict[str, int]]:
        by = 0.5
        first = torch.jit.fork(both, x)
        if twice:
            first = torch.jit.fork(both, x + by, 4)
        method = torch.jit.fork(self.shifted, x, by=by)
        module = torch.jit.fork(self.lin, x)
        pending = [torch.jit.fork(torch.neg, each) for each in xs]
        nested: torch.jit.Future[torch.Tensor] = torch.jit.fork(later, x)
        got, n = first.wait()
        again = torch.jit.wait(first)[0]
        total = got + again + method.wait() + module.wait() + nested.wait()
        return total, [each.wait() for each in pending], {"n": n}


def build():
    return Model()


def inputs():
    x = torch.tensor([[1.0, -2.0]])
    return [(x, [x, x + 1], True), (x, [], False), (torch.ones(3), [], True)]
