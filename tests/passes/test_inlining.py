"""Inlining of functions and methods, against torch's inlined graphs."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.ir.graph import Graph
from minits.ir.verifier import verify
from minits.runtime.interpreter import run
from tests.support.from_torch import graph_from_torch


def doubled(x: Tensor) -> Tensor:
    return x * 2


def twice(x: Tensor, n: int = 1) -> Tensor:
    return doubled(doubled(x)) + n


def calls_in_blocks(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = twice(x, i) if i > 1 else doubled(x)
    return x


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def by(self, x: Tensor) -> Tensor:
        return x * self.weight

    def forward(self, x: Tensor) -> Tensor:
        return doubled(self.by(x))


class Both(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scale()
        self.second = Scale()

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))


def operations(graph: Graph) -> list[str]:
    """The nodes in order, but for constants: torch pools those of each callee."""
    return [
        f"{node.kind} {str(node.range).rpartition('/')[2]}"
        for node in graph.all_nodes()
        if node.kind != "prim::Constant"
    ]


@pytest.mark.parametrize("program", [twice, calls_in_blocks, Scale(), Both()])
def test_same_operations_as_torch(program: Any) -> None:
    ours = minits.script(program).inlined_graph
    verify(ours)
    theirs = graph_from_torch(torch.jit.script(program).inlined_graph)
    assert operations(ours) == operations(theirs)
    assert not any(node.kind.startswith("prim::Call") for node in ours.all_nodes())


@pytest.mark.parametrize("arguments", [(torch.ones(2), 3), (torch.ones(2), 0)])
def test_same_result(arguments: tuple[Any, ...]) -> None:
    ours = minits.script(calls_in_blocks).inlined_graph
    assert torch.equal(run(ours, *arguments), calls_in_blocks(*arguments))


def test_the_callee_is_not_changed() -> None:
    function = minits.script(twice)
    before = str(function.graph)
    assert str(function.inlined_graph) != before
    assert str(function.graph) == before


def test_nodes_remember_the_calls() -> None:
    graph = minits.script(calls_in_blocks).inlined_graph
    stacks = {
        tuple(name for name, _ in node.callstack)
        for node in graph.all_nodes()
        if node.kind == "aten::mul"
    }
    assert stacks == {("doubled",), ("twice", "doubled")}
    (range_,) = {
        str(node.callstack[0][1]).rpartition("/")[2]
        for node in graph.all_nodes()
        if node.kind == "aten::mul" and len(node.callstack) == 2
    }
    assert range_.startswith("test_inlining.py:")
