"""Slices of the whole go where nothing can tell; subscripts mean what torch.jit says."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.graph import Graph
from minits.ir.verifier import verify
from minits.passes.fusion.known_slices import skip_slices_of_known
from minits.passes.pipeline import run_pipeline
from minits.passes.preoptimize import inlined
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.passes.whole_slices import skip_whole_slices

RANKS = (torch.arange(3.0), torch.rand(3, 4), torch.rand(3, 4, 2), torch.tensor(2.0))
SUBSCRIPTS = [
    ", ".join(items)
    for length in (1, 2, 3)
    for items in itertools.product((":", "0", "1:n", ":-1", "i", "None"), repeat=length)
    if length < 3 or ":" in items
]


def program(subscript: str) -> str:
    return f"""
def f(x, n: int, i: int):
    return x[{subscript}]
def g(x, n: int, i: int):
    x[{subscript}].mul_(2)
    return x[{subscript}] + 1, x
"""


def slices(graph: Graph) -> int:
    return len(graph.nodes_of_kind("aten::slice"))


def outcome(function: object, x: Tensor, n: int, i: int) -> object:
    """Values, strides and place in memory of what a call returns, or that it fails."""
    given = x.clone()
    try:
        result = function(given, n, i)  # type: ignore[operator]
    except (IndexError, RuntimeError):  # torch.jit raises the second for the first
        return IndexError
    views = result if isinstance(result, tuple) else (result,)
    return [
        (view.tolist(), view.stride(), view.storage_offset(), view.data_ptr() == given.data_ptr())
        for view in (*views, given)
    ]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("start", range(8))
def test_subscripts_mean_what_torch_jit_says(start: int) -> None:
    for subscript in SUBSCRIPTS[start::8]:
        ours, theirs = (kind(program(subscript)) for kind in (
            minits.CompilationUnit, torch.jit.CompilationUnit))  # fmt: skip
        for name, x, (n, i) in itertools.product("fg", RANKS, ((2, 1), (-1, -1), (9, 7))):
            expected = outcome(getattr(theirs, name), x, n, i)
            for _ in range(2):
                assert outcome(getattr(ours, name), x, n, i) == expected, (subscript, name, x.shape)


def test_a_slice_before_a_later_dimension_goes() -> None:
    @minits.script
    def taken(x: Tensor, mask: Tensor) -> Tensor:
        return x[:, :, 0] + x[:, 1:2, :, 0] + x[:, mask]

    graph = inlined(taken.graph)
    assert slices(graph) == 6
    assert skip_whole_slices(graph)
    run_pipeline(graph, "dce")
    verify(graph)
    assert slices(graph) == 1  # 1:2


def test_the_last_slice_goes_where_the_rank_is_known() -> None:
    @minits.script
    def doubled(x: Tensor) -> Tensor:
        return x[:, 0, :] * 2

    graph = inlined(doubled.graph)
    skip_whole_slices(graph)
    assert skip_slices_of_known(graph, infer_metadata(graph, [torch.rand(2, 3, 4)], certain=True))
    run_pipeline(graph, "dce")
    verify(graph)
    assert slices(graph) == 0


def test_a_slice_that_is_returned_or_written_to_stays() -> None:
    @minits.script
    def kept(x: Tensor) -> tuple[Tensor, Tensor]:
        y = x[:]
        x[:].t_()
        return y, x[:].contiguous()

    x = torch.rand(2, 2)
    graph = inlined(kept.graph)
    assert not skip_slices_of_known(graph, infer_metadata(graph, [x], certain=True))
    assert slices(graph) == 3
    for _ in range(3):
        y, z = kept(x)
        assert y is not x
        assert z is not x
        assert torch.equal(y, x)


def test_slices_of_a_line_are_one_subscript() -> None:
    @minits.script
    def window(x: Tensor, n: int) -> Tensor:
        return x[1:n, :, ::2]

    text = minits.codegen.python.python_source(window.graph, "window")
    assert "x[1:n, :, ::2]" in text
