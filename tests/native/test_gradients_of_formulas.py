"""Gradients through operators that are written by others, beside torch's own."""

from __future__ import annotations

import contextlib
import ctypes
from itertools import product
from typing import Any

import pytest
import torch

from tests.support.formulas import CASES, eager_of, native_of
from tests.support.needs import need_compiler

need_compiler()


@pytest.mark.one_in(30)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("key", sorted(CASES))
@pytest.mark.filterwarnings("ignore:")
def test_gradients_of_a_formula_are_those_of_the_operator(key: str) -> None:
    """So are their errors, where a tensor was written to that an operator has kept for them.

    A formula that does not see to that refuses calls that record gradients.
    """
    for arguments in _of_floats(CASES[key]):
        tensors = [x for x in arguments if isinstance(x, torch.Tensor)]
        native, eager = native_of(key, arguments), eager_of(key, arguments)
        places = range(len(tensors))
        for needs in product((False, True), repeat=len(tensors)):
            for written in (None, "result", *places):
                try:
                    found = _gradients(native, tensors, needs, written)
                except ctypes.ArgumentError:
                    continue
                wanted = _gradients(eager, tensors, needs, written)
                told = f"{key}, {arguments}, {needs}, {written}: {wanted}, {found}"
                assert type(wanted) is type(found), told
                torch.testing.assert_close(found, wanted, equal_nan=True, msg=told)


def _of_floats(cases: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the cases of float32, one of each choice of numbers, at most 12."""
    chosen: dict[str, tuple[Any, ...]] = {}
    for case in cases:
        tensors = [x for x in case if isinstance(x, torch.Tensor)]
        numbers = repr([None if isinstance(x, torch.Tensor) else x for x in case])
        if any(x.dtype is torch.float32 for x in tensors) and all(
            x.numel() and x.dtype in (torch.float32, torch.int64) for x in tensors
        ):
            chosen.setdefault(numbers, case)
    return list(chosen.values())[:12]


def _gradients(
    call: Any, tensors: list[torch.Tensor], needs: tuple[bool, ...], written: int | str | None
) -> Any:
    """Return what a result's gradients are when an operand or the result was written to.

    Return None where the call or they raise, nothing where the result needs none.
    """
    given = [
        x.clone().requires_grad_(need and x.is_floating_point())
        for x, need in zip(tensors, needs, strict=True)
    ]
    leaves = [x for x in given if x.requires_grad]
    used = [x * 1 for x in given]
    try:
        result = call(*used)
        if not (leaves and result.requires_grad):
            return ()
        with torch.no_grad():
            if written is not None:
                (result if written == "result" else used[int(written)]).mul_(1)
        return torch.autograd.grad(result.sum(), leaves, allow_unused=True)
    except (RuntimeError, IndexError):
        return None


@pytest.mark.parametrize(
    ("key", "numbers", "refuses"),
    [
        ("aten::pow.Tensor_Scalar", (2,), False),
        ("aten::pow.Tensor_Scalar", (3,), True),
        ("aten::elu", (1, 1, 1), True),
    ],
)
def test_only_some_refuse_calls_that_record(key: str, numbers: tuple[int], refuses: bool) -> None:
    x = torch.ones(3, requires_grad=True)
    native = native_of(key, (x, *numbers))
    with pytest.raises(ctypes.ArgumentError) if refuses else contextlib.nullcontext():
        native(x)
    with torch.no_grad():
        native(x)
