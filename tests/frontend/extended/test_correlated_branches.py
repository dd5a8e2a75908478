"""Variables that one branch assigns and another one, of the same condition, uses."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.jit import Final

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension, check_refused

ONE = torch.ones(2)


class Skip(nn.Module):
    def __init__(self, skip: bool) -> None:
        super().__init__()
        self.skip = skip

    def forward(self, x: Tensor) -> Tensor:
        if self.skip:
            kept = x
        x = torch.relu(x - 3)
        if self.skip:
            x = x + kept
        return x


class FinalFlag(nn.Module):
    use: Final[bool]

    def __init__(self, use: bool) -> None:
        super().__init__()
        self.use = use

    def forward(self, x: Tensor) -> Tensor:
        use = self.use
        if use:
            kept = x * 2
        x = x + 1
        if use:
            x = x + kept
        return x


class OptionalLayer(nn.Module):
    def __init__(self, given: bool) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2) if given else None

    def forward(self, x: Tensor) -> Tensor:
        has_layer = self.layer is not None
        if has_layer:
            y = self.layer(x) * 0
        else:
            y = x
        return y + 1


def of_variables(a: bool, b: bool, n: int) -> int:
    total = 0
    if a and n > 2:
        first = n
    if not b:
        second = 10 * n
    else:
        third = 100 * n
    if a and n > 2 and not b:
        total += first + second
    if b:
        total += third
        if a and n > 2:
            first = first + 1
            total += first
    elif n > 2:
        if a:
            total += first
    if not (b or a):
        total -= second
    return total


def of_none(x: Tensor | None, y: Tensor) -> Tensor:
    if x is not None:
        doubled = x * 2
    y = y + 1
    if x is None:
        y = y + 3
    else:
        y = y + doubled
    return y


def after_return(flag: bool, n: int) -> int:
    if flag:
        kept = n
    if not flag:
        return -n
    return kept + 1


def after_assert(name: str, n: int) -> int:
    if name == "kept":
        kept = n
    assert name == "kept", "no"
    return kept


def in_loop(flag: bool, xs: list[int]) -> int:
    total = 0
    if flag:
        offset = 5
    for x in xs:
        if flag:
            square = x * x
        total += x
        if flag:
            total += square + offset
    return total


def assigned_by_both(flag: bool, other: bool) -> int:
    if flag:
        kept = 1
    if other:
        kept = 2
    else:
        kept = 3
    if flag:
        kept += 10
    return kept


def other_type_after(flag: bool, xs: list[str]) -> int:
    if flag:
        kept = 1
    total = 0
    for x in xs:
        kept = x + "!"
        total += len(kept)
    return total


BOTH = [(a, b, n) for a in (True, False) for b in (True, False) for n in (2, 3)]


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (Skip(True), [(ONE,)]),
        (Skip(False), [(ONE,)]),
        (FinalFlag(True), [(ONE,)]),
        (FinalFlag(False), [(ONE,)]),
        (of_variables, BOTH),
        (of_none, [(ONE, ONE), (None, ONE)]),
        (after_return, [(True, 2), (False, 2)]),
        (after_assert, [("kept", 2)]),
        (in_loop, [(True, [1, 2]), (False, [1, 2]), (True, [])]),
    ],
)
def test_the_variable_is_known_in_the_other_branch(program, calls) -> None:
    check_extension(program, "TS510", *calls)


@pytest.mark.parametrize("program", [OptionalLayer(True), OptionalLayer(False)])
def test_a_test_for_a_layer_that_is_kept_in_a_variable(program) -> None:
    check_agrees(program, (ONE,))


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (assigned_by_both, [(a, b) for a, b, _ in BOTH]),
        (other_type_after, [(True, ["a"]), (False, [])]),
    ],
)
def test_what_needs_no_correlation_is_taken_as_ever(program, calls) -> None:
    minits.script(program)
    check_agrees(program, *calls)


def condition_assigned(flag: bool, n: int) -> int:
    if flag:
        kept = n
    flag = True
    if flag and n > 0:
        return kept
    return 0


def condition_assigned_in_branch(flag: bool, n: int) -> int:
    if flag:
        kept = n
        flag = False
    if flag:
        return kept
    return 0


def condition_assigned_in_loop(flag: bool, n: int) -> int:
    if flag:
        kept = n
    total = 0
    for _ in range(n):
        if flag:
            total += kept
        flag = not flag
    return total


def opposite(flag: bool, n: int) -> int:
    if flag:
        kept = n
    if not flag:
        return kept
    return 0


def weaker(a: bool, b: bool) -> int:
    if a and b:
        kept = 1
    if a:
        return kept
    return 0


class Assigning(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.flag = False

    def switch(self) -> None:
        self.flag = True

    def forward(self, n: int) -> int:
        if self.flag:
            kept = n
        self.switch()
        if self.flag:
            return kept
        return 0


@pytest.mark.parametrize(
    "program",
    [
        condition_assigned,
        condition_assigned_in_branch,
        condition_assigned_in_loop,
        opposite,
        weaker,
        Assigning(),
    ],
)
def test_where_the_condition_may_differ_the_variable_is_not_known(program) -> None:
    check_refused(program, "TS510", extended=False)
    with pytest.raises(CompileError, match="TS510"):
        minits.script(program, dialect="extended")


@pytest.mark.parametrize("skip", [True, False])
def test_it_is_one_kernel(skip: bool) -> None:
    graph = minits.script(Skip(skip), dialect="extended").graph_for(ONE)
    beside = ("prim::Constant", "prim::GetAttr")
    kinds = [node.kind for node in graph.nodes if node.kind not in beside]
    assert kinds == ["prim::FusionGroup"]
