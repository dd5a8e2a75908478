"""Traced functions, and archives of them, that are called while another trace runs."""

import io
from typing import Any

import pytest
import torch
from torch import nn

import minits
from conformance.case import Case, find_cases
from conformance.fuzz.language.programs import copied


def of_functions() -> list[Case]:
    """Return the cases of traces whose program is a function, but for that of random numbers."""
    found = []
    for case in find_cases(chapter="tracing"):
        program = getattr(case.load().module, "program", None)
        if callable(program) and not isinstance(program, nn.Module):
            found += [case] if case.name != "tracing/random_numbers" else []
    return found


class CallsThreeTimes(nn.Module):
    """The first call runs as it was written; later ones have a plan, which is made in the trace."""

    def __init__(self, called: Any) -> None:
        super().__init__()
        self.called = called

    def forward(self, *arguments: Any) -> Any:
        self.called(*copied(arguments))
        self.called(*copied(arguments))
        return self.called(*arguments)


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("loads", [False, True], ids=["traced", "loaded"])
@pytest.mark.parametrize("case", of_functions(), ids=lambda case: case.name)
def test_calls_of_traces(case: Case, loads: bool) -> None:
    program = case.load()
    arguments = program.calls()[0].args
    is_strict = getattr(program.module, "options", dict)().get("strict", True)
    options = {"strict": is_strict, "check_trace": False}
    traced = minits.trace(program.module.program, copied(arguments), **options)
    called = minits.load(io.BytesIO(traced.save_to_buffer())) if loads else traced
    outer = minits.trace(CallsThreeTimes(called), copied(arguments), **options)
    torch.testing.assert_close(outer(*copied(arguments)), traced(*copied(arguments)))
