"""Graph, Block, Node, Value: the SSA form of a program.

A `Graph` owns one `Block`; a `Block` is an ordered sequence of `Node`s between its inputs and its
outputs; a `Node` is one operation, with `Value`s in and out and, for `prim::If`, `prim::Loop` and
the like, blocks of its own. All four are equal by identity. Nodes of a block are a doubly linked
list, so that a pass may insert and destroy while it walks (`for node in block.nodes` is safe
against the destruction of the node that it stands on).

Source: torch/csrc/jit/ir/ir.h and ir.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minits.ir.debug_names import DebugNames
from minits.ir.trace_notes import TraceNotes
from minits.ir.value import Attr, Use, Value, new_tuple, remove_use
from minits.ir.walks import all_nodes, find_nodes, is_before
from minits.lazily import shown_as
from minits.source import SourceRange
from minits.types.types import TENSOR, Type

__all__ = ["Attr", "Block", "Graph", "Node", "Use", "Value"]


class Node:
    """An operation, such as `aten::add` or `prim::If`. Invariant: see `Value.uses`.

    `range` is the source that the node stands for; `callstack` are the (function name, range)
    pairs, outermost first, through which inlining brought it here.
    """

    __slots__ = (
        "attributes",
        "block",
        "blocks",
        "callstack",
        "graph",
        "inputs",
        "kind",
        "next",
        "outputs",
        "prev",
        "range",
    )  # fmt: skip

    def __init__(
        self,
        graph: Graph,
        kind: str,
        inputs: Sequence[Value] = (),
        types: Sequence[Type] = (),
    ) -> None:
        """Make a node that is in no block yet, with one output for each of `types`."""
        self.graph = graph
        self.kind = kind
        graph._kinds.add(kind)
        self.inputs: list[Value] = [*inputs]
        for index, value in enumerate(inputs):
            value.uses.append(new_tuple(Use, (self, index)))
        self.outputs: list[Value] = []
        for type in types:
            self.outputs.append(Value(self, len(self.outputs), type))
        self.blocks: Sequence[Block] = ()
        self.attributes: dict[str, Attr] = {}
        self.range: SourceRange | None = None
        self.callstack: tuple[tuple[str, SourceRange | None], ...] = ()
        self.block: Block | None = None
        self.prev: Node = self
        self.next: Node = self

    def set_kind(self, kind: str) -> None:
        """Make it a node of another kind; the graph keeps which kinds it has had."""
        self.kind = kind
        self.graph._kinds.add(kind)

    @property
    def input(self) -> Value:
        """The only input."""
        (value,) = self.inputs
        return value

    @property
    def output(self) -> Value:
        """The only output."""
        (value,) = self.outputs
        return value

    def __getitem__(self, attribute: str) -> Any:
        return self.attributes[attribute].value

    def get(self, attribute: str, default: Any = None) -> Any:
        attr = self.attributes.get(attribute)
        return default if attr is None else attr.value

    def set_attr(self, name: str, kind: str, value: Any) -> Node:
        self.attributes[name] = new_tuple(Attr, (kind, value))
        return self

    def add_input(self, value: Value) -> Value:
        value.uses.append(new_tuple(Use, (self, len(self.inputs))))
        self.inputs.append(value)
        return value

    def set_input(self, index: int, value: Value) -> None:
        use = new_tuple(Use, (self, index))
        remove_use(self.inputs[index].uses, use)
        self.inputs[index] = value
        value.uses.append(use)

    def insert_input(self, index: int, value: Value) -> None:
        self._move_uses(index, 1)
        value.uses.append(new_tuple(Use, (self, index)))
        self.inputs = [*self.inputs[:index], value, *self.inputs[index:]]

    def remove_input(self, index: int) -> None:
        remove_use(self.inputs[index].uses, new_tuple(Use, (self, index)))
        self._move_uses(index + 1, -1)
        self.inputs = [*self.inputs[:index], *self.inputs[index + 1 :]]

    def _move_uses(self, first: int, by: int) -> None:
        """Tell the values from the input `first` on that they are to stand elsewhere."""
        indices = range(first, len(self.inputs))
        for index in indices if by < 0 else reversed(indices):
            uses = self.inputs[index].uses
            moved = new_tuple(Use, (self, index + by))
            uses[uses.index(new_tuple(Use, (self, index)))] = moved

    def remove_all_inputs(self) -> None:
        for index in reversed(range(len(self.inputs))):
            remove_use(self.inputs[index].uses, new_tuple(Use, (self, index)))
        self.inputs = []

    def _set_inputs(self, values: Sequence[Value]) -> None:
        self.remove_all_inputs()
        for value in values:
            self.add_input(value)

    def add_output(self, type: Type = TENSOR) -> Value:
        value = Value(self, len(self.outputs), type)
        self.outputs.append(value)
        return value

    def insert_output(self, index: int, type: Type = TENSOR) -> Value:
        value = Value(self, index, type)
        self.outputs.insert(index, value)
        for position in range(index + 1, len(self.outputs)):
            self.outputs[position].index = position
        return value

    def remove_output(self, index: int) -> None:
        """Remove an output that nobody uses."""
        value = self.outputs.pop(index)
        assert not value.uses, f"{value!r} is still used"
        if value.has_name:
            value.set_name(None)
        for position in range(index, len(self.outputs)):
            self.outputs[position].index = position

    def add_block(self) -> Block:
        block = Block(self.graph, self)
        self.blocks = (*self.blocks, block)
        return block

    def remove_block(self, index: int) -> None:
        block = self.blocks[index]
        self.blocks = tuple([each for each in self.blocks if each is not block])
        block.destroy()

    def insert_before(self, other: Node) -> Node:
        """Put this (detached) node before `other`, which may be a block's `end`."""
        assert self.block is None, "the node is already in a block"
        self.block, self.prev, self.next = other.block, other.prev, other
        self.prev.next = other.prev = self
        return self

    def insert_after(self, other: Node) -> Node:
        return self.insert_before(other.next)

    def move_before(self, other: Node) -> Node:
        self.detach()
        return self.insert_before(other)

    def detach(self) -> Node:
        """Take the node out of its block, its uses kept."""
        self.prev.next, self.next.prev = self.next, self.prev
        self.block = None
        return self

    def destroy(self) -> None:
        """Remove the node and all in it. Its outputs must not be used any more."""
        for value in self.outputs:
            assert not value.uses, f"{value!r} is still used"
            if value._name is not None:
                self.graph.names.release(value)
        self.outputs.clear()
        while self.blocks:
            self.remove_block(len(self.blocks) - 1)
        if self.inputs:
            self.remove_all_inputs()
        if self.block is not None:
            self.detach()

    @property
    def owner(self) -> Block:
        """The block that contains the node."""
        assert self.block is not None, f"{self.kind} is in no block"
        return self.block

    def is_before(self, other: Node) -> bool:
        """Return whether this node runs before `other`, in the same block or another."""
        return is_before(self, other)

    def __repr__(self) -> str:
        outs = ", ".join(map(repr, self.outputs))
        ins = ", ".join(f"%{value.name}" for value in self.inputs)
        return f"{outs} = {self.kind}({ins})"


