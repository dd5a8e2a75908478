"""What the extended dialect accepts beyond torch.jit's: it means what it means in Python."""

from __future__ import annotations

import inspect

import pytest
import torch

import minits
from minits.diagnostics import NotSupportedError
from minits.frontend.python.text_scope import read_text
from minits.runtime.interpreter import run
from minits.source import SourceFile


def first_negative(values: list[int]) -> int:
    found = 0
    for index, value in enumerate(values):
        if value < 0:
            found = index
            break
    else:
        found = -1
    return found


def nested(rows: list[list[int]], wanted: int) -> str:
    _searched0 = "nowhere"
    for row in rows:
        for item in row:
            if item == 0:
                continue
            if item == wanted:
                break
        else:
            with torch.no_grad():
                if len(row) > 2:
                    break
            continue
        return "found"
    else:
        return _searched0
    return "long row"


def halving(n: int) -> int:
    steps = 0
    while n > 1:
        if n % 2 == 1:
            break
        n = n // 2
        steps += 1
    else:
        steps = -steps
    return steps


CALLS = [
    (first_negative, ([1, -2, -3],)),
    (first_negative, ([1, 2],)),
    (first_negative, ([],)),
    (nested, ([[1], [2, 5]], 5)),
    (nested, ([[1], [0, 0]], 5)),
    (nested, ([[1, 2, 3], [5]], 5)),
    (nested, ([], 5)),
    (halving, (8,)),
    (halving, (12,)),
]


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_a_loop_with_else_means_what_it_means_in_python(function, arguments) -> None:
    assert minits.script(function, dialect="extended")(*arguments) == function(*arguments)


@pytest.mark.parametrize("function", [first_negative, nested, halving])
def test_the_torch_dialect_refuses_a_loop_with_else_and_names_the_extension(function) -> None:
    with pytest.raises(NotSupportedError, match="TS111") as caught:
        minits.script(function)
    notes = [note.message for found in caught.value.diagnostics for note in found.notes]
    assert notes and all("extended dialect" in note for note in notes)
    assert all(found.code == "TS111" for found in caught.value.diagnostics)


def plain(values: list[int]) -> int:
    for value in values:
        if value < 0:
            break
    return len(values)


def test_a_program_of_the_torch_dialect_has_the_same_graph_in_both() -> None:
    graphs = [str(minits.script(plain, dialect=name).graph) for name in ("torch", "extended")]
    assert graphs[0] == graphs[1]


def test_a_text_that_is_not_run_is_taken_too() -> None:
    text = SourceFile("loop.py", inspect.getsource(halving))
    function = read_text(text, "extended").functions["halving"]
    assert run(function.graph, 12) == halving(12)
