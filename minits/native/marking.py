"""Choosing the loops of a plan that run as C, where the plan as a whole cannot.

A loop is marked if it can be printed for tensors like those of the plan; else the loops in it are
tried. What it is printed for again is decided by each call (`loop.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.native_loops import mark, outlined
from minits.native.c_types import NotNative
from minits.native.elements import Kind
from minits.native.printer import FunctionPrinter
from minits.passes.remarks import Remark, passed
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta


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
        if node.kind == "prim::Loop" and _is_native(node, metas):
            mark(node)
            found.append(node)
            continue
        for inner in node.blocks:
            found += _marked(inner, metas)
    return found


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
    try:
        FunctionPrinter(graph, "loop", kinds, is_part=True).text()
    except NotNative:
        return False
    return True
