"""The ends of tensors: after their last use, so that a function holds no more than it needs.

    mts_list *y = mts_tensor_of(pool, (void *)call[0]);
    ...
    mts_release(y);                                          the last call that is passed y is above

Lists, which are small, end with their block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import resolve, uses_of
from minits.ir.graph import Node, Value
from minits.native import tuples
from minits.native.c_types import has_tensors
from minits.native.sites import is_of_message

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


class Lifetimes:
    """The variables of tensors that a block declares, and which nodes are yet to use them."""

    def __init__(self, printer: BlockPrinter) -> None:
        self._printer = printer
        self._left: dict[Value, set[Node]] = {}
        """By value: the nodes of the block in which it is used, and which are not printed yet."""

    def add(self, value: Value) -> None:
        """Note a variable that has just been declared for a value, by the node of this value."""
        value = resolve(value)
        if not self._printer.function.has_handles or not has_tensors(value.type):
            return
        users = [use.user for use in uses_of(value)]
        block = value.node.owner
        if users and not any(map(_hands_on, users)):
            self._left[value] = {_within(block, user) for user in users}

    def end_after(self, node: Node) -> None:
        """Write the ends of what no node after this one uses."""
        printer = self._printer
        for users in self._left.values():
            users.discard(node)
        ended = [value for value, users in self._left.items() if not users]
        for value in ended:
            name = printer.function.names.of(value)
            if name not in printer.held or printer.function.names.is_shared(name):
                del self._left[value]
            elif not printer.waits_with(name):
                del self._left[value]
                printer.held.remove(name)
                printer.line(f"mts_release({name});")


def _hands_on(user: Node) -> bool:
    """Return whether a node has no statement of its own, but others that read its operands."""
    if user.kind == "prim::TupleConstruct":
        return not tuples.is_held(user.output)
    return is_of_message(user)


def _within(block: object, node: Node) -> Node:
    """Return the node of a block that a node is, or is within."""
    while node.owner is not block:
        owner = node.owner.owning_node
        assert owner is not None
        node = owner
    return node
