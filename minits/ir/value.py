"""Values of a graph, the nodes that use them, and attributes of nodes.

A value belongs to the node that gives it, or to the block whose input it is (`graph.py`).

Source: torch/csrc/jit/ir/ir.h (`Value`, `Use`) and attributes.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from minits.types.types import Type

if TYPE_CHECKING:
    from minits.ir.graph import Node

new_tuple = tuple.__new__
"""The function that a NamedTuple's constructor calls: uses are made by the thousand."""


class Use(NamedTuple):
    """`user.inputs[offset]` is the value."""

    user: Node
    offset: int


class Attr(NamedTuple):
    """An attribute of a node.

    `kind` is torch's: i, f, c, s, t, ty, ival, g, or a list of them: is, fs, ss, ts, ...
    """

    kind: str
    value: Any


class Value:
    """The result of a node, or an input of a block.

    Invariant: `uses` lists every (node, index) that reads it.
    """

    __slots__ = ("_name", "index", "node", "type", "unique", "uses")

    def __init__(self, node: Node, index: int, type: Type) -> None:
        self.node = node
        self.index = index
        self.type = type
        self.uses: list[Use] = []
        self._name: str | None = None
        graph = node.graph
        self.unique = graph.values_made
        graph.values_made += 1

    @property
    def has_name(self) -> bool:
        return self._name is not None

    @property
    def name(self) -> str:
        """The name printed after `%`: the debug name, else the value's number."""
        return self._name if self._name is not None else str(self.unique)

    def set_name(self, name: str | None) -> Value:
        """Name the value.

        An older owner of the name is renamed with a `.n` suffix, as torch does.
        """
        self.node.graph.names.assign(self, name)
        return self

    def renumber(self) -> None:
        """Give the value a new number, the next one of its graph."""
        graph = self.node.graph
        self.unique = graph.values_made
        graph.values_made += 1

    def set_type(self, type: Type) -> Value:
        self.type = type
        return self

    def replace_all_uses_with(self, other: Value) -> None:
        if other is not self:
            for user, index in self.uses:
                user.inputs[index] = other
            other.uses += self.uses
            self.uses = []

    def __repr__(self) -> str:
        return f"%{self.name} : {self.type}"


def remove_use(uses: list[Use], use: Use) -> None:
    """Remove a use; the last one at once, since blocks are emptied from their ends."""
    if uses[-1] == use:
        uses.pop()
    else:
        uses.remove(use)
