"""The nodes of a graph that were inlined from one call, and which calls have equal ones.

    %a : int = aten::mul(%x, %x)        \\  square_sum(x, y), inlined: a region whose inputs are
    %b : int = aten::mul(%y, %y)         | x and y, and whose output is c
    %c : int = aten::add(%a, %b)        /
    %d : int = aten::mul(%c, %c)        \\
    %e : int = aten::mul(%z, %z)         | square_sum(c, z)
    %f : int = aten::add(%d, %e)        /

A region is a row of nodes of one block. What has no statement in C may stand anywhere in it:
constants, and the attributes of a state that nothing sets, which are inputs like any value from
outside. Two regions are equal if one function of C can be both: of the same nodes, from the same
places of the program, and with operands of the same types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.native import groups, lists, tuples
from minits.native.awaits import PRINTERS as AWAITS
from minits.native.c_types import STATE, c_type_of
from minits.native.calls import CALL
from minits.native.questions import ASK
from minits.native.sites import is_of_message
from minits.native.tasks import RESULT, TASK
from minits.records import dataclass, field
from minits.types import types as t

LEAVES = ("prim::Constant", "prim::Uninitialized")
"""Nodes without statements, of which a function of C has its own."""
_OPEN = (t.INT, t.FLOAT, t.BOOL, t.STR)
"""Types of constants that may be parameters."""
_EXCLUDED = frozenset(
    (ASK, TASK, RESULT, *AWAITS, groups.KIND, "prim::Enter", "prim::Exit", "aten::wait")
)
"""Kinds of nodes that know of the function in which they are."""
_PLAIN = ("i", "f", "c", "s", "ty", "is", "fs", "cs", "ss", "tys")
"""Kinds of attributes that are equal when their texts are."""
_OWN = ("prim::TupleConstruct", "prim::Constant")
"""Nodes of which what becomes of a tuple tells whether they make one."""


@dataclass(eq=False, slots=True)
class Region:
    """The nodes of one call, without those that have no statement.

    depth: the number of calls that lead there
    operands: those from outside, in order: the user, and the number of its input
    leaves: constants, and what is not set, of which a function has its own
    moved: nodes that read attributes, which come before the region
    key: what regions have in common that are equal
    """

    nodes: list[Node]
    depth: int
    operands: list[tuple[Node, int]] = field(default_factory=list)
    leaves: dict[Value, None] = field(default_factory=dict)
    outputs: list[Value] = field(default_factory=list)
    moved: list[Node] = field(default_factory=list)
    key: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The name of the function that is called; none where it is all of a graph."""
        return "" if not self.depth else self.nodes[0].callstack[self.depth - 1][0]

    @property
    def values(self) -> list[Value]:
        """The values of the operands."""
        return [user.inputs[index] for user, index in self.operands]

    @property
    def is_there(self) -> bool:
        """Return whether the nodes are still in the graph."""
        return self.nodes[0].block is not None

    @property
    def size(self) -> int:
        """The number of nodes that may have a statement in C."""
        return sum(1 for _ in deep(self.nodes))


