"""Inline calls of functions and methods.

Before:
    %f : Function = prim::Constant[name="double"]()
    %y : Tensor = prim::CallFunction(%f, %x)
After:
    %two : int = prim::Constant[value=2]()
    %y : Tensor = aten::mul(%x, %two)

Nodes that were inlined keep their ranges and remember the calls that brought them here.

Source: torch/csrc/jit/passes/inliner.cpp.
"""

from __future__ import annotations

from typing import Any

from minits.ir.copying import clone_graph, clone_node
from minits.ir.graph import Block, Graph, Node, Value
from minits.ops.native_methods import BoundFunction
from minits.types import types as t


def inline_calls(graph: Graph) -> bool:
    """Inline all calls, also those in what is inlined. Return whether the graph changed."""
    return Inliner().visit(graph.block)


def inline_functions(graph: Graph) -> bool:
    """Inline calls of functions; methods, of which modules of one type share the code, stay."""
    return Inliner(("prim::CallFunction",)).visit(graph.block)


class Inliner:
    """Inlines calls of some kinds. What a function becomes is kept: it may be called again.

    `keep_names` gives what is inlined the names of the calls' results.
    """

    def __init__(
        self,
        kinds: tuple[str, ...] = ("prim::CallFunction", "prim::CallMethod"),
        *,
        keep_names: bool = False,
    ) -> None:
        self.kinds = kinds
        self.keep_names = keep_names
        self.bodies: dict[Any, Graph] = {}

    def visit(self, block: Block) -> bool:
        """Inline the calls in a block and in the blocks of its nodes. Return whether it changed."""
        changed = False
        node = block.end.next
        while node is not block.end:
            following = node.next
            callee = called_function(node) if node.kind in self.kinds else None
            if callee is not None:
                self.inline(node, callee)
                changed = True
            else:
                for inner in node.blocks:
                    changed |= self.visit(inner)
            node = following
        return changed

    def inline(self, call: Node, callee: Any) -> None:
        """Replace a call by the body of what it calls."""
        first_argument = 1 if call.kind == "prim::CallFunction" else 0
        results = _insert(call, callee, self.body(callee), call.inputs[first_argument:])
        for output, result in zip(call.outputs, results, strict=True):
            if self.keep_names and output.has_name:
                result.set_name(output.name)
            output.replace_all_uses_with(result)
        call.destroy()

    def body(self, callee: Any) -> Graph:
        found = self.bodies.get(callee)
        if found is None:
            found = self.bodies[callee] = clone_graph(callee.graph)
            self.visit(found.block)
        return found


def called_function(node: Node) -> Any:
    """Return the compiled function that a call node calls, or None."""
    if node.kind == "prim::CallFunction":
        type_ = node.inputs[0].type
        assert isinstance(type_, t.FunctionType)
        return None if isinstance(type_.function, BoundFunction) else type_.function
    if node.kind == "prim::CallMethod" and not is_hooked(node):
        type_ = node.inputs[0].type
        if isinstance(type_, t.ClassType) and not (type_.is_interface or type_.is_bound):
            return type_.methods[node["name"]]
    return None


def is_hooked(node: Node) -> bool:
    """Return whether a call of a module runs its hooks, as in Python (`hooked_calls.py`)."""
    return "hooked" in node.attributes


def _insert(call: Node, callee: Any, body: Graph, arguments: list[Value]) -> list[Value]:
    """Insert a body before a call; return what it computes."""
    graph = call.graph
    frame = (callee.name, call.range)
    local: dict[Value, Value] = dict(zip(body.inputs, arguments, strict=True))
    for node in body.nodes:
        copy = clone_node(graph, node, local.__getitem__).insert_before(call)
        _add_frame(copy, (*call.callstack, frame))
        local.update(zip(node.outputs, copy.outputs, strict=True))
    return [local[result] for result in body.outputs]


def _add_frame(node: Node, frames: tuple[Any, ...]) -> None:
    node.callstack = (*frames, *node.callstack)
    for block in node.blocks:
        for inner in block.nodes:
            _add_frame(inner, frames)
