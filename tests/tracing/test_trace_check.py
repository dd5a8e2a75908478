"""Checking traces: another graph and other constants are errors, other results are told."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch.nn import functional as F

import minits


def by_rank(x: torch.Tensor) -> torch.Tensor:
    if x.dim() > 1:
        return x.sum(1)
    return x * 2


def test_another_graph_is_told_with_the_line() -> None:
    with pytest.raises(minits.TracingCheckError) as caught:
        minits.trace(by_rank, torch.ones(2), check_inputs=[torch.ones(2, 2)])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "TS827"
    assert diagnostic.range is not None
    assert diagnostic.range.begin.line == by_rank.__code__.co_firstlineno + 3
    (difference, place) = diagnostic.notes
    assert "-  %2 : Tensor = aten::mul(%0, %1)" in difference.message
    assert "+" in difference.message and "aten::sum" in difference.message
    assert place.range is not None
    assert place.range.begin.line == by_rank.__code__.co_firstlineno + 2


@pytest.mark.parametrize("longer", [1, 2])
def test_a_graph_that_goes_on_behind_the_other_is_told_with_the_line(longer: int) -> None:
    calls = itertools.count(1)

    def program(x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        return y.relu() if next(calls) == longer else y

    with pytest.raises(minits.TracingCheckError) as caught:
        minits.trace(program, torch.ones(2))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.range is not None
    assert diagnostic.range.begin.line == program.__code__.co_firstlineno + 2


def test_another_graph_of_a_module_is_told() -> None:
    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return x + self.calls

    with pytest.raises(minits.TracingCheckError, match="Constant nodes differed in value"):
        minits.trace(Net(), torch.ones(2))


def test_other_constants_are_told() -> None:
    tables = iter([torch.ones(20), torch.zeros(20)])
    with pytest.raises(minits.TracingCheckError, match="Constant nodes differed in value"):
        minits.trace(lambda x: x + next(tables), torch.ones(20))


def test_random_results_are_told() -> None:
    with pytest.warns(minits.TracerWarning, match=r"nondeterministic nodes:\n.*aten::dropout"):
        minits.trace(lambda x: F.dropout(x, 0.5), torch.ones(100))


def test_another_dtype_is_told() -> None:
    dtypes = iter([torch.float32, torch.float32, torch.float64])
    with pytest.warns(minits.TracerWarning, match="dtype torch.float32, not torch.float64"):
        minits.trace(lambda x: x.view(2).to(next(dtypes)), torch.ones(2))


def test_the_tolerance_decides() -> None:
    scale = iter([1.0, 1.0, 1.001, 1.0, 1.0, 1.001])

    def program(x: torch.Tensor) -> torch.Tensor:
        return (
            x * torch.full((), next(scale)).detach() if torch.jit.is_tracing() else x * next(scale)
        )

    with pytest.warns(
        minits.TracerWarning,
        match="Output nr 1. .* does not match the corresponding output of the Python",
    ):
        minits.trace(program, torch.ones(3))
    minits.trace(program, torch.ones(3), check_tolerance=0.1)


def test_checking_leaves_inputs_alone() -> None:
    x = torch.ones(3)
    minits.trace(lambda x: x.add_(1), x)
    assert x.tolist() == [2, 2, 2]  # by the one run that was recorded
