"""Native functions: their text, and calling them from Python.

function = NativeFunction(graph, "total")
function.text        the whole C text
function.build()     from the cache, if it is there
function(10)         what the graph returns; the interpreter lock is released meanwhile
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Value
from minits.kernels.cpu.c_build import build, is_built
from minits.native.boundary import addresses_of, arrays_of, reader
from minits.native.c_types import LIST, c_type
from minits.native.printer import FunctionPrinter
from minits.native.sites import raise_at
from minits.types import types as t

_NO_MEMORY = -1
"""The number that a function returns instead of a site, without memory: `MTS_NO_MEMORY`."""


class NativeFunction:
    """A graph as a function in C. Making one raises `NotNative` where it cannot be.

    A call takes the graph's inputs by position, as checked by the caller. It raises what the
    program raises, and MemoryError.
    """

    def __init__(self, graph: Graph, name: str) -> None:
        printer = FunctionPrinter(graph, name)
        self.text = printer.text()
        self.graph, self.name = printer.graph, name
        self._printer = printer
        self.call: Callable[..., Any] | None = None
        """The Python function that calls the one in C, once that is built."""

    @property
    def is_built(self) -> bool:
        """Return whether calls find it built. Raises NoCompiler."""
        return self.call is not None or is_built(self.text)

    def build(self) -> None:
        """Build it, or load what was built before. Raises NoCompiler."""
        if self.call is None:
            library = build(self.text)
            entry = library[self._printer.name]
            inputs = [type for value in self._printer.inputs for type in _argument_types(value)]
            entry.argtypes = [*inputs, *[ctypes.c_void_p] * (2 if self._printer.has_lists else 1)]
            entry.restype = ctypes.c_int32
            end = library[self._printer.end] if self._printer.has_lists else None
            self.call = self._caller(entry, end)

    def __call__(self, *values: Any) -> Any:
        if self.call is None:
            self.build()
        assert self.call is not None
        return self.call(*values)

    def _caller(self, entry: Any, end: Any) -> Callable[..., Any]:
        """Return a Python function of the graph's inputs that calls the function in C."""
        graph, printer = self.graph, self._printer
        names = {value: f"i{number}" for number, value in enumerate(graph.inputs)}
        told = [len(site.told) for site in printer.sites]
        namespace: dict[str, Any] = {
            "Slots": ctypes.c_int64 * max(len(printer.results), *told, 1),
            "entry": entry,
            "fail": self._raise,
            "floats": struct.Struct("d").unpack_from,
            "read": reader([value.type for value in printer.results]),
            "constants": [],
            "addresses_of": addresses_of,
        }
        leaves = [_leaf(value, number) for number, value in enumerate(printer.results)]
        before, given = [], []
        for value in printer.inputs:
            name = names[value]
            if isinstance(value.type, t.ListType):
                namespace[f"arrays_of_{name}"] = partial(arrays_of, type=value.type.element)
                before.append(f"arrays_{name} = arrays_of_{name}({name})")
                given += [f"len({name})", f"*addresses_of(arrays_{name})"]
            else:
                given.append(name)
        if printer.has_lists:
            leaves = [f"leaves[{number}]" for number in range(len(leaves))]
            given.append("pool")
        results = _results(graph.outputs, iter(leaves), namespace["constants"])
        # def call(i0, i1):
        #     out = Slots()
        #     if site := entry(i0, i1, out):
        #         fail(site, out)
        #     return out[0]
        body = [
            "out = Slots()",
            f"if site := entry({', '.join([*given, 'out'])}):",
            "    fail(site, out)",
            f"return {results}",
        ]
        if printer.has_lists:
            namespace.update(Pool=ctypes.c_void_p * 1, end=end)
            end.argtypes, end.restype = [ctypes.c_void_p], None
            body.insert(3, "leaves = read(out)")
            body = [*before, "pool = Pool()", "try:", *[f"    {each}" for each in body]]
            body += ["finally:", "    end(pool)"]
        lines = [f"def call({', '.join(names.values())}):", *[f"    {each}" for each in body]]
        exec(compile("\n".join(lines), "<minits native>", "exec"), namespace)
        call: Callable[..., Any] = namespace["call"]
        return call

    def _raise(self, number: int, out: Any) -> None:
        """Raise the error of a site, whose operands are in `out`."""
        if number == _NO_MEMORY:
            raise MemoryError
        site = self._printer.sites[number - 1]
        told = reader([value.type for value in site.told])(out)
        raise_at(site, told, self.graph, self.name)


def _argument_types(value: Value) -> list[Any]:
    """Return the types of ctypes by which an input is handed over."""
    type = c_type(value)
    if type is not LIST:
        return [type.argument]
    assert isinstance(value.type, t.ListType)
    depth = 2 if isinstance(value.type.element, t.ListType) else 1
    return [ctypes.c_int64, *[type.argument] * depth]


def _leaf(value: Value, slot: int) -> str:
    """Return the expression of a number in a slot of `out`."""
    if value.type == t.FLOAT:
        return f"floats(out, {8 * slot})[0]"
    return f"out[{slot}] != 0" if value.type == t.BOOL else f"out[{slot}]"


def _results(values: list[Value], leaves: Iterator[str], constants: list[Any]) -> str:
    """Return the expression of a graph's outputs; tuples that are constants go into a list."""
    texts = [_result(value, leaves, constants) for value in values]
    return texts[0] if len(texts) == 1 else f"({''.join([f'{text}, ' for text in texts])})"


def _result(value: Value, leaves: Iterator[str], constants: list[Any]) -> str:
    content = to_python(value)
    if isinstance(content, tuple):
        constants.append(content)
        return f"constants[{len(constants) - 1}]"
    if value.node.kind == "prim::TupleConstruct":
        items = [_result(item, leaves, constants) for item in value.node.inputs]
        return f"({''.join([f'{item}, ' for item in items])})"
    return "None" if value.type == t.NONE else next(leaves)
