"""Operators that are written by others, each formula compared with torch's own operator."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch

import minits
from minits.native.activations import ACTIVATIONS
from minits.native.decompositions import FORMULAS
from minits.native.function import NativeFunction
from tests.support.formulas import CASES, OF_PROGRAMS, eager_of, native_of
from tests.support.needs import need_compiler
from tests.support.strides import in_orders

need_compiler()


def test_all_formulas_are_compared() -> None:
    assert {*CASES} | OF_PROGRAMS == {*FORMULAS, *ACTIVATIONS}


def test_a_range_is_on_the_device_that_the_program_computes() -> None:
    def ranges(x: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return (
            torch.arange(n, device=x.device),
            torch.arange(1, n, device=x.device, dtype=x.dtype),
            torch.arange(0.5, n, 0.25, device=x.device),
        )

    native = NativeFunction(minits.script(ranges).graph, "ranges")
    x = torch.ones(2, dtype=torch.float16)
    torch.testing.assert_close(native(x, 5), ranges(x, 5), rtol=0, atol=0)


def test_a_norm_warns_of_nothing() -> None:
    def norms(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return torch.norm(x), torch.norm(x, p=2, dim=1), torch.linalg.vector_norm(x, dim=[0, 1])

    graph = minits.script(norms).graph_after(["optimize"])
    native, x = NativeFunction(graph, "norms"), torch.ones(2, 8)
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            torch.testing.assert_close(native(x), norms(x))
    finally:
        torch.set_warn_always(before)


def _outcome(call: Any, tensors: list[torch.Tensor]) -> Any:
    given = [x.clone() for x in tensors]
    try:
        return call(*given), given
    except (RuntimeError, IndexError):
        return None


@pytest.mark.one_in(30)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted(CASES))
@pytest.mark.filterwarnings("ignore:")
def test_a_formula_is_the_operator(key: str) -> None:
    functions: dict[str, NativeFunction] = {}
    for arguments in in_orders(CASES[key]):
        tensors = [x for x in arguments if isinstance(x, torch.Tensor)]
        numbers = repr([None if isinstance(x, torch.Tensor) else x for x in arguments])
        if numbers not in functions:
            functions[numbers] = native_of(key, arguments)
        wanted = _outcome(eager_of(key, arguments), tensors)
        found = _outcome(functions[numbers], tensors)
        told = (key, arguments, wanted, found)
        assert (wanted is None) == (found is None), told
        if wanted is not None:
            assert found[0].dtype == wanted[0].dtype, told
            assert found[0].stride() == wanted[0].stride(), told
            torch.testing.assert_close(found, wanted, equal_nan=True, msg=lambda m: f"{told}\n{m}")
