"""A graph as one C function.

    def total(n: int) -> int:            int32_t total(int64_t n, mts_value *out)
        s = 0                            {
        for i in range(n):                   int64_t s = 0;
            s += i * i                       for (int64_t i = 0; i < n; i++) {
        return s                                 s = s + i * i;
                                             }
                                             out[0].i = s;
                                             return 0;
                                         }

The function returns 0, the number of the site where the program raises (`sites.py`), or
`MTS_NO_MEMORY`; `out` has the results then, or what the site tells. Every line of the program
stands before its statements.

Where there are lists, `pool` links all that a call has made: the caller ends them, by the second
function of the text, once it has read the results.
"""

from __future__ import annotations

from collections.abc import Iterable

from minits.codegen.uses import is_used
from minits.ir.constants import has_containers, to_python
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node, Value
from minits.native.blocks import BlockPrinter
from minits.native.c_types import LIST, NotNative, c_type, node_of
from minits.native.names import Names
from minits.native.prelude import prelude
from minits.native.sites import Site, told_values
from minits.passes.pipeline import run_pipeline
from minits.types import types as t


class FunctionPrinter:
    """Prints one function. `sites` are the places where it may raise, numbered from 1.

    `graph` is a copy of the one given, whose blocks have the elements of tuples.
    """

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph = clone_graph(graph)
        run_pipeline(graph, "native")
        self.names = Names()
        self.name = self.names.new(name)
        self.sites: list[Site] = []
        self.inputs = [value for value in graph.inputs if is_used(value)]
        self.results = [*_leaves(graph.outputs)]
        self.has_lists = False
        """Whether it has a pool, known once it is printed."""

    @property
    def end(self) -> str:
        """The name of the function that ends all lists of a call."""
        return f"{self.name}_end"

    def text(self) -> str:
        """Return the whole C text: the function, after what it needs. Raises `NotNative`."""
        body = BlockPrinter(self, depth=1)
        parameters = [each for value in self.inputs for each in self._parameters(value, body)]
        body.block(self.graph.block)
        if not body.raised:
            for number, value in enumerate(self.results):
                body.line(f"out[{number}].{c_type(value).slot} = {body.read(value)};")
            body.line("return 0;")
        if self.has_lists:
            parameters.append("mts_list **pool")
        head = f"int32_t {self.name}({', '.join([*parameters, 'mts_value *out'])})"
        lines = [head, "{", *body.lines, "}", ""]
        if self.has_lists:
            lines += ["", f"void {self.end}(mts_list **pool)", "{", "    mts_free_all(pool);", "}"]
        text = "\n".join([*lines, ""])
        return f"{prelude(text)}\n\n{text}"

    def _parameters(self, value: Value, body: BlockPrinter) -> list[str]:
        """Return the parameters of an input. A list is made of its items, in the function."""
        type, name = c_type(value), self.names.of(value)
        if type is not LIST:
            return [type.of(name)]
        assert isinstance(value.type, t.ListType)
        length, items = self.names.new(f"{name}_length"), self.names.new(f"{name}_items")
        if not isinstance(value.type.element, t.ListType):
            body.make(value, f"mts_list_of(pool, {length}, {items})")
            return [f"int64_t {length}", f"const mts_value *{items}"]
        if isinstance(value.type.element.element, t.ListType):
            raise NotNative(node_of(value), value.type.annotation)
        lengths = self.names.new(f"{name}_lengths")
        body.make(value, f"mts_list_of_rows(pool, {length}, {lengths}, {items})")
        return [
            f"int64_t {length}", f"const mts_value *{lengths}", f"const mts_value *{items}"
        ]  # fmt: skip

    def site(self, node: Node) -> tuple[int, list[Value]]:
        """Return the number of a new site, and the values that it tells."""
        told = told_values(node)
        self.sites.append(Site(node, told))
        return len(self.sites), told


def _leaves(values: Iterable[Value]) -> Iterable[Value]:
    """Yield the values of which results are made: the items of plain tuples in their place.

    Python has the tuples that are constants, and None.
    """
    for value in values:
        if isinstance(to_python(value), tuple):
            if has_containers(to_python(value)):
                raise NotNative(node_of(value), value.type.annotation)
        elif value.node.kind == "prim::TupleConstruct":
            if isinstance(value.type, t.TupleType) and value.type.name is not None:
                raise NotNative(value.node, value.type.annotation)
            yield from _leaves(value.node.inputs)
        elif value.type != t.NONE:
            yield value
