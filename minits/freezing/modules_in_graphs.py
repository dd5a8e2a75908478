"""The modules that values of a graph are: `self`, and what is read of it along attributes.

    %block : __torch__.Block = prim::GetAttr[name="block"](%self)
    %conv : __torch__.Conv = prim::GetAttr[name="conv"](%block)      # self.block.conv

A module that may be exchanged for another one, because it is kept, is not known.

Source: torch/csrc/jit/passes/freeze_module.cpp (`findConstantAttr`, `applyToForkSubgraph`).
Differs: in what is forked, any input may be a module, not only the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from minits.freezing.kept_attributes import KeptAttributes
from minits.ir.graph import Graph, Node, Value
from minits.ops.implementations.instances import slot_of
from minits.runtime.script_module import ScriptModule


class ModulePath(NamedTuple):
    """A module, and the names of the attributes that lead to it."""

    module: ScriptModule
    path: tuple[str, ...] = ()


class ModulesInGraph:
    """The modules that the values of one graph are. `inputs` are those of the graph's inputs."""

    def __init__(self, graph: Graph, inputs: dict[Value, ModulePath], kept: KeptAttributes) -> None:
        self.graph = graph
        self.inputs = inputs
        self.kept = kept

    def module_of(self, value: Value) -> ModulePath | None:
        """Return the module that a value is; None for one that is not known, or is none."""
        found = self.inputs.get(value)
        if found is not None or value.node.kind != "prim::GetAttr":
            return found
        name = value.node["name"]
        owner = self.module_of(value.node.inputs[0])
        held = None if owner is None else slot_of(owner.module, name)
        if owner is None or not isinstance(held, ScriptModule) or self.kept.has(held):
            return None
        return ModulePath(held, (*owner.path, name))

    def constant_owner(self, node: Node) -> ModulePath | None:
        """Return the module whose attribute a `prim::GetAttr` or `SetAttr` names, if not kept."""
        owner = self.module_of(node.inputs[0])
        if owner is None or self.kept.has_attribute(owner.module, node["name"]):
            return None
        return owner

    def forked(self, node: Node) -> ModulesInGraph:
        """Return the modules in the graph that a node forks."""
        inner = node["Subgraph"]
        modules = [self.module_of(value) for value in node.inputs]
        pairs = zip(inner.inputs, modules, strict=True)
        known = {value: ModulePath(found.module) for value, found in pairs if found is not None}
        return ModulesInGraph(inner, known, self.kept)


def nodes_in_torchs_order(graph: Graph) -> Iterator[Node]:
    """Yield all nodes: those of a block, then those of its inner blocks, the last block first.

    The constants of attributes are made in this order. A node may be destroyed when it is met.
    """
    waiting = [graph.block]
    while waiting:
        for node in waiting.pop().nodes:
            waiting += node.blocks
            yield node
