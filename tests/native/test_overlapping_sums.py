"""Sums in place, in C, of tensors that share memory, or lie next to each other.

torch refuses to write to one tensor while it reads another that shares a part of its memory, where
it can tell so by their sizes and strides. What eager computes where it cannot is left open.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.support.native_loops import compiled
from tests.support.needs import need_c_interface

need_c_interface()

VIEWS = {
    "first": lambda x: x[:4],
    "next": lambda x: x[4:8],
    "shifted": lambda x: x[1:5],
    "even": lambda x: x[:8:2],
    "odd": lambda x: x[1:9:2],
    "matrix": lambda x: x[3:].view(3, 3),
    "transposed": lambda x: x[3:].view(3, 3).t(),
    "rows": lambda x: x[3:].view(3, 3)[1:],
    "columns": lambda x: x[3:].view(3, 3)[:, 1:],
    "overlapping": lambda x: x.as_strided((3, 3), (1, 1)),
    "permuted": lambda x: x.view(2, 2, 3).permute(2, 0, 1),
    "other sizes": lambda x: x.view(3, 2, 2),
    "number": lambda x: x[0],
    "empty": lambda x: x[:0],
}


def add(a: Tensor, b: Tensor) -> Tensor:
    a.add_(b)
    return a


def subtract(a: Tensor, b: Tensor) -> Tensor:
    a.sub_(b, alpha=2)
    return a


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", ["float32", "uint8", "complex64"])
@pytest.mark.parametrize("program", [add, subtract])
def test_the_same_is_refused_and_each_change_is_counted_once(
    program: Any, dtype: str, monkeypatch: Any
) -> None:
    native = compiled(program, "now", monkeypatch)
    for one, other in itertools.product(VIEWS, VIEWS):
        seen = []
        for function in (program, native):
            x = torch.arange(12).to(getattr(torch, dtype))
            try:
                function(VIEWS[one](x), VIEWS[other](x))
            except RuntimeError as error:
                seen.append((str(error).strip().splitlines()[-1][-40:], x._version))
            else:
                seen.append(("", x._version))
        assert seen[0] == seen[1], f"{one}, {other}"
    x, expected = torch.arange(12.0), torch.arange(12.0)
    native(x[:4], x[4:8])
    program(expected[:4], expected[4:8])
    assert torch.equal(x, expected)
