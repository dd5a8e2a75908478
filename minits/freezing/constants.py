"""Replace attributes by constants where they are read, but for those that something writes to.

Before (`self.block.scale` is a parameter that nothing writes to):
    %block : __torch__.Block = prim::GetAttr[name="block"](%self)
    %scale : Tensor = prim::GetAttr[name="scale"](%block)
    %y : Tensor = aten::mul(%x, %scale)
After:
    %self.block.scale : Float(2, ...) = prim::Constant[value= 1  1 [ CPUFloatType{2} ]]()
    %block : __torch__.Block = prim::GetAttr[name="block"](%self)
    %y : Tensor = aten::mul(%x, %self.block.scale)

Constants require no gradients: a parameter is detached.

Source: torch/csrc/jit/passes/freeze_module.cpp (`recordMutableAttrs`, `propagateAttributes`).
"""

from __future__ import annotations

from typing import Any

import torch

from minits.compilation_state import known_class
from minits.diagnostics import error
from minits.freezing.kept_attributes import KeptAttributes, has_memory, identity, parts
from minits.freezing.modules_in_graphs import ModulesInGraph, nodes_in_torchs_order
from minits.freezing.objects import WrittenFields, object_of
from minits.identity import Identity
from minits.ir.alias import AliasAnalysis
from minits.ir.constants import can_be_constant, insert_constant, type_as_constant
from minits.ir.graph import Node, Value
from minits.ops.implementations.instances import slot_of
from minits.ops.properties import FORKS
from minits.runtime.script_module import ScriptModule
from minits.types import types as t
from minits.users_objects import known_info


class Mutations:
    """Finds the attributes that the methods of a module write to; they are added to `kept`."""

    def __init__(self, kept: KeptAttributes) -> None:
        self.kept = kept
        self.used: dict[Any, tuple[str, Any]] = {}
        """By identity: the names and values of attributes with memory that are read."""
        self.read: dict[tuple[Identity, str], Any] = {}
        """By module and name: values of attributes; some are made anew whenever they are read."""
        self.written = WrittenFields()

    def record(self, known: ModulesInGraph) -> None:
        """Add the attributes that a graph writes to. Raises `CompileError` (TS836)."""
        self._visit(known)
        self._check_overlaps()

    def _visit(self, known: ModulesInGraph) -> None:
        alias = AliasAnalysis(known.graph, modules_apart=True)
        for node in nodes_in_torchs_order(known.graph):
            if node.kind in ("prim::GetAttr", "prim::SetAttr"):
                self._visit_attribute(known, node, alias)
            elif node.kind in FORKS:
                self._visit(known.forked(node))

    def _visit_attribute(self, known: ModulesInGraph, node: Node, alias: AliasAnalysis) -> None:
        owner, name = known.constant_owner(node), node["name"]
        if owner is None:
            self.written.record(node, alias)
            return
        if node.kind == "prim::SetAttr":
            self.kept.add(owner.module, name)
            return
        value = self.read.setdefault((Identity(owner.module), name), slot_of(owner.module, name))
        if known_class(value) is not None or not has_memory(value):
            return
        self.used[identity(value)] = name, value
        if alias.is_written(node.output):
            self.kept.add(owner.module, name)

    def _check_overlaps(self) -> None:
        """Refuse two attributes that have a part in common without being the same value."""
        seen: dict[Any, str] = {}
        for name, value in self.used.values():
            found = {identity(each): name for each in parts(value)}
            for each in found:
                if each in seen:
                    raise error(
                        None,
                        "TS836",
                        f"module contains attributes values that overlaps: '{seen[each]}' and "
                        f"'{name}' have an item in common, and a change of one would change the "
                        "other",
                        fix="give one of them a copy (tensor.clone())",
                    )
            seen.update(found)


def fold_attributes(known: ModulesInGraph, written: WrittenFields) -> None:
    """Replace the attributes that a graph reads by constants, but for those that are kept.

    `written` are those of script classes that are.
    """
    made: dict[tuple[Identity, str], Value] = {}
    graph = known.graph
    first = graph.block.end.next
    replaced = []
    for node in list(nodes_in_torchs_order(graph)):
        if node.kind == "prim::GetAttr":
            constant = _constant(known, written, first, node, made)
            if constant is not None:
                node.output.replace_all_uses_with(constant)
                replaced.append(node)
        elif node.kind in FORKS:
            fold_attributes(known.forked(node), written)
    for node in replaced:
        node.destroy()


def _constant(
    known: ModulesInGraph,
    written: WrittenFields,
    first: Node,
    read: Node,
    made: dict[tuple[Identity, str], Value],
) -> Value | None:
    """Return the constant that an attribute is, of a module or an object; None if it is none."""
    name, owner = read["name"], known.constant_owner(read)
    holder = object_of(known, read.inputs[0], written) if owner is None else owner.module
    if holder is None or (owner is None and written.has(read)):
        return None
    key = Identity(holder), name
    if key not in made:
        value = without_gradients(slot_of(holder, name))
        if isinstance(value, ScriptModule) or not can_be_constant(value):
            return None
        if owner is None and known.kept.shares_memory(value):
            return None
        declared = known_info(holder).type.attributes[name].type if owner else read.output.type
        try:
            with known.graph.inserting_at(first):
                made[key] = insert_constant(known.graph, value, _type(value, declared))
        except TypeError:
            return None
        if owner is not None:
            made[key].set_name(".".join(("self", *owner.path, name)))
    return made[key]


def _type(value: Any, declared: t.Type) -> t.Type:
    return t.TENSOR if isinstance(value, torch.Tensor) else type_as_constant(value, declared)


def without_gradients(value: Any) -> Any:
    """Return a value in which no tensor requires a gradient."""
    if isinstance(value, torch.Tensor):
        return value.detach() if value.requires_grad else value
    if not any(isinstance(p, torch.Tensor) and p.requires_grad for p in parts(value)):
        return value
    if isinstance(value, list):
        return [without_gradients(item) for item in value]
    if isinstance(value, dict):
        return {key: without_gradients(item) for key, item in value.items()}
    if isinstance(value, tuple):
        items = map(without_gradients, value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value
