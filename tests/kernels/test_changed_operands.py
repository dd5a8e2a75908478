"""What is changed in place is an error of gradients where eager has one, and nowhere else.

No kernels are built: what they compute does not matter here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import minits
from minits.kernels.cpu.building import Entry
from minits.kernels.cpu.cpu_kernel import CpuKernel
from tests.kernels.changed_operands import CHANGES, MADE, OPERATORS, arguments, outcomes, parts


@pytest.fixture(autouse=True)
def empty_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Launch nothing: results are what is in memory."""

    def nothing(*arguments: Any) -> Entry:
        return Entry(lambda packed: 0, "", "")

    monkeypatch.setattr(CpuKernel, "_function", nothing)
    monkeypatch.setattr(CpuKernel, "unbuilt", lambda *arguments: None)


@pytest.mark.one_in(60)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", range(len(OPERATORS)), ids=OPERATORS)
def test_changes_are_errors_where_eager_has_them(number: int) -> None:
    operator, made = OPERATORS[number], number % len(MADE["a"])
    program, targets = parts(operator, made, CHANGES[number % len(CHANGES)])
    if not _runs(program):  # a result that is a number has no parts
        program, targets = parts(operator, made, CHANGES[0])
    script = minits.script(program)
    for grads in ("xyzv", "y"):
        expected = outcomes(program, len(targets), grads)
        found = outcomes(script, len(targets), grads)
        assert dict(zip(targets, found, strict=True)) == dict(zip(targets, expected, strict=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_changes_of_complex_numbers_are_errors_where_eager_has_them() -> None:
    """Of the operators that take complex numbers."""
    count = 0
    for number, operator in enumerate(OPERATORS):
        program, targets = parts(operator, number % len(MADE["a"]), CHANGES[0])
        try:
            expected = outcomes(program, len(targets), "xyzv", torch.complex64)
        except (RuntimeError, TypeError):
            continue
        count += 1
        script = minits.script(program)
        for _ in range(2):
            assert outcomes(script, len(targets), "xyzv", torch.complex64) == expected, operator
    assert count > 100


def _runs(program: Callable[..., Any]) -> bool:
    try:
        program(*arguments(""))
    except (RuntimeError, IndexError):
        return False
    return True
