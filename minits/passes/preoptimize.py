"""Optimisation of a function before others inline it, as torch.jit does for `.inlined_graph`.

Before, in what calls `clip(x, None)`:
    %f : Function = prim::Constant[name="clip"]()
    %none : NoneType = prim::Constant()
    %y : Tensor = prim::CallFunction(%f, %x, %none)
After, of a `clip` that tests `low is None`:
    %f : Function = prim::Constant[name="clip"]()
    %none : NoneType = prim::Constant()
    %c : bool = aten::__is__(%low, %none)
    ...

A function's own graph is only inlined into; what it calls is simplified first, each for itself.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/inliner.cpp (`Inline`) and torch/csrc/jit/api/function_impl.cpp
(`preoptimizeGraph`).
"""

from __future__ import annotations

from typing import Any

from minits.internal_error import internal_errors
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.passes.context import Context
from minits.passes.inlining import Inliner
from minits.passes.pipeline import run_pipeline
from minits.recursion import deep_recursion


@internal_errors("inlining the calls of a graph")
@deep_recursion()
def inlined(graph: Graph) -> Graph:
    """Return a copy of a graph with all calls inlined, as torch.jit shows it."""
    copy = clone_graph(graph)
    Preoptimizer().visit(copy.block)
    return copy


class Preoptimizer(Inliner):
    """Inlines calls of what it has simplified; keeps the names of the calls' results."""

    def __init__(self) -> None:
        super().__init__(keep_names=True)

    def body(self, callee: Any) -> Graph:
        found = self.bodies.get(callee)
        if found is None:
            found = self.bodies[callee] = clone_graph(callee.graph)
            self.visit(found.block)
            run_pipeline(found, "preoptimize", Context(program=callee.short_name))
        return found