class Block:
    """A sequence of nodes.

    `end` (`prim::Return`) closes the list; its inputs are the block's outputs.
    """

    __slots__ = ("end", "graph", "owning_node", "param")

    def __init__(self, graph: Graph, owning_node: Node | None) -> None:
        self.graph = graph
        self.owning_node = owning_node
        self.param = Node(graph, "prim::Param")
        self.end = Node(graph, "prim::Return")
        self.param.block = self.end.block = self

    @property
    def inputs(self) -> list[Value]:
        return self.param.outputs

    @property
    def outputs(self) -> list[Value]:
        return self.end.inputs

    def add_input(self, type: Type = TENSOR) -> Value:
        return self.param.add_output(type)

    def add_output(self, value: Value) -> None:
        self.end.add_input(value)

    @property
    def nodes(self) -> Iterator[Node]:
        """The nodes in order.

        The current node may be destroyed or moved; the next is read beforehand.
        """
        end = self.end
        node = end.next
        while node is not end:
            following = node.next
            yield node
            node = following

    @property
    def reversed_nodes(self) -> Iterator[Node]:
        end = self.end
        node = end.prev
        while node is not end:
            following = node.prev
            yield node
            node = following

    @property
    def is_empty(self) -> bool:
        return self.end.next is self.end

    def append(self, node: Node) -> Node:
        return node.insert_before(self.end)

    def prepend(self, node: Node) -> Node:
        return node.insert_before(self.end.next)

    def destroy(self) -> None:
        """Empty the block, and break the cycles in it, for which the collector would look."""
        self.end.remove_all_inputs()
        for node in self.reversed_nodes:
            node.destroy()
        for index in reversed(range(len(self.param.outputs))):
            self.param.remove_output(index)
        for node in (self.param, self.end):
            node.block = None
            del node.prev, node.next


