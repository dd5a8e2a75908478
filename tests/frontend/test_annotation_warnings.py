"""Annotations that name a dtype's class of tensors: they warn, at their own line."""

from __future__ import annotations

import warnings
from typing import Optional

import pytest
import torch

import minits


def longs(
    x: torch.LongTensor,
    y: Optional[torch.FloatTensor] = None,  # noqa: UP045
) -> torch.Tensor:
    return x + 1


def floats(x: torch.FloatTensor) -> torch.FloatTensor:
    return x + 1


def tensors(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def test_classes_of_one_dtype_warn() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        script = minits.script(longs)
        assert torch.equal(script(torch.ones(2)), torch.full((2,), 2.0))
    first = longs.__code__.co_firstlineno
    assert [(w.category, w.filename, w.lineno) for w in found] == [
        (UserWarning, __file__, first + 1),
        (UserWarning, __file__, first + 2),
    ]
    assert "a torch.FloatTensor may be of any dtype" in str(found[1].message)


def test_torch_warns_in_words_that_begin_alike() -> None:
    with pytest.warns(UserWarning) as theirs:
        torch.jit.script(floats)
    with pytest.warns(UserWarning) as ours:
        minits.script(floats)
    start = "TorchScript will treat type annotations of Tensor "
    assert any(str(each.message).startswith(start) for each in theirs)
    assert all(str(each.message).startswith(start) for each in ours)


def test_tensor_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minits.script(tensors)
