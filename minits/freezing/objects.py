"""Objects of script classes that a module holds: what is read of one is a constant, too.

Before (no method that is frozen writes to the `scale` of a `Coder`):
    %coder : __torch__.Coder = prim::GetAttr[name="coder"](%self)
    %scale : float = prim::GetAttr[name="scale"](%coder)
    %y : Tensor = aten::mul(%x, %scale)
After:
    %scale : float = prim::Constant[value=50.]()
    %y : Tensor = aten::mul(%x, %scale)

What is written to is known by class and name, of all objects: which object a value of the graph is
may not be known. Source: torch/csrc/jit/passes/constant_propagation.cpp.
Differs: an object that is written to stays an attribute; in torch it is a constant itself.
"""

from __future__ import annotations

from typing import Any

from minits.compilation_state import known_class
from minits.freezing.modules_in_graphs import ModulesInGraph
from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Node, Value
from minits.ops.implementations.instances import slot_of
from minits.runtime.script_module import ScriptModule
from minits.types import types as t


class WrittenFields:
    """The attributes of script classes that graphs write to."""

    def __init__(self) -> None:
        self._names: set[tuple[t.Type, str]] = set()

    def record(self, node: Node, alias: AliasAnalysis) -> None:
        """Note a `prim::SetAttr`, or a `prim::GetAttr` whose result is written to in place."""
        if node.kind == "prim::SetAttr" or alias.is_written(node.output):
            self._names.add((node.inputs[0].type, node["name"]))

    def has(self, node: Node) -> bool:
        """Return whether anything writes to the attribute that a `prim::GetAttr` reads."""
        return (node.inputs[0].type, node["name"]) in self._names


def object_of(known: ModulesInGraph, value: Value, written: WrittenFields) -> Any:
    """Return the object of a script class that a value always is; None if there is none."""
    node = value.node
    if node.kind != "prim::GetAttr":
        return None
    owner = known.constant_owner(node)
    if owner is not None:
        held = slot_of(owner.module, node["name"])
    elif written.has(node):
        return None
    else:
        held = getattr(object_of(known, node.inputs[0], written), node["name"], None)
    is_object = not isinstance(held, ScriptModule) and known_class(held) is not None
    return held if is_object else None
