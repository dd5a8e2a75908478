"""Views and attributes that do not change are taken out of loops, and nothing else is."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.ir.verifier import verify
from minits.passes.hoist_views import hoist_views
from minits.passes.preoptimize import inlined
from minits.passes.shape_propagation.propagate import infer_metadata


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4))
        self.count = 0

    def forward(self, x: Tensor, n: int) -> Tensor:
        for i in range(n):
            x = torch.mm(x, self.weight.t()) + self.weight.transpose(0, 1)[i]
        return x

    @torch.jit.export
    def counts(self, n: int) -> int:
        total = 0
        for _ in range(n):
            self.count += 1
            total += self.count
        return total


def kinds_inside(graph: object) -> list[str]:
    (loop,) = [node for node in graph.all_nodes() if node.kind == "prim::Loop"]  # type: ignore[attr-defined]
    return [node.kind for node in loop.blocks[0].nodes]


def test_views_of_weights_leave_the_loop() -> None:
    module = Recurrent()
    compiled = minits.script(module)
    graph = inlined(compiled.graph)
    x = torch.randn(4, 4)
    assert hoist_views(graph, infer_metadata(graph, [compiled, x, 3]))
    verify(graph)
    inside = kinds_inside(graph)
    assert "aten::mm" in inside
    assert not {"prim::GetAttr", "aten::t", "aten::transpose"}.intersection(inside)
    for n in (0, 1, 3):
        torch.testing.assert_close(compiled(x, n), module(x, n))


def test_attributes_that_are_set_stay() -> None:
    compiled = minits.script(Recurrent())
    graph = inlined(compiled.counts.graph)
    hoist_views(graph, infer_metadata(graph, [compiled, 3]))
    assert "prim::GetAttr" in kinds_inside(graph)
    assert compiled.counts(3) == 6


def of_any_rank(x: Tensor, n: int) -> Tensor:
    y = x
    for _ in range(n):
        y = y + x.t()
    return y


def test_a_view_that_raises_stays_in_its_loop() -> None:
    compiled = minits.script(of_any_rank)
    cube = torch.randn(2, 2, 2)
    assert torch.equal(compiled(cube, 0), cube)
    with pytest.raises(RuntimeError, match="t\\(\\) expects"):
        compiled(cube, 1)
    square = torch.randn(3, 3)
    torch.testing.assert_close(compiled(square, 2), of_any_rank(square, 2))


def writes(x: Tensor, w: Tensor, n: int) -> Tensor:
    w = w.clone()
    for _ in range(n):
        x = torch.mm(x, w.t())
        w.mul_(2)
    return x


def test_what_is_written_shows_in_the_view() -> None:
    compiled = minits.script(writes)
    x, w = torch.randn(3, 3), torch.randn(3, 3)
    torch.testing.assert_close(compiled(x, w, 3), writes(x, w, 3))
