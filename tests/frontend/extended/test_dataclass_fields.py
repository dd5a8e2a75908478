"""Dataclasses that are frozen, or whose fields are made by `__init__`."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_extension, check_refused


@dataclass(frozen=True)
class Frozen:
    x: int
    y: int = 2

    def doubled(self) -> int:
        return self.x * 2


@dataclass
class Made:
    x: int
    sizes: list[int] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict, compare=False)

    def add(self, n: int) -> None:
        self.sizes.append(n)
        self.names[str(n)] = n


@dataclass
class Counted:
    x: int
    total: int = field(init=False, default=9)
    seen: list[float] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.total += self.x


def frozen(n: int) -> tuple[int, bool, int]:
    total = 0
    for i in range(n):
        total += Frozen(i, 3).y
    p = Frozen(n)
    return p.x + p.y + total, p == Frozen(n, 2), p.doubled()


def made(n: int) -> tuple[list[int], list[int], list[int], int]:
    first, second = Made(n), Made(n)
    first.add(n)
    given = Made(n, [1, 2], {"a": 1})
    given.add(3)
    return first.sizes, second.sizes, given.sizes, len(given.names)


def counted(n: int) -> tuple[int, int]:
    c = Counted(n)
    c.seen.append(0.5)
    return c.total, len(c.seen)


@pytest.mark.parametrize("program", [frozen, made, counted])
def test_fields(program) -> None:
    compiled = check_extension(program, "TS608", (2,), (5,))
    assert [compiled(3) for _ in range(4)] == [program(3)] * 4


class Holds(nn.Module):
    config: Frozen

    def __init__(self) -> None:
        super().__init__()
        self.config = Frozen(2, 3)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.config.y + self.config.doubled()


def test_a_module_may_hold_a_frozen_one() -> None:
    check_extension(Holds(), "TS201", (torch.ones(2),))
    with pytest.raises(CompileError) as caught:
        minits.script(Holds())
    assert caught.value.diagnostics[0].fix == "leave out frozen=True"


def assigned(n: int) -> int:
    p = Frozen(n)
    p.x = 3  # type: ignore[misc]
    return p.x


def test_a_frozen_one_is_not_assigned() -> None:
    with pytest.raises(CompileError, match="a frozen dataclass"):
        minits.script(assigned, dialect="extended")


@dataclass
class Later:
    x: int
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.x


def later(n: int) -> int:
    return Later(n).total


def test_a_field_without_value_is_given_one() -> None:
    refused = check_refused(later, "TS608", extended=False)
    assert "give it a default" in str(refused.diagnostics[0].fix)
