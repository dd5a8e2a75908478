"""Methods of modules and objects of Python as C: attributes that are read and set."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from enum import Enum
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.compilation_state import STATE
from minits.native.hot import NativeRun
from tests.support.needs import need_compiler

need_compiler()


class Gear(Enum):
    LOW = 1
    HIGH = 5


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.offset = 3
        self.hits = 0

    def forward(self, n: int) -> int:
        self.hits += 1
        return n + self.offset


class Logger(nn.Module):
    seen: list[str]
    table: dict[str, int]
    last: int | None
    gear: Gear
    pair: tuple[int, str]

    def __init__(self) -> None:
        super().__init__()
        self.seen = []
        self.table = {}
        self.last = None
        self.inner = Inner()
        self.other = Inner()
        self.name = "é"
        self.rate = 0.5
        self.gear = Gear.LOW
        self.pair = (1, "a")

    def forward(self, n: int, s: str) -> tuple[int | None, list[str], int, float, Gear]:
        last = self.last
        for i in range(n):
            self.seen.append(s + self.name)
            self.table[s] = len(self.seen)
            self.last = self.inner(i) + self.other(n)
            self.name = self.name + "b"
            self.pair = (i, self.pair[1] + s)
            if self.gear == Gear.LOW and self.training:
                self.gear = Gear.HIGH
            if i == 3:
                raise ValueError("three")
        return last, self.seen, self.table[s], self.rate * len(self.pair[1]), self.gear


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 7
        self.sizes = [1, 2, 3]
        self.rows = [[1], [2, 3]]

    def forward(self, n: int, s: str) -> tuple[int, float]:
        total = len(s)
        for row in self.rows:
            for size in self.sizes:
                total += row[-1] * size * self.scale
        return total + n, 0.5 * total


class Twins(nn.Module):
    """Has one module under two names, as in Python; torch.jit makes two of it."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.same = self.inner

    def forward(self, n: int, s: str) -> int:
        return self.inner(n) * 100 + self.same(n) + self.inner.hits * 10_000 + len(s)


class Setter(nn.Module):
    """Sets lists and a dict, to others and to those that it has, and changes them."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes = [1, 2, 3]
        self.seen = ["first"]
        self.table = {"k": 1}
        self.last = [7]
        self.hits = 0

    def forward(self, n: int, s: str) -> tuple[list[int], list[int], dict[str, int]]:
        before = self.sizes
        self.sizes.append(n)
        for i in range(n):
            self.hits += 1
            if i % 2 == 0:
                self.sizes = [n, len(s)]
                self.seen = [self.seen[-1], s]
            else:
                self.sizes += self.last
                self.seen.append(s + "b")
            self.sizes.append(i)
        if s == "a":
            self.last = before
            self.last.append(-1)
            self.table = {s: n}
        self.table["n"] = len(self.sizes)
        before.append(100)
        if s == "z":
            self.seen = [s]
            raise ValueError("z " + str(len(before)))
        return self.sizes, before, self.table


class Rows(nn.Module):
    """Sets a list of lists: that is not C."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = [[1], [2, 3]]

    def forward(self, n: int, s: str) -> int:
        self.rows = [[n], self.rows[0]]
        return len(self.rows[-1]) + len(s)


CALLS = [(1, "a"), (2, "b"), (2, "a"), (0, "q"), (5, "a"), (1, "z"), (-1, "a")]


def state_of(module: Any) -> dict[str, Any]:
    names = "seen table last name gear pair sizes rows".split()
    found = {name: getattr(module, name) for name in names if hasattr(module, name)}
    inner = {name: getattr(module, name).hits for name in ("inner", "other") if name in dir(module)}
    return {**found, **inner}


def outcomes(module: Any) -> Iterator[Any]:
    for values in CALLS:
        try:
            result = module(*values)
        except Exception as error:
            result = type(error).__name__, str(error)
        yield deepcopy((result, state_of(module)))


def scripted(make: Callable[[], nn.Module], mode: str, monkeypatch: Any) -> Any:
    STATE.clear()
    monkeypatch.setenv("MINITS_NATIVE", mode)
    return minits.script(make())


def runs_as_c(module: Any) -> bool:
    return isinstance(module.forward.plan_for(1, "a").native, NativeRun)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("make", [Logger, Reader, Twins, Setter, Rows])
def test_agrees(make: Callable[[], nn.Module], monkeypatch: Any) -> None:
    native = scripted(make, "now", monkeypatch)
    found = list(outcomes(native))
    assert runs_as_c(native) == (make is not Rows)
    assert found == list(outcomes(scripted(make, "off", monkeypatch)))
    theirs = make() if make is Twins else torch.jit.script(make())
    for values, (result, _) in zip(CALLS, found, strict=True):
        try:
            expected = theirs(*values)
        except (RuntimeError, torch.jit.Error):
            assert isinstance(result[0], str)
        else:
            assert result == expected


def test_a_list_that_is_given_out_is_that_of_the_module(monkeypatch: Any) -> None:
    module = scripted(Logger, "now", monkeypatch)
    _, seen, *_ = module(1, "a")
    assert runs_as_c(module)
    python = scripted(Logger, "off", monkeypatch)
    _, other, *_ = python(1, "a")
    assert (seen is module.seen) == (other is python.seen)


@pytest.mark.parametrize("mode", ["now", "off"])
def test_a_list_that_is_set_is_another_one(mode: str, monkeypatch: Any) -> None:
    module = scripted(Setter, mode, monkeypatch)
    module(0, "b")
    sizes, seen = module.sizes, module.seen
    module(0, "a")  # the list stays, and is now under two names
    assert module.sizes is sizes
    assert module.last is sizes
    module(1, "b")
    assert module.sizes is not sizes
    assert module.seen is not seen
    assert module.last is sizes
    found = module(2, "b")
    assert found[0] is module.sizes
    assert found[2] is module.table
    assert runs_as_c(module) == (mode == "now")


def test_a_list_that_is_set_in_c_is_met_once(monkeypatch: Any) -> None:
    module, python = (scripted(Setter, mode, monkeypatch) for mode in ("now", "off"))
    for each in (module, python):
        each.last = each.sizes
    for values in CALLS[:5]:
        assert module(*values) == python(*values)
        assert state_of(module) == state_of(python)
