"""Which operator a Python function is."""

from __future__ import annotations

import math
import types
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from minits.ops.builtins import find_builtin

NAMESPACES = (torch, torch._C._nn, torch._C._fft, torch._C._linalg, torch._C._special)
FROM_SOURCE = {"stft", "istft", "lu", "cdist", "norm", "unique", "unique_consecutive", "tensordot"}


def functions_of_c() -> Iterator[tuple[str, Any]]:
    for namespace in NAMESPACES:
        for name, value in vars(namespace).items():
            is_own = isinstance(value, types.BuiltinFunctionType) and value.__name__ == name
            if is_own and not name.startswith("__") and name not in FROM_SOURCE:
                yield name, value


def test_each_function_of_c_is_the_operator_of_its_name() -> None:
    found = list(functions_of_c())
    assert len(found) > 1000
    for name, function in found:
        operator = name.replace("_segment_reduce", "segment_reduce")
        assert find_builtin(function) == f"aten::{operator}"


def test_functions_of_torchs_table_are_its_operators() -> None:
    torch.jit._builtins._get_builtin_table()
    for function, operator in torch.jit._builtins._builtin_ops:
        if torch._C._jit_get_schemas_for_operator(operator):
            assert find_builtin(function) == operator, function


@pytest.mark.parametrize(
    ("function", "operator"),
    [
        (math.sqrt, "aten::sqrt"),
        (math.remainder, "aten::mathremainder"),
        (torch.overrides.has_torch_function_unary, "aten::has_torch_function"),
        (torch._VF.stft, "aten::stft"),
        (torch._C._VariableFunctions.einsum, "aten::einsum"),
        (torch.jit.wait, "aten::wait"),
        (torch.ops.aten.add, "aten::add"),
        (torch.special.expit, "aten::special_expit"),
        (F.gelu, "aten::gelu"),
        (dict, "aten::dict"),
        (F.relu, None),
        (torch.stft, None),
        (torch.einsum, "aten::einsum"),
        (torch.no_grad, None),
        (len, None),
    ],
)
def test_other_functions(function: Any, operator: str | None) -> None:
    assert find_builtin(function) == operator


def test_what_somebody_binds_to_a_name_is_no_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    original = torch.relu

    def relu(x: torch.Tensor) -> torch.Tensor:
        return original(x)

    monkeypatch.setattr(torch, "relu", relu)
    assert find_builtin(relu) is None
    assert find_builtin(original) == "aten::relu"
