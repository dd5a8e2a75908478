"""Choosing the loops of a plan that run as C, where the plan as a whole cannot.

A loop is marked if it can be printed for tensors like those of the plan; else the loops in it are
tried. What it is printed for again is decided by each call (`loop.py`). Attributes that a loop
reads, and nothing in it sets, are read before it.
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.native_loops import mark, outlined
from minits.ir.walks import all_nodes
from minits.native.c_types import NotNative
from minits.native.element_operators import READERS
from minits.native.elements import Kind
from minits.native.printer import FunctionPrinter
from minits.passes.remarks import Remark, passed
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

_MAY_SET = frozenset(
    ("prim::SetAttr", "prim::CallMethod", "prim::CallFunction", "prim::PythonOp", "prim::fork",
     "prim::awaitable", "aten::wait", "prim::Enter", "prim::Exit")
)  # fmt: skip
"""Nodes that may set attributes, by what they run."""


def mark_native_loops(graph: Graph, metas: Mapping[Value, TensorMeta]) -> list[Remark]:
    """Mark the loops of a graph that can be C. Return a remark on each.

    metas: what is certain of tensors in all calls.
    """
    return [
        passed(loop, "native", "the loop runs as C, once calls have shown that it takes its time")
        for loop in _marked(graph.block, metas)
    ]


def _marked(block: Block, metas: Mapping[Value, TensorMeta]) -> list[Node]:
    found = []
    for node in block.nodes:
        if node.kind == "prim::Loop":
            _read_attributes_before(node)
            if _is_native(node, metas):
                mark(node)
                found.append(node)
                continue
        for inner in node.blocks:
            found += _marked(inner, metas)
    return found


def _read_attributes_before(loop: Node) -> None:
    """Move what reads attributes out of a loop, unless something in it may set them."""
    inner = [node for block in loop.blocks for node in all_nodes(block)]
    if not _MAY_SET.isdisjoint({node.kind for node in inner}):
        return
    for node in inner:
        if node.kind == "prim::GetAttr" and not _is_within(node.inputs[0], loop):
            node.move_before(loop)


def _is_within(value: Value, loop: Node) -> bool:
    """Return whether a value is defined in a loop."""
    outer = value.node.owner.owning_node
    while outer is not None and outer is not loop:
        outer = outer.owner.owning_node
    return outer is loop


def _is_native(loop: Node, metas: Mapping[Value, TensorMeta]) -> bool:
    graph, outer = outlined(loop)
    kinds: list[Kind | None] = []
    for value in outer:
        meta = metas.get(value)
        if meta is not None and meta.device.type != "cpu":
            return False
        kinds.append(None if meta is None else Kind(meta.dtype, len(meta.shape)))
    if any(v.type == t.TENSOR and kind is None for v, kind in zip(outer, kinds, strict=True)):
        return False
    printer = FunctionPrinter(graph, "loop", kinds, is_part=True)
    try:
        printer.text()
    except NotNative:
        return False
    return all(_is_only_read(loop.outputs[index]) for index in printer.views)


def _is_only_read(value: Value) -> bool:
    """Return whether all that is done with an element is to compute with it.

    Elsewhere it would matter that it is a view.
    """
    return all(use.user.kind in READERS for use in value.uses)
