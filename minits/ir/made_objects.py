"""Objects of C++ classes where they are made: by the call of `__init__`, since Python has none
before it.

    %stack : __torch__.torch.classes.ns.Stack = prim::CreateObject()
    %2 : NoneType = prim::CallMethod[name="__init__"](%stack, %words)     makes %stack
"""

from __future__ import annotations

from minits.ir.graph import Node
from minits.types import types as t


def is_made_later(node: Node) -> bool:
    """Return whether a node stands for an object that a later call of `__init__` makes."""
    return node.kind == "prim::CreateObject" and _initializer(node) is not None


def makes_object(node: Node) -> bool:
    """Return whether a node is the call of `__init__` that makes an object of a class of C++."""
    is_initializer = node.kind == "prim::CallMethod" and node["name"] == "__init__"
    return is_initializer and _initializer(node.inputs[0].node) is node


def _initializer(node: Node) -> Node | None:
    """Return the call that makes the object, if it is the first use; a text may have others."""
    type = node.output.type if node.kind == "prim::CreateObject" else None
    if not (isinstance(type, t.ClassType) and type.is_bound):
        return None
    users = {use.user for use in node.output.uses}
    following, end = node.next, node.owner.end
    while following is not end and following not in users and not following.blocks:
        following = following.next
    is_first = following in users and following.kind == "prim::CallMethod"
    return following if is_first and following["name"] == "__init__" else None
