"""Modules whose types say less than is known of the call for which C is made.

class Net(nn.Module):
    layer: Layer            an interface: the call has an object of one class there, whose
                            methods C runs; a call with another class runs as Python
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import reduce
from typing import Any

from minits.compilation_state import known_class
from minits.ir.graph import Graph, Value
from minits.ops.implementations.structure import reader_of
from minits.records import dataclass, field
from minits.types import types as t

Place = tuple[int, tuple[str, ...]]
"""The number of an argument, and the names that lead from there to an object."""


@dataclass(slots=True, eq=False)
class KnownModules:
    """The classes of objects in a call, of which types tell the interfaces.

    call: the arguments
    """

    call: Sequence[Any]
    classes: dict[Place, t.ClassType] = field(default_factory=dict)

    def look(self, graph: Graph) -> bool:
        """Give the modules that a graph reads the types of those in the call, where these are
        interfaces. Return whether there were any."""
        changed = False
        for node in graph.nodes_of_kind("prim::GetAttr"):
            place = _place(graph, node.output)
            if place is not None and t.is_interface(node.output.type):
                found = known_class(_object_at(place, self.call))
                if found is not None and found.is_module:
                    self.classes[place] = node.output.type = found
                    changed = True
        return changed

    def check(self, values: Sequence[Any]) -> None:
        """Check that the objects of another call are of the same classes.

        Raises `ctypes.ArgumentError`.
        """
        for place, type in self.classes.items():
            if known_class(_object_at(place, values)) is not type:
                raise ctypes.ArgumentError("a module is of another class")


def _object_at(place: Place, values: Sequence[Any]) -> Any:
    number, names = place
    return reduce(lambda owner, name: reader_of(name)(owner), names, values[number])


def _place(graph: Graph, value: Value) -> Place | None:
    """Return the place of a module, or another object that an argument holds."""
    if not isinstance(value.type, t.ClassType):
        return None
    if value.node.kind == "prim::GetAttr":
        owner = _place(graph, value.node.inputs[0])
        return None if owner is None else (owner[0], (*owner[1], value.node["name"]))
    return (graph.inputs.index(value), ()) if value in graph.inputs else None
