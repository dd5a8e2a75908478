"""torch.jit.isinstance tests what containers hold, of values that are Any, Optional or a Union."""

from typing import Any, Dict, List, Optional, Tuple, Union

import torch


def show(x: Any) -> str:
    if torch.jit.isinstance(x, Dict[str, List[int]]):
        return "dict of " + str(len(x))
    if torch.jit.isinstance(x, Tuple[int, str]):
        return x[1] + str(x[0])
    if torch.jit.isinstance(x, (List[float], List[torch.Tensor])):
        return "list of numbers or tensors"
    return "?"


def first(x: Union[int, List[int]]) -> int:
    return x if torch.jit.isinstance(x, int) else x[0]


def total(xs: Optional[List[int]]) -> int:
    assert torch.jit.isinstance(xs, List[int])
    return sum(xs)


def program(x: torch.Tensor, n: int) -> Tuple[List[str], int, int]:
    shown = [show({"a": [n]}), show((n, "s")), show([x]), show([1.5]), show([n]), show((n, n))]
    return shown, first(n) + first([n, 5]), total([n, n])


def inputs():
    return [(torch.ones(1), 2)]
