"""Is a graph well formed? Names each fault under the node that has it.

Checked: use lists and back references are exact, every value is defined before its uses and in a
block around them, blocks of If and Loop have the inputs and outputs that their node wants, types
fit, and nodes of registered operators match an overload.

Source: torch/csrc/jit/ir/ir.cpp (`Graph::lint`).
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.graph import Block, Graph, Node, Use, Value
from minits.ir.printer import print_node
from minits.ops.properties import schema_of
from minits.ops.registry import schemas_for
from minits.types import types as t
from minits.types.subtyping import is_subtype


class InvalidIR(Exception):
    """A graph is broken. `faults` are (node, message) pairs."""

    def __init__(self, graph: Graph, faults: list[tuple[Node, str]]) -> None:
        self.graph = graph
        self.faults = faults
        super().__init__(_with_faults(graph, faults))


def verify(graph: Graph, *, joins: bool = True) -> None:
    """Raise `InvalidIR` if the graph is not well formed.

    joins: whether results of branches and loops must have a type that their values fit. Those of a
    new graph have torch's (passes/joined_types.py).
    """
    verifier = _Verifier(graph, joins)
    verifier.block(graph.block, frozenset())
    if verifier.faults:
        raise InvalidIR(graph, verifier.faults)


class _Verifier:
    def __init__(self, graph: Graph, joins: bool) -> None:
        self.graph = graph
        self.joins = joins
        self.faults: list[tuple[Node, str]] = []

    def fault(self, node: Node, message: str) -> None:
        self.faults.append((node, message))

    def block(self, block: Block, outer: frozenset[Value]) -> None:
        defined = set(outer)
        for value in block.inputs:
            self._value(value, block.param)
            defined.add(value)
        for node in block.nodes:
            self._inputs(node, defined)
            for inner in node.blocks:
                self.block(inner, frozenset(defined))
            self._shape(node)
            for value in node.outputs:
                self._value(value, node)
                defined.add(value)
        self._inputs(block.end, defined)

    def _inputs(self, node: Node, defined: set[Value]) -> None:
        for index, value in enumerate(node.inputs):
            if value not in defined:
                self.fault(node, f"input {index} (%{value.name}) is not defined here")
            if Use(node, index) not in value.uses:
                self.fault(node, f"%{value.name} does not list this use")

    def _value(self, value: Value, node: Node) -> None:
        if value.node is not node:
            self.fault(node, f"%{value.name} belongs to another node")
        for user, index in value.uses:
            if index >= len(user.inputs) or user.inputs[index] is not value:
                self.fault(node, f"%{value.name} lists a use that does not read it")

    def _shape(self, node: Node) -> None:
        if node.kind == "prim::If":
            self._if(node)
        elif node.kind == "prim::Loop":
            self._loop(node)
        elif schemas_for(node.kind) and schema_of(node) is None:
            types = ", ".join(str(value.type) for value in node.inputs)
            self.fault(node, f"{node.kind} has no overload for ({types})")

    def _if(self, node: Node) -> None:
        if len(node.inputs) != 1 or node.inputs[0].type != t.BOOL:
            self.fault(node, "an If has one input, a bool")
        if len(node.blocks) != 2:
            self.fault(node, f"an If has two blocks, this has {len(node.blocks)}")
        for index, block in enumerate(node.blocks):
            if block.inputs:
                self.fault(node, f"block {index} of an If has no inputs")
            self._passes(node, block.outputs, node.outputs, f"block {index}")

    def _loop(self, node: Node) -> None:
        if len(node.blocks) != 1 or len(node.inputs) < 2:
            self.fault(node, "a Loop has a trip count, a condition and one block")
            return
        if [value.type for value in node.inputs[:2]] != [t.INT, t.BOOL]:
            self.fault(node, "a Loop starts with an int and a bool")
        body = node.blocks[0]
        if not body.outputs or body.outputs[0].type != t.BOOL:
            self.fault(node, "the body of a Loop starts its outputs with a bool")
            return
        self._passes(node, node.inputs[2:], body.inputs[1:], "the inputs")
        self._passes(node, body.outputs[1:], node.outputs, "the body")

    def _passes(self, node: Node, given: list[Value], wanted: list[Value], what: str) -> None:
        if len(given) != len(wanted):
            self.fault(node, f"{what} gives {len(given)} values where {len(wanted)} are wanted")
            return
        for value, target in zip(given, wanted, strict=True):
            if self.joins and not is_subtype(value.type, target.type):
                self.fault(node, f"{what} gives {value.type} where {target.type} is wanted")


def _with_faults(graph: Graph, faults: list[tuple[Node, str]]) -> str:
    """The graph's text with each fault under its node."""
    return "\n".join(["the graph is broken:", *_lines(graph.block, 1, faults)])


def _lines(block: Block, level: int, faults: list[tuple[Node, str]]) -> Iterator[str]:
    indent = "  " * level
    yield from _below(block.param, indent, faults)
    for node in block.nodes:
        yield indent + print_node(node).split("\n", 1)[0]
        yield from _below(node, indent, faults)
        for index, inner in enumerate(node.blocks):
            inputs = ", ".join(map(repr, inner.inputs))
            yield f"{indent}  block{index}({inputs}):"
            yield from _lines(inner, level + 2, faults)
    outputs = ", ".join(f"%{value.name}" for value in block.outputs)
    yield f"{indent}{'return' if block.owning_node is None else '->'} ({outputs})"
    yield from _below(block.end, indent, faults)


def _below(node: Node, indent: str, faults: list[tuple[Node, str]]) -> Iterator[str]:
    return (f"{indent}^ {message}" for where, message in faults if where is node)
