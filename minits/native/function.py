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
from typing import Any

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Value
from minits.kernels.cpu.c_build import build, is_built
from minits.native.c_types import C_TYPES
from minits.native.printer import FunctionPrinter
from minits.native.sites import raise_at
from minits.types import types as t


class NativeFunction:
    """A graph as a function in C. Making one raises `NotNative` where it cannot be.

    A call takes the graph's inputs by position, as checked by the caller. It raises what the
    program raises.
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
            entry = build(self.text)[self._printer.name]
            types = [C_TYPES[value.type].argument for value in self._printer.inputs]
            entry.argtypes = [*types, ctypes.c_void_p]
            entry.restype = ctypes.c_int32
            self.call = self._caller(entry)

    def __call__(self, *values: Any) -> Any:
        if self.call is None:
            self.build()
        assert self.call is not None
        return self.call(*values)

    def _caller(self, entry: Any) -> Callable[..., Any]:
        """Return a Python function of the graph's inputs that calls the function in C."""
        graph, printer = self.graph, self._printer
        names = {value: f"i{number}" for number, value in enumerate(graph.inputs)}
        given = "".join([f"{names[value]}, " for value in printer.inputs])
        leaves = [_leaf(value, number) for number, value in enumerate(printer.results)]
        constants: list[tuple[Any, ...]] = []
        # def call(i0, i1):
        #     out = Slots()
        #     if site := entry(i0, i1, out):
        #         fail(site, out)
        #     return out[0]
        text = (
            f"def call({', '.join(names.values())}):\n"
            f"    out = Slots()\n"
            f"    if site := entry({given}out):\n"
            f"        fail(site, out)\n"
            f"    return {_results(graph.outputs, iter(leaves), constants)}\n"
        )
        told = [len(site.told) for site in printer.sites]
        namespace: dict[str, Any] = {
            "Slots": ctypes.c_int64 * max(len(leaves), *told, 1),
            "entry": entry,
            "fail": self._raise,
            "constants": constants,
            "floats": struct.Struct("d").unpack_from,
        }
        exec(compile(text, "<minits native>", "exec"), namespace)
        call: Callable[..., Any] = namespace["call"]
        return call

    def _raise(self, number: int, out: Any) -> None:
        """Raise the error of a site, whose operands are in `out`."""
        site = self._printer.sites[number - 1]
        codes = "".join([C_TYPES[value.type].code for value in site.told])
        told = [
            bool(item) if value.type == t.BOOL else item
            for value, item in zip(site.told, struct.unpack_from(codes, out), strict=True)
        ]
        raise_at(site, told, self.graph, self.name)


def _leaf(value: Value, slot: int) -> str:
    """Return the expression of a value in a slot of `out`."""
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
