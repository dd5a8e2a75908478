"""The forwards of submodules in a trace become methods of their types, and calls of these.

Before:
     = prim::TracedModuleForward[scope="__module.lin"](%lin)
      block0(%self.1 : Linear):
        %weight : Tensor = prim::GetAttr[name="weight"](%self.1)
        %y : Tensor = aten::matmul(%x, %weight)
        -> ()
    return (%y)
After, and the type Linear has a method `forward` with the graph of the block:
    %2 : Tensor = prim::CallMethod[name="forward"](%lin, %x)
    return (%2)

What leaves a block becomes its output, several values become a tuple; what comes into it becomes an
argument. A module that is called again gets `forward1`.

Needs: the graph of `localize_attributes`.
Source: torch/csrc/jit/passes/fixup_trace_scope_blocks.cpp.
"""

from __future__ import annotations

from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.values.graph_function import GraphFunction
from minits.ir.copying import clone_block, copy_metadata
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.trace_notes import notes_of
from minits.tracing.module_attributes import FORK, FORWARD
from minits.types import types as t


def make_module_calls(graph: Graph, infos: dict[t.ClassType, ModuleInfo]) -> None:
    """Move the blocks of submodules into methods; `infos` are those of the submodules' types."""
    _LiftDefinitions().block(graph.block)
    _return_tuples(graph.block)
    make_graphs(graph.block)
    _make_calls(graph, infos)


class _LiftDefinitions:
    """Hands values out of the blocks that define them, up to a block around their use."""

    def __init__(self) -> None:
        self.lifted: dict[Value, Value] = {}

    def block(self, block: Block) -> None:
        for node in [*block.nodes, block.end]:
            for index, value in enumerate(node.inputs):
                value = self.lifted.get(value, value)
                if value.node.owner is not block:
                    value = self._lift(value, node)
                if value is not node.inputs[index]:
                    node.set_input(index, value)
            if node.kind in (FORWARD, FORK):
                self.block(node.blocks[0])

    def _lift(self, value: Value, use: Node) -> Value:
        around = set(_blocks_around(use))
        found, block = value, value.node.owner
        while block not in around:
            owner = block.owning_node
            assert owner is not None, "the graph's own block is around all uses"
            block.add_output(found)
            found = copy_metadata(owner.add_output(), found, names=False)
            block = owner.owner
        self.lifted[value] = found
        return found


def _blocks_around(node: Node) -> list[Block]:
    found = [node.owner]
    while (owner := found[-1].owning_node) is not None:
        found.append(owner.owner)
    return found


def _return_tuples(block: Block) -> None:
    """Let each block of a submodule give one value: a tuple of several, None for nothing."""
    for node in block.nodes:
        if node.kind not in (FORWARD, FORK):
            continue
        inner, graph = node.blocks[0], block.graph
        _return_tuples(inner)
        if node.kind == FORK:  # which returns one value
            continue
        if not inner.outputs:
            with graph.inserting_at(inner):
                inner.add_output(graph.emit("prim::Constant", types=[t.NONE]).output)
            node.add_output(t.NONE)
        elif len(inner.outputs) > 1:
            _pack(node, inner)


def _pack(node: Node, inner: Block) -> None:
    graph, values = inner.graph, list(inner.outputs)
    notes = notes_of(graph)
    packed = t.TupleType(tuple(value.type for value in values))
    with graph.inserting_at(inner):
        made = graph.emit("prim::TupleConstruct", values, [packed]).output
    notes.types[made] = notes.type_of_tuple(values)
    inner.end.remove_all_inputs()
    inner.add_output(made)
    outputs = list(node.outputs)
    whole = node.add_output(packed)
    unpack = graph.create("prim::TupleUnpack", [whole], packed.elements).insert_after(node)
    for old, new in zip(outputs, unpack.outputs, strict=True):
        copy_metadata(new, old, names=False)
        old.replace_all_uses_with(new)
    for index in reversed(range(len(outputs))):
        node.remove_output(index)


def make_graphs(block: Block) -> None:
    """Let each block of a submodule or a fork be a graph; values from outside become arguments."""
    for node in block.nodes:
        if node.kind in (FORWARD, FORK):
            make_graphs(node.blocks[0])
            body, arguments = _graph_of(node.blocks[0])
            for value in arguments:
                node.add_input(value)
            node.set_attr("Subgraph", "g", body)
            node.remove_block(0)


def _make_calls(graph: Graph, infos: dict[t.ClassType, ModuleInfo]) -> None:
    for node in graph.nodes:
        if node.kind == FORK:
            _make_calls(node["Subgraph"], infos)
        elif node.kind == FORWARD:
            _make_call(graph, node, infos)


def _make_call(graph: Graph, node: Node, infos: dict[t.ClassType, ModuleInfo]) -> None:
    type, body = node.inputs[0].type, node["Subgraph"]
    assert isinstance(type, t.ClassType)
    _make_calls(body, infos)
    name = _free_name(type)
    method = GraphFunction(name, f"{type.name}.{name}", body, itself=infos[type])
    type.methods[name] = method
    with graph.inserting_at(node):
        call = graph.emit("prim::CallMethod", node.inputs, [method.schema.returns[0].type])
    call.set_attr("name", "s", name)
    node.output.replace_all_uses_with(call.output)
    node.destroy()


def _graph_of(block: Block) -> tuple[Graph, list[Value]]:
    """Return a block as a graph, and the values from outside that are its further inputs."""
    graph = Graph()
    outer: dict[Value, Value] = {}

    def argument(value: Value) -> Value:
        if value not in outer:
            outer[value] = copy_metadata(graph.add_input(), value)
        return outer[value]

    clone_block(block, graph.block, argument)
    return graph, list(outer)


def _free_name(type: t.ClassType) -> str:
    number = 0
    while (name := f"forward{number or ''}") in type.methods:
        number += 1
    return name
