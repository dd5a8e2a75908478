"""What conditions tell: the graphs of torch's passes, and programs that compute what they did."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
import torch

import minits
from minits.ir.canonical import canonicalize
from minits.ir.copying import clone_graph
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.pipeline import run_pipeline
from minits.runtime.interpreter import run
from tests.passes.test_against_torch import without_ranges
from tests.support.agreement import outcome
from tests.support.from_torch import graph_from_torch


def all_of_them(a: int, b: int) -> int:
    if a == 3 and b != 4:
        return a * b
    if a != 3 or b != 4:
        raise ValueError("other numbers")
    return a + b


def two_or_not(a: int, b: int) -> int:
    is_two = a == 2
    if not is_two:
        if b == 5:
            a = b + 1
    elif b == 5:
        a = a + b
    return a * b


def in_a_loop(a: int, b: int) -> int:
    for i in range(b):
        if i == 1:
            a = a + i
        elif a == 7:
            a = a - 1
    return a


def asserted(a: int, b: int) -> int:
    assert a == 1
    assert not b != 2
    return a + b


def itself(a: int, b: int) -> int:
    c = 1
    if a == 1:
        return c
    return a


INTEGERS = [all_of_them, two_or_not, in_a_loop, asserted, itself]


def lengths_asserted(x: list[int], y: list[int]) -> int:
    assert len(x) == 2
    if len(y) != 3:
        return len(y)
    return len(x) * len(y)


def lengths_of_either(x: list[int], y: list[int]) -> int:
    if len(x) == 2 or len(y) == 3:
        return len(x) + len(y)
    return 0


def length_that_grows(x: list[int], y: list[int]) -> int:
    if len(x) == 2:
        x.append(1)
        return len(x) + len(y)
    return len(x)


LENGTHS = [lengths_asserted, lengths_of_either, length_that_grows]


def refine_lengths_by_torch(graph: Any) -> None:
    torch._C._jit_pass_peephole_list_idioms(graph, refine_list_len=True)


def check_text(program: Any, theirs: Callable[[Any], Any], ours: tuple[str, ...]) -> None:
    expected = torch.jit.script(program).graph.copy()
    found = graph_from_torch(expected)
    theirs(expected)
    run_pipeline(found, ours)
    verify(found)
    text = without_ranges(print_graph(canonicalize(found)))
    assert text == without_ranges(str(torch._C._jit_pass_canonicalize(expected)))


@pytest.mark.parametrize("program", [each for each in INTEGERS if each is not in_a_loop])
def test_integers_as_in_torch(program: Any) -> None:
    check_text(program, torch._C._jit_pass_refine_integer_values, ("refine-integers",))


@pytest.mark.parametrize("program", LENGTHS)
def test_lengths_as_in_torch(program: Any) -> None:
    check_text(program, refine_lengths_by_torch, ("fold-container-queries", "refine-lengths"))


@pytest.mark.parametrize("program", INTEGERS)
def test_integers_keep_their_meaning(program: Any) -> None:
    calls = [(a, b) for a in range(-1, 9) for b in range(-1, 9)]
    check_meaning(minits.script(program).graph, "refine-integers", calls)


@pytest.mark.parametrize("program", LENGTHS)
def test_lengths_keep_their_meaning(program: Any) -> None:
    calls = [([0] * a, [0] * b) for a in range(5) for b in range(5)]
    check_meaning(minits.script(program).graph, "refine-lengths", calls)


def check_meaning(graph: Any, name: str, calls: list[Any]) -> None:
    changed = clone_graph(graph)
    run_pipeline(changed, (name, "dce", "constant-propagation", "dce"))
    verify(changed)
    for arguments in calls:
        expected = outcome(lambda *a: run(graph, *a), arguments)
        assert outcome(lambda *a: run(changed, *a), arguments) == expected


# ---- Conditions of all kinds -------------------------------------------------------------------


def condition(drawn: random.Random, depth: int) -> str:
    """Write a condition on `a`, `b` and `c`."""
    kind = drawn.randrange(6 if depth else 2)
    left, right = (condition(drawn, depth - 1) for _ in range(2)) if kind > 1 else ("", "")
    tests = [
        f"{drawn.choice('abc')} == {drawn.randrange(3)}",
        f"{drawn.randrange(3)} != {drawn.choice('abc')}",
        f"({left} and {right})",
        f"({left} or {right})",
        f"(not {left})",
        f"({left} if {right} else {drawn.choice(['True', 'False'])})",
    ]
    return tests[kind]


def statements(drawn: random.Random, depth: int) -> list[str]:
    """Write statements that look at `a`, `b` and `c` where conditions tell of them."""
    kind = drawn.randrange(4 if depth else 2)
    if kind == 0:
        return [f"{drawn.choice('abcd')} = a * 16 + b * 4 + c * 2 + d"]
    if kind == 1:
        return [f"assert {condition(drawn, 1)}"] if drawn.random() < 0.3 else ["d = d + a"]
    body = [f"    {line}" for line in some(drawn, depth - 1)]
    other = [f"    {line}" for line in some(drawn, depth - 1)]
    if kind == 2:
        return [f"if {condition(drawn, 2)}:", *body, "else:", *other]
    return ["for i in range(2):", *body]


def some(drawn: random.Random, depth: int) -> list[str]:
    return [line for _ in range(2) for line in statements(drawn, depth)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    drawn = random.Random(seed)
    lines = ["d = 0", *some(drawn, 3), "return a * 100 + b * 10 + c + d"]
    body = "\n".join(f"    {line}" for line in lines)
    unit = minits.CompilationUnit(f"def program(a: int, b: int, c: int) -> int:\n{body}\n")
    calls = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    check_meaning(unit.program.graph, "refine-integers", calls)
