"""Attributes that a trace has used become chains of `prim::GetAttr` in the module that uses them.

Before, where `recorder.py` has entered the submodule `lin`:
    %w : Tensor = prim::TracedAttr[scope="__module.lin.weight"]()
     = prim::TracedModuleForward[scope="__module.lin"]()
      block0():
        %y : Tensor = aten::matmul(%x, %w)
        -> ()
After:
    %lin : Linear = prim::GetAttr[name="lin"](%self)
     = prim::TracedModuleForward[scope="__module.lin"](%lin)
      block0(%self.1 : Linear):
        %weight : Tensor = prim::GetAttr[name="weight"](%self.1)
        %y : Tensor = aten::matmul(%x, %weight)
        -> ()

Needs: the graph's first input is the module.
Source: torch/csrc/jit/passes/fixup_trace_scope_blocks.cpp (`ConvertTracedAttrReferences`).
"""

from __future__ import annotations

from minits.ir.copying import copy_metadata
from minits.ir.graph import Block, Graph, Node, Value
from minits.types import types as t

FORWARD = "prim::TracedModuleForward"
FORK = "prim::TracedFork"
ATTRIBUTE = "prim::TracedAttr"
ROOT = "__module"


def localize_attributes(graph: Graph) -> None:
    """Replace the attributes of a trace by reads of them, each in the module that uses it."""
    attributes = {node["scope"]: node for node in graph.nodes if node.kind == ATTRIBUTE}
    _add_selves(graph.block, attributes)
    _Localizer(graph).block(graph.block, ROOT, graph.inputs[0])
    for node in attributes.values():
        node.destroy()


def _add_selves(block: Block, attributes: dict[str, Node]) -> None:
    """Give each call of a submodule the submodule, as its first input and that of its block."""
    for node in block.nodes:
        if node.kind == FORWARD:
            module = attributes[node["scope"]].output
            node.add_input(module)
            node.blocks[0].add_input(module.type).set_name("self")
        if node.kind in (FORWARD, FORK):
            _add_selves(node.blocks[0], attributes)


class _Localizer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def block(self, block: Block, prefix: str, itself: Value) -> list[Value]:
        """Replace the attributes in a block of the module `prefix`; return those from outside."""
        outside: list[Value] = []
        known: dict[Value, Value] = {}
        for node in [*block.nodes, block.end]:
            if node.kind in (FORWARD, FORK):
                inner = node.blocks[0]
                is_fork = node.kind == FORK  # a part of the module around it
                within = (prefix, itself) if is_fork else (node["scope"], inner.inputs[0])
                for value in self.block(inner, *within):
                    node.add_input(value)
            for index, value in enumerate(node.inputs):
                if value.node.kind == ATTRIBUTE:
                    if value not in known:
                        known[value] = self._local(block, prefix, itself, value, outside)
                    node.set_input(index, known[value])
        return outside

    def _local(
        self, block: Block, prefix: str, itself: Value, value: Value, outside: list[Value]
    ) -> Value:
        path: str = value.node["scope"]
        if not path.startswith(prefix + "."):
            outside.append(value)
            return copy_metadata(block.add_input(value.type), value)
        found = itself
        with self.graph.inserting_at(block.end.next):
            for name in path[len(prefix) + 1 :].split("."):
                found = get_attribute(self.graph, found, name)
        return found


def get_attribute(graph: Graph, module: Value, name: str) -> Value:
    """Insert a read of an attribute, named after it."""
    assert isinstance(module.type, t.ClassType)
    node = graph.emit("prim::GetAttr", [module], [module.type.attributes[name].type])
    output = node.set_attr("name", "s", name).output
    return output.set_name(f"_{name}" if name.isdigit() else name)
