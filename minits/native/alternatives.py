"""Nodes of an operand whose type is known at run time only: one for each type that it may have.

    %n : int = prim::CallMethod[name="area"](%shape)
->
    %is : bool = prim::isinstance[types=[Square]](%shape)
    %n : int = prim::If(%is)
      block0():
        %square : Square = prim::unchecked_cast(%shape)
        %1 : int = prim::CallMethod[name="area"](%square)
        -> (%1)
      block1():
        ...

The classes of an interface are those of which the graph makes objects: C has no others.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.graph import Block, Graph, Node, Value
from minits.native.c_types import NotNative, is_tagged, tagged
from minits.native.sites import is_of_message
from minits.types import types as t
from minits.types.subtyping import is_subtype, union_members

_OPERATORS = frozenset("aten::Int aten::Float aten::Bool aten::str aten::format".split())
"""Operators that have an overload for each type of an operand."""


class Alternatives:
    """Splits the nodes of a graph, as long as there are some."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[t.Type, list[t.Type]] = {}
        """By interface: the classes among which its methods were chosen."""

    def find(self) -> list[Node]:
        """Return the nodes that are to be split."""
        nodes = [*self._graph.nodes_of_kind("prim::CallMethod", *_OPERATORS)]
        return [node for node in nodes if self._operand(node) is not None]

    def split(self, node: Node) -> None:
        """Replace a node by one for each type of an operand."""
        index = self._operand(node)
        assert index is not None
        types = self._types(node.inputs[index].type)
        results = self._choice(node, index, types, node)
        for output, result in zip(node.outputs, results, strict=True):
            output.replace_all_uses_with(result)
        node.destroy()

    def check(self) -> None:
        """Check that what was split has brought no other classes. Raises `NotNative`."""
        for type, known in self._known.items():
            for made in self._graph.nodes_of_kind("prim::CreateObject"):
                if is_subtype(made.output.type, type) and made.output.type not in known:
                    raise NotNative(made, made.output.type.annotation)

    def _operand(self, node: Node) -> int | None:
        """Return the number of the operand by whose type a node is to be split."""
        if is_of_message(node):
            return None
        operands = node.inputs[:1] if node.kind == "prim::CallMethod" else node.inputs
        for index, value in enumerate(operands):
            if tagged(value.type) and self._types(value.type):
                return index
        return None

    def _types(self, type: t.Type) -> list[t.Type]:
        """Return the types that values of a type have; none if they are not known."""
        found: list[t.Type] = []
        for member in union_members(type):
            if not is_tagged(member):
                found.append(member)
            elif isinstance(member, t.ClassType):
                found += self._classes(member)
            else:
                return []
        return found

    def _classes(self, interface: t.ClassType) -> list[t.Type]:
        if interface not in self._known:
            made = self._graph.nodes_of_kind("prim::CreateObject")
            types = dict.fromkeys(node.output.type for node in made)
            self._known[interface] = [type for type in types if is_subtype(type, interface)]
        return self._known[interface]

    def _choice(
        self, node: Node, index: int, types: Sequence[t.Type], before: Node
    ) -> Sequence[Value]:
        """Insert the alternatives for some types, and return the results."""
        value, type = node.inputs[index], types[0]
        if len(types) == 1:
            return self._alternative(node, index, type, before)
        test = self._insert("prim::isinstance", [value], [t.BOOL], node, before)
        test.set_attr("types", "tys", (type,))
        chosen = [output.type for output in node.outputs]
        branch = self._insert("prim::If", [test.output], chosen, node, before)
        first, second = branch.add_block(), branch.add_block()
        _return(first, self._alternative(node, index, type, first.end))
        _return(second, self._choice(node, index, types[1:], second.end))
        return branch.outputs

    def _alternative(self, node: Node, index: int, type: t.Type, before: Node) -> Sequence[Value]:
        cast = self._insert("prim::unchecked_cast", [node.inputs[index]], [type], node, before)
        operands = [*node.inputs]
        operands[index] = cast.output
        results = [output.type for output in node.outputs]
        if node.kind == "prim::CallMethod":
            assert isinstance(type, t.ClassType)
            results = [value.type for value in type.methods[node["name"]].graph.outputs]
        copy = self._insert(node.kind, operands, results, node, before)
        copy.attributes = dict(node.attributes)
        return copy.outputs

    def _insert(
        self, kind: str, operands: list[Value], types: list[t.Type], node: Node, before: Node
    ) -> Node:
        made = self._graph.create(kind, operands, types).insert_before(before)
        made.range, made.callstack = node.range, node.callstack
        return made


def _return(block: Block, results: Sequence[Value]) -> None:
    for value in results:
        block.add_output(value)
