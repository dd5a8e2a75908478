"""Assignment expressions: evaluated where and when Python does."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension, check_refused

ONE = torch.ones(2)


def note(log: list[int], n: int) -> int:
    """Return the number, and remember that it was evaluated."""
    log.append(n)
    return n


def positive(n: int) -> int | None:
    return n if n > 0 else None


def in_if(n: int) -> int:
    if (m := n * 2) > 4:
        return m
    if (k := m + 1) > 2:
        return 100 + k
    return -m


def in_while(xs: list[int]) -> int:
    total = 0
    while (x := xs.pop()) > 0:
        if x == 2:
            continue
        total += x
        if x == 7:
            x = 1000
            break
    return total * 10 + x


def in_while_else(n: int) -> int:
    steps = 0
    while (n := n // 2) > 1:
        steps += 1
        if n == 5:
            break
    else:
        steps = -steps
    return steps * 100 + n


def while_given(n: int) -> int:
    total = 0
    while (m := positive(n)) is not None and m < 9:
        total += m
        n -= 1
    return total


def of_optional(n: int, x: Tensor | None) -> int:
    total = 0
    if (m := positive(n)) is not None:
        total += m
    if k := positive(n - 3):
        total += 10 * k
    if not (j := positive(n - 4)):
        return total
    if isinstance(y := x, Tensor):
        total += y.dim()
    return total + j


def of_stored_condition(x: int | None) -> int:
    if ok := x is not None:
        return x + 1
    return int(ok)


def of_operands(a: bool, n: int) -> int:
    total = 0
    if a and (m := n * 2) > 2:
        total += m
    if not a or (k := n + 1) < 3:
        total += 100
    else:
        total += k
    if a and (n > 0 and (j := n * 3) > 3) and (i := j + 1) > 0:
        total += i + j
    if not (a and (h := n + 5) > 0):
        return total
    return total + h


def defined_before(a: bool, n: int | None) -> int:
    m = 1
    if a and (m := m + 1) > 1:
        m = m * 10
    if n is not None and (n := n + 1) > 2:
        m += n
    if n is None or (a and (n := 7) > 2):
        m += 1
    else:
        m += n
    return m


def assigned_none(n: int | None) -> int:
    if n is not None and (n := positive(n - 2)) is None:
        return -1
    return 0 if n is None else n


def in_both(a: bool, n: int) -> int:
    m = (k := n + 1) * 2 if a else (k := n - 1) * 3
    return m + k


def order(log: list[int]) -> list[int]:
    y = note(log, 1) + (x := note(log, 2)) * note(log, x + 1)
    log[(i := 0)] = (z := y + x)
    if note(log, 4) < (m := note(log, 5)) < note(log, m + 1):
        log.append(m)
    if note(log, 9) < note(log, (w := 8)) < note(log, 10):
        log.append(0)
    if 0 < note(log, (v := 3)) + v < 7:
        log.append(v)
    log.append((u := note(log, 70)) % 8 + u)
    log.append(max((q := 5), q + 1))
    print_to = {(a := 1): a + 1, (b := a + 1): b}
    if (c := print_to[1]) != 2:
        raise ValueError(f"not {c}")
    log.extend([i, z, w, c, b])
    return log


def text(s: str) -> str:
    first = (t := s + "%d") % 3
    if (t := s + "!").startswith("a"):
        first += t
    return f"{(n := len(t))} {n} {first}"


def tensors(x: Tensor, y: Tensor | None) -> Tensor:
    if y is not None and (z := x + y).dim() > 0:
        x = torch.relu(z * 2)
    return (w := x + 1) * w


def tuple_of(n: int) -> tuple[int, int]:
    pair = (m := n, m + 1)
    (k := n + 5)
    return pair[0] + k, pair[1]


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (in_if, [(3,), (1,), (0,)]),
        (in_while, [([0, 5, 2, 4],), ([1, 7, 3],), ([-1],)]),
        (in_while_else, [(12,), (20,), (1,)]),
        (while_given, [(3,), (0,), (20,)]),
        (of_optional, [(7, ONE), (7, None), (3, ONE), (0, ONE)]),
        (of_stored_condition, [(4,), (None,)]),
        (of_operands, [(a, n) for a in (True, False) for n in (-9, 0, 1, 2, 3)]),
        (defined_before, [(a, n) for a in (True, False) for n in (None, 0, 3)]),
        (assigned_none, [(None,), (1,), (5,)]),
        (in_both, [(True, 3), (False, 3)]),
        (order, [([],)]),
        (text, [("a",), ("b",)]),
        (tensors, [(ONE, ONE), (ONE, None), (-ONE, -ONE)]),
        (tuple_of, [(3,)]),
    ],
)
def test_it_is_evaluated_as_in_python(program, calls) -> None:
    check_extension(program, "TS101", *calls)


def outside_the_operand(a: bool, n: int) -> int:
    if a and (m := n) > 0:
        return m
    return m


def in_the_other_branch(a: bool, n: int) -> int:
    if a or (m := n) > 0:
        return m
    return 0


@pytest.mark.parametrize("program", [outside_the_operand, in_the_other_branch])
def test_an_operand_that_may_not_be_evaluated_does_not_define_it(program) -> None:
    check_refused(program, "TS101")
    with pytest.raises(CompileError, match="TS510"):
        minits.script(program, dialect="extended")


def in_comprehension(xs: list[int]) -> list[int]:
    return [y for x in xs if (y := x + 1) > 2]


def test_in_a_comprehension_it_is_refused_in_both_dialects() -> None:
    check_refused(in_comprehension, "TS101")
    with pytest.raises(CompileError, match="comprehension"):
        minits.script(in_comprehension, dialect="extended")


@pytest.mark.parametrize("given", [True, False])
def test_it_is_one_kernel(given: bool) -> None:
    compiled = check_agrees(tensors)
    graph = compiled.graph_for(ONE, ONE if given else None)
    assert [node.kind for node in graph.nodes if node.kind.startswith("prim::Fusion")] == [
        "prim::FusionGroup"
    ]
    assert not any(node.blocks for node in graph.nodes) or given
