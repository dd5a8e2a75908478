"""`.code` against torch's, on what is hard to print."""

# ruff: noqa: UP006, UP007, UP032, UP035, UP045
from __future__ import annotations

import enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.programs import PROGRAMS


class Point(NamedTuple):
    x: int
    y: float


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def reserved_names(fork: int, inf: int, ops: int, uninitialized: int) -> int:
    nan = fork + inf
    attribute = nan + ops
    getattr = attribute * uninitialized
    return getattr + nan


def names_taken_twice(x: int, x0: int, x1: int) -> int:
    x = x + x0
    x = x * x1
    x0 = x - 1
    return x0 + x


def long_expression(x: Tensor, y: Tensor) -> Tensor:
    return torch.relu(x.add_(y)) + torch.sigmoid(x * y) * torch.tanh(x - y) / torch.exp(x + y * x)


def order_of_effects(xs: List[int]) -> int:
    a = (xs.pop() - xs.pop()) * (xs.pop() + xs.pop())
    return a - xs.pop() * (xs.pop() - xs.pop() * xs.pop()) + xs.pop()


def floats() -> List[float]:
    return [1.0, -0.0, 0.1, 1e10, 1e-300, float("inf"), -2.5, 123456789.0]


def strings() -> Tuple[str, str, str, str]:
    return "a'b\"c", "line\nend\t", "umläut", "a long string that does not fit into the line"


def containers(n: int) -> Tuple[List[Optional[int]], Dict[str, List[int]], List[Tensor]]:
    a: List[Optional[int]] = [n, None]
    b: Dict[str, List[int]] = {}
    c: List[Tensor] = []
    return a, b, c


def one_tuple(n: int) -> Tuple[int]:
    t = (n,)
    (m,) = t
    return (m,)


def named(p: Point) -> Point:
    x, y = p
    return Point(x + p.x, y)


def optional_variables(x: Optional[int], n: int) -> Optional[int]:
    y: Optional[int] = None
    for i in range(n):
        if x is not None and i > x:
            y = i
        else:
            y = x
    return y


def unions(x: Union[int, str, float]) -> str:
    if isinstance(x, (int, float)):
        return "number"
    return x


def any_value(x: Any) -> int:
    assert isinstance(x, int)
    return x


def empty_branches(c: bool) -> None:
    if c:
        pass
    else:
        pass


def endless(n: int) -> int:
    while True:
        n += 1
        if n > 10:
            break
    return n


def nested_loops(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                continue
            total += j
        else_value = total
        total = else_value + 1
    return total


def guarded(x: Tensor) -> Tensor:
    with torch.no_grad():
        y = x * 2
    with torch.no_grad():
        pass
    return y


def defaults(
    a: float = 2, b: Optional[List[int]] = None, c: Tuple[int, float] = (1, 2), d: str = "x"
) -> float:
    return a + c[1]


def keyword_arguments(x: Tensor) -> Tensor:
    y = torch.sum(x, [0], keepdim=True, dtype=torch.float64)
    return torch.add(y, x, alpha=2).to(torch.int64)


def out_argument(x: Tensor, y: Tensor) -> Tensor:
    return torch.add(x, x, out=y)


def formats(x: int, s: str) -> str:
    print(x, s)
    return "{} and {}".format(x, s) + f"{x}"


def conversions(x: Tensor, s: str) -> Tuple[int, float, bool, str]:
    n: int = x.item() if False else int(x)
    return n, float(x), bool(x), str(s)


def items(x: Tensor, xs: List[Tensor], d: Dict[str, int]) -> Tensor:
    d["a"] = d["b"] + 1
    xs[0] = x[1]
    return (xs + xs)[0] + x[0:2, None] + (x * 2)[d["a"]]


def raises(x: int) -> int:
    if x < 0:
        raise ValueError("negative")
    assert x != 3, "three"
    return x


def modes(m: Mode) -> int:
    if m == Mode.FAST:
        return m.value
    return Mode.SLOW.value


def is_none_default(x: Optional[Tensor] = None) -> Tensor:
    return torch.zeros(1) if x is None else x


FUNCTIONS = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__ and not isinstance(value, type)
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_function(function: Any) -> None:
    assert minits.script(function).code == torch.jit.script(function).code


@pytest.mark.parametrize("program", [p for p, _ in PROGRAMS], ids=lambda p: p.__name__)
def test_program(program: Any) -> None:
    assert minits.script(program).code == torch.jit.script(program).code


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.limit = 3
        self.weight = nn.Parameter(torch.ones(2))
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])
        self.table = {"a": 1}

    def helper(self, x: Tensor, scale: float = 2.0) -> Tensor:
        return x * self.weight * scale

    @torch.jit.export
    def count(self) -> int:
        self.limit += self.table["a"]
        return self.limit

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return self.helper(x) + self.count()


@pytest.mark.parametrize("method", ["forward", "helper", "count"])
def test_method(method: str) -> None:
    ours, theirs = minits.script(Counter()), torch.jit.script(Counter())
    found = ours.compile_method(method).code
    assert found == getattr(theirs, method).code


def sums(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i):
            if j != 3:
                total = total + j * 2
    return total


def test_code_can_be_read_again() -> None:
    """torch.jit compiles what is printed to the graph that it came from."""
    again = torch.jit.CompilationUnit(minits.script(sums).code).sums
    assert again.code == minits.script(sums).code
    assert again(6) == sums(6)
