"""A call that has been made before compiles no text, imports nothing and waits for no lock.

Each of these takes longer than a small operator. Python's profiler sees every function that a call
calls, also those in C.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import product
from types import FrameType
from typing import Any, Optional

import pytest
import torch
from torch import Tensor, nn

import minits

SLOW = {"eval", "exec", "compile", "__import__", "acquire", "allocate_lock"}
"""Functions in C, by name; an import of a module that is loaded calls `_handle_fromlist`."""
IMPORTS = {"_find_and_load", "_handle_fromlist"}
TIMES = 40
"""Calls until each is like an earlier one, and nothing is looked at any more."""


def pair(x: Tensor) -> tuple[Tensor, Tensor]:
    return x * 2 + 1, x.sin() * 3 + x.cos()


def masked(x: Tensor, mask: Optional[Tensor] = None) -> Tensor:  # noqa: UP045
    y = torch.tanh(x * 2) + 1
    return y if mask is None else y * mask


def total(xs: list[Tensor], n: int) -> Tensor:
    found = torch.zeros(4)
    for x in xs:
        found = found + x[0] * n
    return found


def repeated(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * 2 + i
    return x


def squares(n: int) -> int:
    found = 0
    for i in range(n):
        found += i * i
    return found


def written(x: Tensor, rows: Tensor) -> Tensor:
    x = x.clone()
    x[rows] = 1.0
    x[0, :1] = 2
    return x[rows][:, 0]


def found(table: dict[str, Tensor], name: str) -> Tensor:
    return table[name] * 2 if name in table else torch.zeros(1)


@minits.script
class Affine:
    def __init__(self, factor: Tensor, is_shifted: bool) -> None:
        self.factor = factor
        self.is_shifted = is_shifted

    def of(self, x: Tensor) -> Tensor:
        y = torch.tanh(x * self.factor)
        return y + 1 if self.is_shifted else y


def applied(affine: Affine, x: Tensor) -> Tensor:
    return affine.of(x)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.layer = nn.LSTM(4, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.layer(self.drop(self.norm(torch.relu(self.linear(x)))))
        return y * 2 + 1


def given(*sizes: int, grad: bool = False) -> Tensor:
    return torch.rand(sizes or (3, 4)).requires_grad_(grad)


Use = Callable[[tuple[Tensor, Tensor]], Tensor]


def gradient_of(*uses: Use) -> Callable[[], None]:
    """Return a function that differentiates one use of two results after the other."""
    compiled = minits.script(pair)

    def run() -> None:
        for use in uses:
            use(compiled(given(grad=True))).sum().backward()

    return run


def gradient_of_gradient() -> Callable[[], None]:
    compiled = minits.script(pair)

    def run() -> None:
        x = given(grad=True)
        (first,) = torch.autograd.grad(compiled(x)[1].sum(), x, create_graph=True)
        torch.autograd.grad(first.sum(), x)

    return run


def new_sizes(grad: bool) -> Callable[[], None]:
    compiled = minits.script(pair)
    sizes: Iterator[int] = iter(range(2, 1000))

    def run() -> None:
        first, second = compiled(given(next(sizes), 3, grad=grad))
        if grad:
            (first + second).sum().backward()

    return run


def step() -> Callable[[], None]:
    net = minits.script(Net())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def run() -> None:
        optimizer.zero_grad()
        net(given(5, 2, 4)).sum().backward()
        optimizer.step()

    return run


def called(program: Any, *makers: Callable[[], Any], **named: Callable[[], Any]) -> Any:
    """Return a maker of a function that compiles a program, and calls it with new arguments."""

    def make() -> Callable[[], None]:
        compiled = minits.script(program)
        return lambda: compiled(*[m() for m in makers], **{k: m() for k, m in named.items()})

    return make


def alternating(program: Any, *makers: Callable[[], Any]) -> Callable[[], Callable[[], None]]:
    """Return a maker of a function that calls a program with one argument after the other."""

    def make() -> Callable[[], None]:
        compiled = minits.script(program)
        return lambda: [compiled(m()) for m in makers]  # type: ignore[return-value]

    return make


def on_net(make: Callable[[], Any]) -> Callable[[], Callable[[], None]]:
    def made() -> Callable[[], None]:
        net = make()
        return lambda: net(given(5, 2, 4))

    return made


CALLS: dict[str, Callable[[], Callable[[], Any]]] = {
    "results": called(pair, given),
    "by name": called(masked, x=given, mask=given),
    "without an optional": called(masked, given),
    "list": called(total, lambda: [given(), given()], lambda: 3),
    "loop": called(repeated, given, lambda: 3),
    "object": called(applied, lambda: Affine(given(4), True), given),
    "numbers": called(squares, lambda: 10),
    "subscripts": called(written, given, lambda: torch.tensor([0, 2])),
    "dict": called(found, lambda: {"a": given()}, lambda: "a"),
    "dtypes": alternating(pair, given, lambda: given().double(), lambda: given()[:, :2]),
    "requires_grad": alternating(pair, given, lambda: given(grad=True)),
    "new sizes": lambda: new_sizes(False),
    "gradients of new sizes": lambda: new_sizes(True),
    "gradient of both": lambda: gradient_of(lambda y: y[0] + y[1]),
    "gradient of the first": lambda: gradient_of(lambda y: y[0]),
    "gradient of the second": lambda: gradient_of(lambda y: y[1]),
    "gradients of each": lambda: gradient_of(lambda y: y[0], lambda y: y[1], lambda y: y[0] + y[1]),
    "gradient of a gradient": gradient_of_gradient,
    "training": step,
    "scripted": on_net(lambda: minits.script(Net())),
    "frozen": on_net(lambda: minits.freeze(minits.script(Net().eval()))),
    "traced": on_net(lambda: minits.trace(Net().eval(), given(5, 2, 4))),
}


def slow_calls(run: Callable[[], Any]) -> list[str]:
    """Return the functions in C that take long and were called, with their callers."""
    seen: list[str] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        name = getattr(argument, "__name__", "") if event == "c_call" else frame.f_code.co_name
        if (event == "c_call" and name in SLOW) or (event == "call" and name in IMPORTS):
            seen.append(f"{name} in {frame.f_code.co_filename}:{frame.f_lineno}")

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.parametrize("kind", CALLS)
def test_a_call_that_was_made_before_prepares_nothing(kind: str) -> None:
    run = CALLS[kind]()
    for _ in range(TIMES):
        run()
    assert slow_calls(run) == []


def test_objects_that_change_between_calls() -> None:
    """An object is recognised in the next call, but not if it has other attributes."""
    compiled = minits.script(applied)
    factors = [given(4), given(3, 4), given(4).double(), given(4, grad=True)]
    affine = Affine(factors[0], True)
    for factor, is_shifted in [*[(factors[0], True)] * 4, *[*product(factors, (True, False))] * 2]:
        affine.factor, affine.is_shifted = factor, is_shifted
        x = given()
        for _ in range(3):
            torch.testing.assert_close(compiled(affine, x), applied(affine, x))
        torch.testing.assert_close(
            compiled(Affine(factors[1], False), x), torch.tanh(x * factors[1])
        )
