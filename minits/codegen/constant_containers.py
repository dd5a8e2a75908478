"""Constants that are lists or dicts, as frozen modules have: nobody is given the constant itself.

    %sizes : int[] = prim::Constant[value=[2, 3]]()
    return (%sizes)                        a caller who appends to it must not change the next call

torch makes a new Python list each time when it converts a result (`toPyObject` in
torch/csrc/jit/python/pybind_utils.cpp).
"""

from __future__ import annotations

from minits.codegen.uses import uses_of
from minits.ir.constants import constant_value, has_containers
from minits.ir.graph import Node, Value
from minits.ir.points_to import is_mutable_type
from minits.types import types as t

_CALLS = frozenset(("prim::CallMethod", "prim::CallFunction", "prim::PythonOp", "prim::fork"))


def is_given_away(constant: Value) -> bool:
    """Return whether a constant is a container that may be returned, or put into something."""
    if not has_containers(constant_value(constant.node)):
        return False
    return any(not _only_reads(use.user) for use in uses_of(constant))


def _only_reads(node: Node) -> bool:
    """Return whether the operator gives what cannot hold a container, such as a tensor."""
    if not node.outputs or node.kind in _CALLS:
        return False
    return all(x.type == t.TENSOR or not is_mutable_type(x.type) for x in node.outputs)