def deep(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield nodes and those in them, in order, without constants; after a call those for which it
    stands."""
    for node in nodes:
        if node.kind not in LEAVES:
            yield node
        if node.kind == CALL:
            yield from node["call"].nodes
        for block in node.blocks:
            yield from deep([*block.nodes])


def is_plain_constant(value: Value) -> bool:
    """Return whether a value is a constant, and no variable of C."""
    return value.node.kind == "prim::Constant" and not lists.is_made(value)


def can_have_regions(graph: Graph) -> bool:
    """Return whether calls of functions may stand in a graph: nothing in it goes on elsewhere after
    an error."""
    return not graph.nodes_of_kind(*(_EXCLUDED - {ASK}))


class Finder:
    """Finds regions.

    is_set: the names of the attributes of states that are set
    opens: whether constants may be parameters
    """

    def __init__(self, is_set: frozenset[str], opens: bool) -> None:
        self._is_set = is_set
        self._opens = opens

    def read(self, region: Region) -> bool:
        """Find what goes into a region and comes out, and return whether it may be a function."""
        return _Reader(self, region).read()

    def regions(self, block: Block, depth: int) -> Iterator[Region]:
        """Yield the regions of a block and of those in it, to which so many calls lead."""
        nodes = [node for node in block.nodes if not self.is_silent(node)]
        runs: dict[tuple[int, ...], list[int]] = {}
        for place, node in enumerate(nodes):
            frames = tuple(map(id, node.callstack))
            for length in range(depth + 1, len(frames) + 1):
                runs.setdefault(frames[:length], []).append(place)
        rows: dict[tuple[Node, ...], int] = {}
        for frames, places in runs.items():
            row = self._trimmed(nodes[places[0] : places[-1] + 1])
            known = {nodes[place] for place in places}
            if row and all(node in known or not (node.callstack or node.range) for node in row):
                rows[tuple(row)] = len(frames)  # that of the innermost function whose they all are
        for found, length in rows.items():
            region = Region([*found], length)
            if self.read(region):
                yield region
        for node in nodes:
            for inner in node.blocks:
                yield from self.regions(inner, max(depth, len(node.callstack)))

    def is_silent(self, node: Node) -> bool:
        """Return whether a node has no statement, so that it may stand elsewhere."""
        if node.kind == "prim::Constant":
            return is_plain_constant(node.output)
        if node.kind == "prim::TupleConstruct":
            return not tuples.is_held(node.output)
        return node.kind == "prim::Uninitialized" or self.is_fixed(node)

    def is_fixed(self, node: Node) -> bool:
        """Return whether a node reads an attribute that nothing sets."""
        if node.kind != "prim::GetAttr" or node["name"] in self._is_set:
            return False
        return getattr(node.inputs[0].type, "name", None) == STATE

    def whole(self, graph: Graph) -> Iterator[Region]:
        """Yield the region that all nodes of a graph are, if they are one."""
        row = self._trimmed([node for node in graph.nodes if not self.is_silent(node)])
        if row and self.read(region := Region(row, 0)):
            yield region

    @staticmethod
    def _trimmed(row: list[Node]) -> list[Node]:
        """Return nodes without those at their end that are tuples, of items wherever they stand."""
        while row and row[-1].kind == "prim::TupleConstruct":
            row.pop()
        return row

    def is_fixed_constant(self, value: Value) -> bool:
        """Return whether an operand is a constant in all regions that are equal."""
        return is_plain_constant(value) and not (self._opens and value.type in _OPEN)


class _Reader:
    """Reads one region: its key, what goes in, and what comes out."""

    def __init__(self, finder: Finder, region: Region) -> None:
        self._finder = finder
        self._region = region
        region.moved, region.operands, region.leaves = [], [], {}
        self._numbers: dict[Value, int] = {}
        self._is_plain = True

    def read(self) -> bool:
        """Return whether the region may be a function of its own."""
        region = self._region
        inside = {*deep(region.nodes)}
        entries = tuple([self._entry(node) for node in region.nodes])
        region.outputs = [
            value
            for node in region.nodes
            for value in node.outputs
            if any(_user(use.user) not in inside for use in value.uses)
        ]
        if any(
            isinstance(value.type, t.TupleType) and value.node.kind in _OWN
            for value in region.outputs
        ):
            return False
        outputs = tuple([self._numbers[value] for value in region.outputs])
        region.key = (entries, outputs)
        return self._is_plain and all(map(_may_pass, (*region.values, *region.outputs)))

    def _entry(self, node: Node) -> tuple[Any, ...]:
        """Return the parts of a node that its equals have, too."""
        if node.kind in _EXCLUDED or "warning" in node.attributes:
            self._is_plain = False
        inputs = self._operands(node)
        self._number(node.outputs)
        blocks = tuple([self._block(block) for block in node.blocks])
        types = tuple([_type(value) for value in node.outputs])
        return node.kind, inputs, self._attributes(node), types, blocks, _place(node)

    def _attributes(self, node: Node) -> tuple[Any, ...]:
        if node.kind == "prim::Constant":
            return (self._content(to_python(node.output)),)
        return tuple([(name, _text(*attr)) for name, attr in node.attributes.items()])

    def _block(self, block: Block) -> tuple[Any, ...]:
        self._number(block.inputs)
        entries = []
        for node in block.nodes:
            if self._finder.is_fixed(node):
                self._region.moved.append(node)
            elif node.kind == "prim::TupleConstruct" or not self._finder.is_silent(node):
                entries.append(self._entry(node))
        return tuple(map(_type, block.inputs)), tuple(entries), self._operands(block.end)

    def _number(self, values: Sequence[Value]) -> None:
        for value in values:
            self._numbers[value] = len(self._numbers)

    def _operands(self, node: Node) -> tuple[Any, ...]:
        return tuple([self._operand(node, index) for index in range(len(node.inputs))])

    def _operand(self, node: Node, index: int) -> tuple[Any, ...]:
        value = node.inputs[index]
        if value in self._numbers:
            return ("inside", self._numbers[value])
        if value.node.kind == "prim::Uninitialized" or is_plain_constant(value):
            self._region.leaves[value] = None
        if value.node.kind == "prim::Uninitialized":
            return ("unset", _type(value))
        if self._finder.is_fixed_constant(value):
            return ("constant", _type(value), self._content(to_python(value)))
        self._region.operands.append((node, index))
        return ("outside", _type(value))

    def _content(self, content: Any) -> str:
        """Return the text of a constant, by which it is compared."""
        if isinstance(content, (torch.Tensor, torch.Generator, torch.Stream)):
            self._is_plain = False
        if content is NOT_CONSTANT:
            self._is_plain = False
        if isinstance(content, Enum):
            return f"{id(type(content))}.{content.name}"
        return repr(content)


def _may_pass(value: Value) -> bool:
    """Return whether a value may go into a function, or come out of it."""
    if c_type_of(value.type) is None or is_of_message(value.node):
        return False
    return value.node.kind != "prim::TupleConstruct" or tuples.is_held(value)


def _user(node: Node) -> Node:
    """Return the node that a use belongs to: of the result of a block, that of the block."""
    owner = node.owner.owning_node
    return owner if node.kind == "prim::Return" and owner is not None else node


def _type(value: Value) -> tuple[t.Type, str]:
    return value.type, value.type.annotation


def _text(kind: str, value: Any) -> Any:
    return repr(value) if kind in _PLAIN else id(getattr(value, "callee", value))


def _place(node: Node) -> tuple[Any, ...] | None:
    if node.range is None:
        return None
    return node.range.source.filename, node.range.begin, node.range.text
