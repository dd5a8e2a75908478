"""Functions whose C `docs/native.md` shows."""

from typing import List, Union

import torch
from torch import Tensor


def doubled(x: Union[int, str]) -> int:
    """A value whose type is known at run time only."""
    if isinstance(x, int):
        n = x
        return n * 2
    return 0


def shares(x: Tensor) -> Tensor:
    """An operator of torch."""
    y = torch.softmax(x, -1)
    return y


@torch.jit.ignore
def joined(values: List[str], by: str) -> str:
    return by.join(values)


def length_of_path(values: List[str]) -> int:
    """A question to Python."""
    s = joined(values, "/")
    return len(s)


def cells(x: Tensor, h: Tensor, c: Tensor, weight: Tensor, steps: int) -> Tensor:
    """A kernel of a loop: an LSTM cell."""
    for _ in range(steps):
        gates = torch.nn.functional.linear(torch.cat([x, h], 1), weight)
        i, f, g, o = gates.chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return h


def instalments(debt: int, each: int) -> int:
    """How many instalments pay a debt that grows by a hundredth before each."""
    if each * 100 <= debt:
        raise ValueError(f"{each} never pays {debt}")
    n = 0
    while debt > 0:
        debt += debt // 100 - each
        n += 1
    return n


def paid(loan: int, other: int, each: int) -> int:
    """How many instalments pay two debts, one after the other."""
    n = instalments(loan, each)
    return n + instalments(other, each)
