"""Functions of the program as functions of C: what is inlined again and again, is there once.

Before, where `square_sum` was inlined twice:
    %a : int = aten::mul(%x, %x)
    %b : int = aten::mul(%y, %y)
    %c : int = aten::add(%a, %b)
    %d : int = aten::mul(%c, %c)
    %e : int = aten::mul(%z, %z)
    %f : int = aten::add(%d, %e)
After:
    %c : int = native::call[call=square_sum](%x, %y)
    %f : int = native::call[call=square_sum](%c, %z)

The passes see all of a program, and fold what is constant in one call. Calls that are equal after
this share a function (`call_regions.py`), so that it is made for what is given: `f(x, None)` and
`f(x, 3)` are two. In a library, numbers and strs that differ are parameters.

The largest calls come first, and then those in the function that has been made. What is small stays
where it is: C's compiler would have inlined it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

from minits.ir.constants import to_python
from minits.ir.copying import clone_node, copy_metadata
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import STATE, tagged
from minits.native.call_regions import (
    LEAVES,
    Finder,
    Region,
    can_have_regions,
    deep,
    is_plain_constant,
)
from minits.native.callees import Callee
from minits.native.calls import CALL, Call
from minits.native.recomputing import recompute_in_calls
from minits.native.rows_of_nodes import writes

if TYPE_CHECKING:
    from minits.native.printer import FunctionPrinter

_SMALLEST = 8
"""Nodes of a call that becomes a function."""


def outline_calls(
    functions: Sequence[FunctionPrinter], new_name: Callable[[str], str], opens: bool
) -> None:
    """Let calls be calls of functions, which the first that calls each has in its `callees`.

    new_name: gives a function a name like the one wanted
    opens: whether constants may be parameters
    """
    found = [function for function in functions if can_have_regions(function.graph)]
    _Outliner(found, new_name, opens).run()


class _Outliner:
    """The regions that are known, by their keys, and the functions that have been made."""

    def __init__(
        self, functions: Sequence[FunctionPrinter], new_name: Callable[[str], str], opens: bool
    ) -> None:
        nodes = [node for each in functions for node in each.graph.nodes_of_kind("prim::SetAttr")]
        is_set = {x["name"] for x in nodes if getattr(x.inputs[0].type, "name", None) == STATE}
        self._new_name = new_name
        self._is_of_library = len(functions) > 1
        self._finder = Finder(frozenset(is_set), opens)
        self._known: dict[Any, list[tuple[FunctionPrinter | Callee, Region]]] = {}
        self._keys: list[tuple[int, int, Any]] = []
        self._counter = count()
        for function in functions:
            recompute_in_calls(function.graph)
            self._add(function, 0)

    def _add(self, function: FunctionPrinter | Callee, depth: int) -> None:
        """Note the regions of a function."""
        _note_places(function)
        found = [*self._finder.regions(function.graph.block, depth)]
        if self._is_of_library and not isinstance(function, Callee):
            rows = [region.nodes for region in found]
            found += [x for x in self._finder.whole(function.graph) if x.nodes not in rows]
        for region in found:
            if (size := region.size) < _SMALLEST:
                continue
            key = (region.key, id(function.tags) if _has_tags(region) else 0)
            if key not in self._known:
                heappush(self._keys, (-size, next(self._counter), key))
            self._known.setdefault(key, []).append((function, region))

    def run(self) -> None:
        while self._keys:
            _, _, key = heappop(self._keys)
            found = [each for each in self._known.pop(key) if each[1].is_there]
            if len(found) > 1:
                self._outline(found)

    def _outline(self, found: list[tuple[FunctionPrinter | Callee, Region]]) -> None:
        """Make a function of equal regions, and call it in their place."""
        for _, region in found:
            self._finder.read(region)  # whose operands may have become results of calls
            _gather(region, self._finder)
        parameters = _parameters([region for _, region in found])
        callee = self._callee(found, parameters)
        for function, region in found:
            _call(function, region, parameters, callee)
        callee.owner.callees.append(callee)
        self._add(callee, callee.depth)

    def _callee(
        self, found: list[tuple[FunctionPrinter | Callee, Region]], parameters: list[list[int]]
    ) -> Callee:
        """Return a function of the nodes of the first of some regions."""
        function, region = found[0]
        graph = Graph()
        local = {
            value: graph.block.append(clone_node(graph, value.node)).output
            for value in region.leaves
        }

        def lookup(value: Value) -> Value:
            return local.get(value, value)  # in whose place a parameter is put

        copies: dict[Node, Node] = {}
        for node in region.nodes:
            copy = graph.block.append(clone_node(graph, node, lookup))
            local.update(zip(node.outputs, copy.outputs, strict=True))
            copies.update(_pairs(node, copy))
        given = [region.values[numbers[0]] for numbers in parameters]
        for value, name, numbers in zip(given, _names_of(given), parameters, strict=True):
            parameter = graph.add_input(name, value.type)
            for user, index in [region.operands[number] for number in numbers]:
                copies[user].set_input(index, parameter)
        for value in region.outputs:
            graph.block.add_output(local[value])
        for node, copy in copies.items():
            local.update(zip(_made_by(node), _made_by(copy), strict=True))
        owner = _owner(function)
        owner.note_copies(local)
        nodes = [*deep([copies[node] for node in region.nodes])]
        callee = Callee(owner, graph, self._name(found), region.depth, nodes)
        callee.writes = any(map(writes, graph.nodes))
        return callee

    def _name(self, found: list[tuple[FunctionPrinter | Callee, Region]]) -> str:
        """Return the name of the function that some regions are; that of one which is all of a
        graph is taken over."""
        for function, region in found:
            if not region.depth:
                name, function.name = function.name, self._new_name(f"{function.name}_entry")
                return name
        return self._new_name(found[0][1].name)


def _owner(function: FunctionPrinter | Callee) -> FunctionPrinter:
    return function.owner if isinstance(function, Callee) else function


def _note_places(function: FunctionPrinter | Callee) -> None:
    """Note of each node without a place in the program which node before it has its place."""
    last = None
    for node in function.graph.all_nodes():
        if node.kind in LEAVES:
            continue
        if node.range is not None:
            last = node
        elif last is not None:
            function.places[node] = last


def _has_tags(region: Region) -> bool:
    """Return whether a region has values that tell their type, by the numbers of one function."""
    values = [x for node in deep(region.nodes) for x in (*node.inputs, *node.outputs)]
    return any(tagged(value.type) for value in values)


def _gather(region: Region, finder: Finder) -> None:
    """Let the attributes that a region reads, and that nothing sets, be read before it."""
    first, last = region.nodes[0], region.nodes[-1]
    between, node = [], first
    while node is not last:
        if finder.is_fixed(node):
            between.append(node)
        node = node.next
    for each in (*between, *region.moved):
        each.move_before(first)
    for value in region.values:
        if finder.is_fixed(value.node) and len(value.uses) == 1:
            value.set_name(None)  # so that it is written where it is used


def _parameters(regions: Sequence[Region]) -> list[list[int]]:
    """Return the operands that each parameter is, by their numbers.

    Operands that are one value in each of the regions are one parameter, and those that are one
    constant in all are none.
    """
    found: dict[tuple[Any, ...], list[int]] = {}
    for number, given in enumerate(zip(*[region.values for region in regions], strict=True)):
        known = tuple([_identity(value) for value in given])
        if len({*known}) > 1 or not isinstance(known[0], str):
            found.setdefault((given[0].type, *known), []).append(number)
    return [*found.values()]


def _identity(value: Value) -> Value | str:
    """Return a key that two operands have if they are one: of a constant, its text."""
    return repr(to_python(value)) if is_plain_constant(value) else value


def _names_of(values: Sequence[Value]) -> list[str | None]:
    """Return the names of parameters: those that values have, or attributes without the path that
    all of these begin with."""
    paths = [
        value.node["name"].split(".") for value in values if value.node.kind == "prim::GetAttr"
    ]
    while paths and len(paths[0]) > 1 and all(x[0] == paths[0][0] and len(x) > 1 for x in paths):
        paths = [path[1:] for path in paths]
    attributes = iter(paths)
    names: list[str | None] = []
    for value in values:
        if value.node.kind == "prim::GetAttr":
            name = "_".join(next(attributes))
            names.append(None if name.isdigit() else name)
        else:
            names.append(value.name.partition(".")[0] if value.has_name else None)
    return names


def _pairs(node: Node, copy: Node) -> Iterator[tuple[Node, Node]]:
    """Yield nodes and their copies, with those that end blocks."""
    yield node, copy
    for block, copied in zip(node.blocks, copy.blocks, strict=True):
        yield block.end, copied.end
        for inner, other in zip(block.nodes, copied.nodes, strict=True):
            yield from _pairs(inner, other)


def _made_by(node: Node) -> list[Value]:
    """Return the values that a node makes, with those that its blocks are given."""
    return [*node.outputs, *(value for block in node.blocks for value in block.inputs)]


def _call(
    function: FunctionPrinter | Callee,
    region: Region,
    parameters: list[list[int]],
    callee: Callee,
) -> None:
    """Put a call in the place of a region."""
    graph, first = function.graph, region.nodes[0]
    given = [region.values[numbers[0]] for numbers in parameters]
    for index, value in enumerate(given):
        if is_plain_constant(value):  # which may be within the region
            given[index] = clone_node(graph, value.node).insert_before(first).output
    call = graph.create(CALL, given, [value.type for value in region.outputs])
    nodes = [function.places.get(node, node) for node in deep(region.nodes)]
    call.set_attr("call", "call", Call(callee, nodes)).insert_before(first)
    if region.depth:
        call.range = first.callstack[region.depth - 1][1]
        call.callstack = first.callstack[: region.depth - 1]
    for value, result in zip(region.outputs, call.outputs, strict=True):
        copy_metadata(result, value)
        value.replace_all_uses_with(result)
    _owner(function).note_copies(dict(zip(region.outputs, call.outputs, strict=True)))
    for node in reversed(region.nodes):
        node.destroy()
