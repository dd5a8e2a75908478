"""Stored conditions, the truth of Optionals and containers, and loops that test for None."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_extension, check_refused

ONE = torch.ones(2)


# ---- Stored conditions -------------------------------------------------------------------------


def stored(x: Tensor | None, y: Tensor) -> Tensor:
    given = x is not None
    y = y * 2
    if given:
        y = y + x
    return y


def stored_in_two(x: Tensor | None, n: int | None, y: Tensor) -> Tensor:
    absent = x is None or n is None
    both = not absent
    if both and bool(y.sum() > 0):
        return y + x * n
    if absent:
        y = y + 1
    else:
        y = y + x
    return y


def stored_instance(x: int | str) -> int:
    is_number = isinstance(x, int)
    if is_number:
        return x + 1
    return len(x)


def stored_in_branches(x: int | None, flag: bool) -> int:
    if flag:
        ok = x is not None
    else:
        ok = x is not None
    assert ok
    return x + 1


class StoredAttribute(nn.Module):
    bias: Tensor | None

    def __init__(self, bias: Tensor | None) -> None:
        super().__init__()
        self.bias = bias

    def forward(self, y: Tensor) -> Tensor:
        has_bias = self.bias is not None
        for _ in range(2):
            if has_bias:
                y = y + self.bias
        return y


def constant_flag(y: Tensor) -> Tensor:
    scale = True
    if scale:
        factor = 2.0
    y = y + 1
    if scale:
        y = y * factor
    return y


def flag_that_changes(xs: list[int]) -> int:
    found = False
    total = 0
    given: int | None = None
    for x in xs:
        if found:
            total += 1
        if x == 0:
            found = True
    if given:
        total = total + given
    return total


@pytest.mark.parametrize(
    ("program", "code", "calls"),
    [
        (stored, "TS402", [(ONE, ONE), (None, ONE)]),
        (stored_in_two, "TS402", [(ONE, 2, ONE), (ONE, 3, -ONE), (None, 2, ONE), (ONE, None, ONE)]),
        (stored_instance, "TS402", [(2,), ("two",)]),
        (stored_in_branches, "TS402", [(2, True), (3, False)]),
        (StoredAttribute(ONE), "TS402", [(ONE,)]),
        (StoredAttribute(None), "TS402", [(ONE,)]),
        (constant_flag, "TS510", [(ONE,)]),
        (flag_that_changes, "TS508", [([1, 0, 2],), ([],)]),
    ],
)
def test_a_stored_condition(program, code, calls) -> None:
    check_extension(program, code, *calls)


def variable_assigned(x: int | None) -> int:
    ok = x is not None
    x = None
    return x + 1 if ok else 0


def condition_assigned(x: int | None) -> int:
    ok = x is not None
    ok = not ok
    ok = True if x is None else ok
    return x + 1 if ok else 0


def assigned_in_branch(x: int | None, flag: bool) -> int:
    ok = x is not None
    if flag:
        x = None
    return x + 1 if ok else 0


def assigned_in_loop(x: int | None) -> int:
    ok = x is not None
    total = 0
    for _ in range(2):
        if ok:
            total += x
        x = None
    return total


@pytest.mark.parametrize(
    "program", [variable_assigned, condition_assigned, assigned_in_branch, assigned_in_loop]
)
def test_a_stored_condition_that_has_ended(program) -> None:
    check_refused(program, "TS402", extended=False)
    with pytest.raises(CompileError, match=r"Optional|NoneType"):
        minits.script(program, dialect="extended")


# ---- Truth -------------------------------------------------------------------------------------


def truth_of_tensor(x: Tensor | None, y: Tensor) -> Tensor:
    if x:
        y = y + x
    return y


def truth_of_int(n: int | None) -> int:
    return n + 1 if n else -1


def truth_of_float(f: float | None) -> float:
    if not f:
        return 0.5
    return f * 2


def truth_of_list(xs: list[int] | None) -> int:
    if xs and xs[0] > 0:
        return xs[0]
    if not xs or len(xs) > 3:
        return -1
    return len(xs)


def truth_of_dict(table: dict[str, int] | None, s: str) -> int:
    total = 0
    if table:
        total += len(table)
    if s:
        total += len(s)
    assert [1], "a list"
    return total


def truth_of_pair(pair: tuple[int, int] | None, n: int) -> int:
    first = (n,)
    if pair and first:
        return pair[0] + first[0]
    return 0


def truth_of_string(s: str | None) -> str:
    while s:
        return s + "!"
    return "nothing"


class Node:
    def __init__(self, value: int) -> None:
        self.value = value


class Sized:
    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n


def truth_of_object(n: int) -> int:
    node: Node | None = Node(n) if n > 0 else None
    sized: Sized | None = Sized(n) if n != 1 else None
    total = 0
    if node:
        total += node.value
    if sized:
        total += 10 * sized.n
    return total


class TruthOfAttribute(nn.Module):
    size: int | None

    def __init__(self, size: int | None) -> None:
        super().__init__()
        self.size = size

    def forward(self, y: Tensor) -> Tensor:
        if self.size:
            y = y * self.size
        return y


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (truth_of_tensor, [(None, ONE), (torch.tensor(1.0), ONE), (torch.tensor(0.0), ONE)]),
        (truth_of_int, [(None,), (0,), (3,)]),
        (truth_of_float, [(None,), (0.0,), (1.5,)]),
        (truth_of_list, [(None,), ([],), ([2],), ([-1],), ([-1, 1, 1, 1],)]),
        (truth_of_dict, [(None, ""), ({}, "a"), ({"a": 1}, "ab")]),
        (truth_of_pair, [(None, 1), ((0, 0), 1)]),
        (truth_of_string, [(None,), ("",), ("a",)]),
        (truth_of_object, [(0,), (1,), (2,)]),
        (TruthOfAttribute(3), [(ONE,)]),
        (TruthOfAttribute(0), [(ONE,)]),
        (TruthOfAttribute(None), [(ONE,)]),
    ],
)
def test_truth(program, calls) -> None:
    check_extension(program, "TS508", *calls)


def test_a_tensor_of_several_elements_has_no_truth() -> None:
    compiled = minits.script(truth_of_tensor, dialect="extended")
    with pytest.raises(RuntimeError, match="ambiguous"):
        compiled(ONE, ONE)


# ---- Loops -------------------------------------------------------------------------------------


def halving(n: int) -> int | None:
    return n // 2 if n > 1 else None


def while_given(start: int | None) -> int:
    n, total = start, 0
    while n is not None:
        total += n
        n = halving(n)
    return total


def while_given_and_small(n: int | None) -> int:
    total = 0
    while n is not None and n < 10:
        if n == 3:
            n = n + 2
            continue
        total += n
        n = n + 1 if n < 7 else None
    return total


def while_given_skipping(n: int | None) -> int:
    total = 0
    while n is not None:
        total += n
        if n > 5:
            n = halving(n)
        else:
            n = None
    return total


def assigned_in_refined_branch(n: int | None, flag: bool) -> int:
    total = 0
    if n is not None:
        total += n
        if flag:
            n = None
        if n is not None:
            total += n
    return total


def while_absent(start: int) -> int:
    found: int | None = None
    while found is None:
        start += 1
        if start % 5 == 0:
            found = start
    return found + 1


def while_true(xs: list[int | None]) -> int:
    total = 0
    while xs:
        x = xs.pop()
        if x is None:
            break
        total += x
    for x in xs:
        if x is None:
            continue
        total += 10 * x
    return total


def while_tensor(x: Tensor | None, n: int) -> Tensor:
    y = torch.zeros(2)
    while x is not None and n > 0:
        y = torch.relu(y + x)
        n -= 1
    return y


@pytest.mark.parametrize(
    ("program", "code", "calls"),
    [
        (while_given, "TS402", [(None,), (9,)]),
        (while_given_and_small, "TS402", [(None,), (1,), (12,)]),
        (while_given_skipping, "TS402", [(None,), (23,)]),
        (assigned_in_refined_branch, "TS501", [(None, True), (3, True), (3, False)]),
        (while_absent, "TS402", [(3,)]),
        (while_true, "TS402", [([1, None, 2, 3],), ([],), ([4, 5],)]),
        (while_tensor, "TS402", [(None, 3), (ONE, 3), (ONE, 0)]),
    ],
)
def test_loops_that_test_for_none(program, code, calls) -> None:
    check_extension(program, code, *calls)


def unknown_after_break(start: int) -> int:
    found: int | None = None
    while found is None:
        start += 1
        if start > 3:
            break
    return found + 1


def assigned_in_loop_of_refined_branch(n: int | None) -> int:
    total = 0
    if n is not None:
        for _ in range(2):
            total += n
            n = halving(n)
    return total


def test_a_loop_gives_a_refined_variable_no_wider_type() -> None:
    check_refused(assigned_in_loop_of_refined_branch, "TS501", extended=False)
    with pytest.raises(CompileError, match="TS501"):
        minits.script(assigned_in_loop_of_refined_branch, dialect="extended")


def test_after_a_break_the_condition_is_not_known() -> None:
    with pytest.raises(CompileError, match="Optional"):
        minits.script(unknown_after_break, dialect="extended")


@pytest.mark.parametrize("given", [True, False])
def test_optionals_are_one_kernel(given: bool) -> None:
    graph = minits.script(stored, dialect="extended").graph_for(ONE if given else None, ONE)
    kinds = [node.kind for node in graph.nodes if node.kind != "prim::Constant"]
    assert kinds == ["prim::FusionGroup"] if given else ["aten::mul"]
