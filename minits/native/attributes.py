"""Attributes of the objects that a function is given: read before C runs, and set after it.

    def forward(self, n):                      self.step is an input of the graph, which Python
        self.count += n * self.step            reads; self.count is in the `state`, an object that
        return self.count                      C has, and whose attributes Python sets at the end

Lists and dicts are the caller's own, and have afterwards what C has left in them (`boundary.py`).
One that is set is an input, too, which C puts into the state: what it has there at the end, the
same one or another, Python sets. What C cannot have stays as it is: an object that goes elsewhere,
and a list of lists that is set.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import reduce
from keyword import iskeyword
from typing import Any

from minits.codegen.templates import module_dict
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import STATE, c_type_of, is_tagged
from minits.ops.implementations.structure import reader_of, setter_of
from minits.records import dataclass, field
from minits.types import types as t
from minits.types.type_parts import distinct_parts

Path = tuple[str, ...]
Getter = Callable[[Sequence[Any]], Any]
"""A function from all arguments of a call to an attribute, or to an object."""
_CONTAINERS = (t.ListType, t.DictType)


@dataclass(frozen=True, slots=True)
class Place:
    """An attribute: the number of the graph's input, and the names that lead from there."""

    input: int
    path: Path


@dataclass(eq=False, slots=True)
class Attributes:
    """The attributes that a graph has, and the functions by which Python reads and sets them.

    read: the inputs that are attributes, with the functions that read each of all inputs
    state: the input that has the attributes which are set; None if there are none
    """

    read: dict[Value, Getter] = field(default_factory=dict)
    texts: dict[Value, str] = field(default_factory=dict)
    """Expressions of those that are read as generated Python reads them, of inputs `iN`."""
    state: Value | None = None
    owners: list[Getter] = field(default_factory=list)
    setters: list[tuple[Getter, Callable[[Any, Any], Any]]] = field(default_factory=list)
    first: dict[int, Value] = field(default_factory=dict)
    """By the numbers of attributes of the state: the inputs that are lists or dicts, at first."""

    @property
    def may_be_met_twice(self) -> bool:
        """Return whether any is written to where it lies."""
        return self.state is not None or any(is_shared(value.type) for value in self.read)

    def check(self, values: Sequence[Any]) -> None:
        """Check that no object, list or dict is met twice where it is written to.

        Raises `ctypes.ArgumentError`: C would have two of it.
        """
        shared = [get(values) for value, get in self.read.items() if is_shared(value.type)]
        if self.state is not None:
            shared += [owner(values) for owner in self.owners]
        if len({*map(id, shared)}) < len(shared):
            raise ctypes.ArgumentError("one object is met twice")

    def set_all(self, values: Sequence[Any], found: Sequence[Any]) -> None:
        """Set the attributes of the state to what C has left in it."""
        for (owner, put), value in zip(self.setters, found, strict=True):
            put(owner(values), value)


def is_shared(type: t.Type) -> bool:
    """Return whether values of a type are written to where they lie."""
    return isinstance(type, _CONTAINERS)


def take_attributes(graph: Graph) -> Attributes:
    """Make inputs of the attributes that a graph reads and sets, where C can have all of them."""
    finder = _Finder(graph)
    if not finder.is_native():
        return Attributes()
    read, texts = dict[Value, Getter](), dict[Value, str]()
    for place in finder.only_read:
        text, value = finder.text(place), finder.input_of(place)
        read[value] = finder.getter(place)
        if text is not None:
            texts[value] = text
    types = [finder.type_of(place) for place in finder.written]
    state = finder.state()
    setters = [(finder.getter(place, -1), setter_of(place.path[-1])) for place in finder.written]
    owners = [finder.getter(place) for place in finder.owners.values()]
    first = dict[int, Value]()
    if state is not None:
        getters = [finder.getter(place) for place in finder.written]
        for number, type in enumerate(types):
            if is_shared(type):
                first[number] = graph.add_input(None, type)
                read[first[number]] = getters[number]
                getters[number] = _nothing
        read[state] = _together(getters)
    finder.remove_owners()
    return Attributes(read, texts, state, owners, setters, first)


def never_changes(type: t.Type) -> bool:
    """Return whether a value of a type is a number, a str, a tensor or None, or a tuple of such."""
    is_fixed = not isinstance(type, (*_CONTAINERS, t.ClassType, t.FutureType)) and type != t.COMPLEX
    return is_fixed and not is_tagged(type) and all(map(never_changes, distinct_parts(type)))


