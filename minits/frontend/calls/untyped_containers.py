"""Empty lists and dicts that hold tensors by default, because they have no annotation.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitSimpleExpr`), where `[]` is a `List[Tensor]`.
"""

from __future__ import annotations

from typing import Any

from minits.frontend.calls.hints import annotated_there
from minits.ir.graph import Node, Value
from minits.types import types as t
from minits.types.types import Type


def annotation_of_empty(value: Any, wanted: Type) -> str | None:
    """Return the hint to annotate the empty container that `value` is; None if it is none."""
    if not isinstance(value, Value) or value.type not in _OF_TENSORS:
        return None
    stores = stores_of(value)
    made = [store.input.node for store in stores]
    if not any(node.kind in _MADE_EMPTY and not node.inputs for node in made):
        return None
    display = "{}" if isinstance(wanted, t.DictType) else "[]"
    return annotated_there(stores[0]["name"], wanted, display, made=True)


_OF_TENSORS = (t.ListType(t.TENSOR), t.DictType(t.STR, t.TENSOR))
_MADE_EMPTY = (
    "prim::EmptyListLiteral", "prim::ListConstruct", "prim::DictConstruct",
    "aten::dict",  # OrderedDict()
)  # fmt: skip


def stores_of(value: Any) -> list[Node]:
    """Return the assignments of the variable that a value was loaded from, if it was."""
    load = value.node if isinstance(value, Value) else None
    if load is None or load.kind != "prim::Load":
        return []
    stores = load.graph.nodes_of_kind("prim::Store")
    return [store for store in stores if store["name"] == load["name"]]
