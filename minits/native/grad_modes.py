"""`with torch.no_grad():` as calls that set the mode, and set it back.

Before:
    %mode : no_grad = prim::CreateObject()
    %2 : NoneType = prim::Enter(%mode)
    ...
    %3 : Tensor = prim::Exit(%mode)
After:
    %before : bool = aten::is_grad_enabled()
     = aten::set_grad_enabled(%false)
    ...
     = aten::set_grad_enabled(%before)

Where the program raises, who has called the function sets the mode back. The managers of script
classes: managers.py.

Source: torch/autograd/grad_mode.py.
"""

from __future__ import annotations

from minits.ir.graph import Graph, Node, Value
from minits.native.builder import Builder
from minits.types import types as t

_MODES = {
    "__torch__.torch.autograd.grad_mode.no_grad": False,
    "__torch__.torch.autograd.grad_mode.enable_grad": True,
}
"""By the class of the manager: whether gradients are recorded within."""
_OWN = ("prim::Enter", "prim::Exit", "prim::SetAttr")
"""The nodes that use a manager."""


def set_grad_modes(graph: Graph) -> None:
    """Replace the managers of grad modes."""
    for made in graph.nodes_of_kind("prim::CreateObject"):
        users = [use.user for use in made.output.uses]
        entered = [node for node in users if node.kind == "prim::Enter"]
        mode = _MODES.get(made.output.type.annotation)
        if mode is None or len(entered) != 1 or not all(map(_is_own, users)):
            continue
        _replace(graph, entered[0], users, mode)
        made.destroy()


def is_grad_mode(type: t.Type) -> bool:
    """Return whether a type is the class of a manager of a grad mode."""
    return type.annotation in _MODES


def _is_own(node: Node) -> bool:
    return node.kind in _OWN and not any(output.uses for output in node.outputs)


def _replace(graph: Graph, entered: Node, users: list[Node], mode: bool) -> None:
    b = Builder(graph, entered)
    before: Value = b("aten::is_grad_enabled", type=t.BOOL)
    b.statement("aten::set_grad_enabled", mode)
    for node in users:
        if node.kind == "prim::Exit":
            Builder(graph, node).statement("aten::set_grad_enabled", before)
        node.destroy()
