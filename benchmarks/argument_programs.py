"""Programs of one parameter beside a tensor, of each kind that there is, and what it is given."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union  # noqa: UP035

import torch
from torch import Tensor


class Pair(NamedTuple):
    first: Tensor
    second: Tensor


class Mode(enum.Enum):
    SUM = 1
    MEAN = 2


def with_tensor(x: Tensor, y: Tensor) -> Tensor:
    return torch.relu(x + y) * 2


def with_optional_tensor(x: Tensor, mask: Optional[Tensor] = None) -> Tensor:  # noqa: UP045
    return torch.relu(x) * 2 if mask is None else torch.relu(x + mask) * 2


def with_pair(x: Tensor, s: Tuple[Tensor, Tensor]) -> Tensor:  # noqa: UP006
    return torch.relu(x + s[0]) * s[1]


def with_optional_pair(x: Tensor, s: Optional[Tuple[Tensor, Tensor]]) -> Tensor:  # noqa: UP006, UP045
    return torch.relu(x) * 2 if s is None else torch.relu(x + s[0]) * s[1]


def with_list(x: Tensor, s: List[Tensor]) -> Tensor:  # noqa: UP006
    for each in s:
        x = torch.relu(x + each) * 2
    return x


def with_pairs(x: Tensor, s: List[Tuple[Tensor, Tensor]]) -> Tensor:  # noqa: UP006
    return torch.relu(x + s[-1][0]) * s[0][1]


def with_dict(x: Tensor, s: Dict[str, Tensor]) -> Tensor:  # noqa: UP006
    s["c"] = x
    return torch.relu(x + s["a"]) * s["b"]


def with_named(x: Tensor, s: Pair) -> Tensor:
    return torch.relu(x + s.first) * s.second


def with_text(x: Tensor, mode: str) -> Tensor:
    return torch.relu(x + 1) * 2 if mode == "sum" else torch.tanh(x) * 2


def with_int(x: Tensor, k: int) -> Tensor:
    return torch.relu(x + k) * 2


def with_optional_int(x: Tensor, k: Optional[int]) -> Tensor:  # noqa: UP045
    return torch.relu(x + 1) * 2 if k is None else torch.relu(x + k) * 2


def with_number(x: Tensor, k: Union[int, float]) -> Tensor:  # noqa: UP007
    return torch.relu(x + 1) * 2 if isinstance(k, int) else torch.tanh(x) * 2


def with_float(x: Tensor, k: float) -> Tensor:
    return torch.relu(x + k) * 2


def with_ints(x: Tensor, sizes: List[int]) -> Tensor:  # noqa: UP006
    return torch.relu(x + 1).view(sizes) * 2


def with_device(x: Tensor, device: torch.device) -> Tensor:
    return torch.relu(x + 1) * 2 + torch.ones(4, device=device)


def with_dtype(x: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.relu(x + 1).to(dtype) * 2


def with_mode(x: Tensor, mode: Mode) -> Tensor:
    return torch.relu(x + 1) * 2 if mode == Mode.SUM else torch.tanh(x) * 2


def with_any(x: Tensor, value: Any) -> Tensor:
    return torch.relu(x + 1) * 2 if isinstance(value, int) else torch.tanh(x) * 2


A, B = torch.arange(4.0), torch.arange(4.0) - 2


class Given(NamedTuple):
    """A program, values that its second parameter takes, and values that it refuses."""

    program: Callable[..., Any]
    good: list[Any]
    bad: list[Any]


PROGRAMS = [
    Given(with_tensor, [B], [1, "x", [A]]),
    Given(with_optional_tensor, [A, None, A.double()], [1, "x"]),
    Given(with_pair, [(A, B), (A, A), (A.double(), B)], [A, (A,), (A, 1), None, (A, B, A)]),
    Given(with_optional_pair, [(A, B), None, (B, B)], [(A, None), 3]),
    Given(with_list, [[A, B], [A], [], (A, B), [A.double()]], [[A, 1], {1: A}, None, [None]]),
    Given(with_pairs, [[(A, B)] * 4, [(A, B), (B, B)], [[A, B]]], [[(A, 1)], [A, 1], [(A,)]]),
    Given(with_dict, [{"a": A, "b": B}, {"b": B, "a": B, "d": A}], [{"a": 1}, [A], {1: A}]),
    Given(with_named, [Pair(A, B), (A, B), [A, B], Pair(B, B)], [(A,), Pair(A, 1)]),  # type: ignore[arg-type]
    Given(with_text, ["sum", "mean", ""], [1, None, A]),
    Given(with_int, [3, True], ["x", 1 << 70, None]),
    Given(with_optional_int, [3, None, 4, True], ["x", 1 << 70]),
    Given(with_number, [3, 2.5, 4], ["x", 1 << 70]),
    Given(with_float, [2, 2.5, 3, True], ["x", None]),
    Given(with_ints, [[4], [2, 2], (4,), [-1]], [[4.5], ["4"], [1 << 70]]),
    Given(with_device, [torch.device("cpu"), "cpu"], [1, "nowhere"]),
    Given(with_dtype, [torch.float64, torch.float32, torch.int64], ["float64"]),
    Given(with_mode, [Mode.SUM, Mode.MEAN], [1, "SUM"]),
    Given(with_any, [1, 2.5, "x", A, [1], (1, A)], [1 << 70]),
]
