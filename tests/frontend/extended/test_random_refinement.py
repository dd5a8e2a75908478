"""Places that random programs test, change and use: Python's results, or refused."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.ir.verifier import verify
from tests.support.refinement_programs import make_program

STATES = [(None, None, True), (4, 5, False), (0, 7, True), (3, None, False)]
CALLS = [(0, None, True), (5, 2, False), (3, 0, True), (4, 7, True)]


def outcome(function: Any, call: tuple[Any, ...]) -> Any:
    """The result, or which of the errors that both raise was raised; others are raised again."""
    try:
        return function(*call)
    except (AssertionError, IndexError) as error:
        return type(error).__name__
    except RuntimeError as error:
        for name in ("AssertionError", "IndexError", "out of range"):
            if name in str(error):
                return name.replace("out of range", "IndexError")
        raise


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    "seeds", [range(start, start + 25) for start in range(0, 200, 25)], ids=str
)
def test_agrees_with_python(seeds: range, tmp_path: Path) -> None:
    accepted = 0
    for seed in seeds:
        program = make_program(seed, tmp_path)
        try:
            compiled = minits.script(program(None, None, True), dialect="extended")
        except minits.CompileError:
            continue
        accepted += 1
        verify(compiled.graph)
        for (a, b, flag), call in itertools.product(STATES, CALLS):
            expected = outcome(program(a, b, flag), call)
            compiled.a, compiled.b, compiled.xs, compiled.flag = a, b, [b, 2, a], flag
            assert outcome(compiled, call) == expected, (seed, (a, b, flag), call)
    assert accepted > len(seeds) // 3