class Graph:
    """A function's body.

    New nodes go before the insertion point, which is at first the end of `block`.
    """

    def __init__(self) -> None:
        self.values_made = 0
        """The number of values that the graph has ever had, which is the number of the next one."""
        self.names = DebugNames()
        self._kinds: set[str] = set()
        self.trace_notes: TraceNotes | None = None
        self.block = Block(self, None)
        self.insert_point: Node = self.block.end

    _repr_html_ = shown_as("graph")

    @property
    def inputs(self) -> list[Value]:
        return self.block.inputs

    @property
    def outputs(self) -> list[Value]:
        return self.block.outputs

    @property
    def nodes(self) -> Iterator[Node]:
        return self.block.nodes

    def may_have(self, *kinds: str) -> bool:
        """Return whether the graph ever had a node of one of these kinds; else skip the pass."""
        return not self._kinds.isdisjoint(kinds)

    def add_input(self, name: str | None = None, type: Type = TENSOR) -> Value:
        return self.block.add_input(type).set_name(name)

    def create(
        self, kind: str, inputs: Sequence[Value] = (), types: Sequence[Type] = (TENSOR,)
    ) -> Node:
        """Make a node that is in no block yet, with one output for each of `types`."""
        return Node(self, kind, inputs, types)

    def insert(self, node: Node) -> Node:
        """Put the node at the insertion point; `emit` does it by this method."""
        return node.insert_before(self.insert_point)

    def emit(
        self,
        kind: str,
        inputs: Sequence[Value] = (),
        types: Sequence[Type] = (TENSOR,),
        loc: SourceRange | None = None,
    ) -> Node:
        """`create` and `insert`."""
        node = self.insert(Node(self, kind, inputs, types))
        node.range = loc
        return node

    def inserting_at(self, point: Node | Block) -> _InsertingAt:
        """Insert before `point`, or at the end of a block, as long as a `with` block runs."""
        return _InsertingAt(self, point.end if isinstance(point, Block) else point)

    def all_nodes(self) -> Iterator[Node]:
        """Return an iterator over every node in pre-order, nodes of nested blocks included."""
        return all_nodes(self.block)

    def nodes_of_kind(self, *kinds: str) -> list[Node]:
        """Return the nodes of these kinds in pre-order, nodes of nested blocks included."""
        found: list[Node] = []
        if self.may_have(*kinds):
            find_nodes(self.block, kinds, found)
        return found

    def kinds_with(self, test: Callable[[str], bool]) -> list[str]:
        """Return those of which `test` is true among the kinds of nodes that it ever had."""
        return sorted(filter(test, self._kinds))

    def __str__(self) -> str:
        from minits.ir.printer import print_graph

        return print_graph(self)


class _InsertingAt:
    __slots__ = ("graph", "point", "saved")

    def __init__(self, graph: Graph, point: Node) -> None:
        self.graph = graph
        self.point = point

    def __enter__(self) -> None:
        self.saved = self.graph.insert_point
        self.graph.insert_point = self.point

    def __exit__(self, *exception: object) -> None:
        self.graph.insert_point = self.saved
