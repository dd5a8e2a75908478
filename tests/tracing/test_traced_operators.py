"""The sweep of operators: it finds wrong traces, and a few operators and modules are right."""

from __future__ import annotations

import pytest
import torch

from conformance.tracing import modules, operators
from conformance.tracing.compare import difference_of_frozen
from conformance.tracing.operators import Program, check
from minits.tracing import arguments

OPERATORS = (
    "add", "matmul", "sum", "cat", "split", "max.reduction_with_dim", "nn.functional.conv2d",
    "nn.functional.pad.constant", "__getitem__", "narrow", "view", "linalg.norm", "zeros_like",
    "nn.functional.batch_norm", "nn.functional.adaptive_max_pool3d", "to_sparse", "einsum",
)  # fmt: skip
MODULES = ("Linear", "LSTM", "LSTMCell", "Conv2d", "BatchNorm1d", "Bilinear")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_torchs(name: str) -> None:
    checked(next(iter(operators.programs([name], 2)))[1])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_torchs(name: str) -> None:
    checked(next(iter(modules.programs([name], 2)))[1])


@pytest.mark.parametrize("name", ["Linear", "LSTM", "Softsign", "GaussianNLLLoss", "LPPool2d"])
def test_a_module_that_is_frozen_is_torchs(name: str) -> None:
    (_, programs), *_ = modules.programs([name], 2)
    told = [difference_of_frozen(program.make, program.inputs) for program in programs]
    assert None in told
    assert [fault for fault in told if fault] == []


def checked(programs: list[Program]) -> None:
    told = [check(program) for program in programs]
    assert None in told
    assert [fault for fault in told if fault] == []


def test_a_wrong_trace_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arguments, "wrapped_number", torch.tensor)
    programs = next(iter(operators.programs(["add"], 4)))[1]
    real = operators.Program("add", lambda: lambda x: x + 1.5, programs[0].inputs[:1])
    assert "Double" in (check(real) or "")
