"""Specialise a graph on the bool attributes of its module, such as `training`.

Before, with a module in eval mode:
    graph(%self : Net, %x : Tensor):
      %drop : Dropout = prim::GetAttr[name="drop"](%self)
      %training : bool = prim::GetAttr[name="training"](%drop)
      %y : Tensor = aten::dropout(%x, %p, %training)
After:
      %training : bool = prim::Constant[value=0]()
      %y : Tensor = aten::dropout(%x, %p, %training)

Which attributes there are is asked once (`flags_of`); what they are at a call is part of what plans
are told apart by. An attribute that the program sets is left alone.

Differs: torch.jit asks the user to freeze the module (torch/csrc/jit/passes/freeze_module.cpp).
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.constants import make_constant
from minits.ir.graph import Graph, Node
from minits.types import types as t

Path = tuple[str, ...]
"""The names of attributes from the graph's module down to the flag."""
_CALLS = ("prim::CallMethod", "prim::CallFunction", "prim::fork")


def flags_of(graph: Graph) -> list[Path]:
    """Return the flags that a graph reads and that nothing in it can set."""
    nodes = list(graph.all_nodes())
    if any(node.kind in _CALLS for node in nodes):
        return []
    kept = {node["name"] for node in nodes if node.kind == "prim::SetAttr"}
    paths = {path: None for node in nodes if (path := _path(graph, node)) is not None}
    return [path for path in paths if path[-1] not in kept]


def set_flags(graph: Graph, flags: Mapping[Path, bool]) -> None:
    """Put constants in the place of flags."""
    for node in list(graph.all_nodes()):
        path = _path(graph, node)
        if path is not None and path in flags:
            constant = make_constant(graph, flags[path])
            constant.insert_before(node)
            node.output.replace_all_uses_with(constant.output)
            node.destroy()


def _path(graph: Graph, node: Node) -> Path | None:
    """Return the way from the graph's first input to a flag, if the node reads one."""
    if node.kind != "prim::GetAttr" or node.output.type != t.BOOL:
        return None
    names: list[str] = []
    while node.kind == "prim::GetAttr":
        names.append(node["name"])
        base = node.inputs[0]
        if graph.inputs and base is graph.inputs[0]:
            return tuple(reversed(names))
        node = base.node
    return None
