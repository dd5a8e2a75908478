"""Operators whose in-place form saves its result are those that eager says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from minits.ir.in_place_forms import SAVE_THEIR_RESULT
from minits.kernels.lowering import LOWERINGS

KINDS = sorted(kind for kind in LOWERINGS if hasattr(torch.ops.aten, f"{kind[6:]}_"))
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (torch.full((3,), 0.5),), (0.5,), (0.1, 0.7), (2,))


def saves_result(function: Callable[..., Tensor], *arguments: Any) -> bool:
    saved = []
    x = torch.full((3,), 0.3, requires_grad=True).clone()
    with saved_tensors_hooks(lambda tensor: saved.append((tensor, x._version)), lambda _: x):
        result = function(x, *arguments)
    memory = result.untyped_storage()._cdata
    return any(
        tensor.untyped_storage()._cdata == memory and (result is not x or version == x._version)
        for tensor, version in saved
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_in_place_forms_save_what_the_others_save(kind: str) -> None:
    name = kind.removeprefix("aten::")
    tried = []
    for arguments in ARGUMENTS:
        try:
            plain = saves_result(getattr(torch.ops.aten, name), *arguments)
            written = saves_result(getattr(torch.ops.aten, f"{name}_"), *arguments)
        except (RuntimeError, TypeError, IndexError):
            continue
        tried.append(written and not plain)
    assert any(tried) == (kind in SAVE_THEIR_RESULT)
