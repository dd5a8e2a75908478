"""Inline all calls but those of submodules that have hooks, which are called as in Python.

Before, where `lin` has a hook:
    %block : Block = prim::GetAttr[name="block"](%self)
    %y : Tensor = prim::CallMethod[name="forward"](%block, %x)
After:
    %block : Block = prim::GetAttr[name="block"](%self)
    %lin : Linear = prim::GetAttr[name="lin"](%block)
    %y : Tensor = prim::CallMethod[name="forward", hooked=1](%lin, %x)

Such a call runs the hooks around `forward`, which has plans of its own. Of a module that is not
reached by names from the graph's own, as in a task, it is seen when it is called whether it has
hooks; so these calls stay as well. `self.lin.forward(x)` runs no hooks in Python either, and there
is no other way to call a module behind an interface.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from minits.ir.graph import Block, Graph, Node
from minits.ops.properties import FORKS
from minits.passes.inlining import Inliner, called_function, is_hooked
from minits.passes.specialization.module_flags import path_of
from minits.types import types as t


def keep_hooked_calls(graph: Graph, parts: Collection[str]) -> bool:
    """Leave calls of the submodules at these paths. Return whether the graph changed."""
    return bool(parts) and _Keeper(graph, parts).visit(graph.block)


class _Keeper(Inliner):
    """Inlines step by step, so that each call sees the way to its module from the graph's own."""

    def __init__(self, graph: Graph | None, parts: Collection[str]) -> None:
        super().__init__()
        self._graph = graph
        self._parts = parts

    def visit(self, block: Block) -> bool:
        changed = False
        node = block.end.next
        while node is not block.end:
            callee = called_function(node) if node.kind in self.kinds else None
            if not is_hooked(node) and self._stays(node):
                node.set_attr("hooked", "i", 1)
                changed = True
            elif callee is not None:
                before = node.prev
                self.inline(node, callee)
                node, changed = before, True
            for inner in node.blocks:
                changed |= self.visit(inner)
            if node.kind in FORKS:
                changed |= _Keeper(None, self._parts).visit(node["Subgraph"].block)
            node = node.next
        return changed

    def body(self, callee: Any) -> Graph:
        """Return the graph of a function, with its calls."""
        graph: Graph = callee.graph
        return graph

    def _stays(self, node: Node) -> bool:
        """Return whether a node calls a module that has hooks, or may have some."""
        module = node.inputs[0] if node.kind == "prim::CallMethod" else None
        if module is None or not isinstance(module.type, t.ClassType) or not module.type.is_module:
            return False
        if node["name"] not in module.type.forwards:
            return False
        if is_written_out(node):
            return False
        if self._graph is not None and module in self._graph.inputs:
            return False
        path = None if self._graph is None else path_of(self._graph, module.node)
        return path is None or ".".join(path) in self._parts


def is_written_out(call: Node) -> bool:
    """Return whether the program calls `forward` by its name: `self.lin.forward(x)`.

    Code of archives, `(self.lin).forward(x, )`, does not tell the two apart.
    """
    text = "" if call.range is None else call.range.text
    return text.endswith(".forward") and not text.startswith("(")