def _can_be_set(type: t.Type) -> bool:
    """Return whether C has values of a type, and what they hold never changes."""
    parts = distinct_parts(type) if is_shared(type) else [type]
    return all(map(never_changes, parts)) and c_type_of(type) is not None


def _nothing(values: Sequence[Any]) -> None:
    """Return None, for a list that C is given in another way."""


def _together(getters: Sequence[Getter]) -> Getter:
    return lambda values: tuple([get(values) for get in getters])


class _Finder:
    """The nodes that read and set attributes of a graph's inputs, by their places."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.owners: dict[Value, Place] = {
            value: Place(number, ())
            for number, value in enumerate(graph.inputs)
            if isinstance(value.type, t.ClassType) and value.type.name != STATE
        }
        self._gets: dict[Place, list[Node]] = {}
        self._sets: dict[Place, list[Node]] = {}
        for node in list(graph.all_nodes()) if self.owners else ():
            self._note(node)
        self.written = [*self._sets]
        self.only_read = [place for place in self._gets if place not in self._sets]

    def _note(self, node: Node) -> None:
        owner = self.owners.get(node.inputs[0]) if node.inputs else None
        if owner is None or node.kind not in ("prim::GetAttr", "prim::SetAttr"):
            return
        place = Place(owner.input, (*owner.path, node["name"]))
        if node.kind == "prim::SetAttr":
            self._sets.setdefault(place, []).append(node)
        elif isinstance(node.output.type, t.ClassType):
            self.owners[node.output] = place
        else:
            self._gets.setdefault(place, []).append(node)

    def is_native(self) -> bool:
        """Return whether objects are only read and set, and C can have what is set."""
        known = {node for nodes in (*self._gets.values(), *self._sets.values()) for node in nodes}
        known |= {value.node for value in self.owners}
        uses = [use for owner in self.owners for use in owner.uses]
        are_known = all(use.user in known and use.offset == 0 for use in uses)
        return are_known and all(_can_be_set(self.type_of(place)) for place in self.written)

    def type_of(self, place: Place) -> t.Type:
        """Return the declared type of an attribute that is set."""
        declared = self._sets[place][0].inputs[0].type
        assert isinstance(declared, t.ClassType)
        return declared.attributes[place.path[-1]].type

    def input_of(self, place: Place) -> Value:
        """Return a new input that stands for an attribute which nothing sets."""
        nodes = self._gets[place]
        name = place.path[-1]
        value = self.graph.add_input(name if name.isidentifier() else None, nodes[0].output.type)
        for node in nodes:
            node.output.replace_all_uses_with(value)
            node.destroy()
        return value

    def state(self) -> Value | None:
        """Return a new input, an object with the attributes that are set, which the nodes use."""
        if not self.written:
            return None
        names = {place: f"{place.path[-1]}_{n}" for n, place in enumerate(self.written)}
        attributes = {name: t.Attribute(name, self.type_of(place)) for place, name in names.items()}
        state = self.graph.add_input("state", t.ClassType("state", attributes=attributes))
        for place, name in names.items():
            for node in (*self._gets.get(place, ()), *self._sets[place]):
                node.set_input(0, state)
                node.set_attr("name", "s", name)
        return state

    def text(self, place: Place) -> str | None:
        """Return the expression that reads an attribute of an input `iN`, past `__getattr__`."""
        type, text = self.graph.inputs[place.input].type, f"i{place.input}"
        for name in place.path:
            if not isinstance(type, t.ClassType) or name not in type.attributes:
                return None
            attribute = type.attributes[name]
            kept_in = module_dict(type, attribute)
            if kept_in is not None:
                text += f".{kept_in}[{name!r}]"
            elif not name.isidentifier() or iskeyword(name):
                return None
            elif type.is_module or type.cls is not None:
                text += f".{name}"
            else:
                return None
            type = attribute.type
        return text

    def getter(self, place: Place, end: int | None = None) -> Getter:
        """Return a function from all inputs to an attribute, or its owner if `end` is -1."""
        steps = [reader_of(name) for name in place.path[:end]]
        return lambda values: reduce(lambda owner, step: step(owner), steps, values[place.input])

    def remove_owners(self) -> None:
        """Remove the nodes that read the objects within others."""
        for value in reversed(self.owners):
            if value.node.kind == "prim::GetAttr":
                value.node.destroy()
