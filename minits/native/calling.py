"""The Python function that calls a function in C.

It is made as text, for a call is to take as few steps as it can:

    def call(i0, i1):
        out = Slots()
        if site := entry(i0, i1, out):
            fail(site, out, (i0, i1))
        return out[0]

and where there are lists:

    def call(i0, i1):
        arrays_i0 = arrays_of_i0(i0)
        pool = Pool()
        out = Slots()
        try:
            if site := entry(len(i0), *addresses_of(arrays_i0), i1, pool, out):
                fail(site, out, (i0, i1))
            leaves = read(out)
            return leaves[0]
        finally:
            end(pool)
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from minits.ir.constants import to_python
from minits.ir.graph import Value
from minits.native.boundary import addresses_of, arrays_of, give_back, reader
from minits.native.c_types import c_type
from minits.native.printer import FunctionPrinter
from minits.native.sites import raise_at
from minits.types import types as t

_NO_MEMORY = -1
"""The number that a function returns instead of a site, without memory: `MTS_NO_MEMORY`."""


def caller(printer: FunctionPrinter, name: str, entry: Any, end: Any) -> Callable[..., Any]:
    """Return a Python function of the graph's inputs that calls the function `entry` in C.

    name: of the program's function, which is in the errors' tracebacks
    end: frees the lists of a call, where there are any
    """
    entry.argtypes = [*_argument_types(printer), ctypes.c_void_p]
    entry.restype = ctypes.c_int32
    namespace: dict[str, Any] = {
        "Slots": ctypes.c_int64 * _slots(printer),
        "entry": entry,
        "fail": partial(_fail, printer, name),
        "floats": struct.Struct("d").unpack_from,
        "constants": [],
    }
    names = {value: f"i{number}" for number, value in enumerate(printer.graph.inputs)}
    values = "".join([f"{each}, " for each in names.values()])
    given = [text for value in printer.inputs for text in _arguments(printer, value, names[value])]
    if printer.has_lists:
        _add_lists(printer, end, namespace)
        body = _body_with_lists(printer, given, names, values, namespace)
    else:
        leaves = [_leaf(value, number) for number, value in enumerate(printer.results)]
        body = [
            "out = Slots()",
            f"if site := entry({', '.join([*given, 'out'])}):",
            f"    fail(site, out, ({values}))",
            f"return {_results(printer, iter(leaves), namespace)}",
        ]
    lines = [f"def call({values.removesuffix(', ')}):", *[f"    {each}" for each in body]]
    exec(compile("\n".join(lines), "<minits native>", "exec"), namespace)
    call: Callable[..., Any] = namespace["call"]
    return call


def _slots(printer: FunctionPrinter) -> int:
    """Return the length of `out`: the caller's lists, then results, or what a site tells."""
    told = [len(site.told) for site in printer.sites]
    return len(printer.shared) + max(len(printer.results), *told, 1)


def _argument_types(printer: FunctionPrinter) -> list[Any]:
    """Return the types of ctypes by which inputs are handed over, and the pool of lists."""
    types: list[Any] = []
    for value in printer.inputs:
        kind = printer.kinds.get(value)
        if kind is not None:
            types += [ctypes.c_void_p, *[ctypes.c_int64] * (2 * kind.rank)]
        elif isinstance(value.type, t.ListType):
            depth = 2 if isinstance(value.type.element, t.ListType) else 1
            types += [ctypes.c_int64, *[ctypes.c_void_p] * depth]
        else:
            types.append(c_type(value).argument)
    return [*types, ctypes.c_void_p] if printer.has_lists else types


def _arguments(printer: FunctionPrinter, value: Value, name: str) -> list[str]:
    """Return the texts by which an input is handed over."""
    if value in printer.kinds:
        return [f"{name}.data_ptr()", f"*{name}.shape", f"*{name}.stride()"]
    if isinstance(value.type, t.ListType):
        return [f"len({name})", f"*addresses_of(arrays_{name})"]
    return [name]


def _add_lists(printer: FunctionPrinter, end: Any, namespace: dict[str, Any]) -> None:
    end.argtypes, end.restype = [ctypes.c_void_p], None
    shared = [value.type for value in printer.shared]
    namespace.update(
        Pool=ctypes.c_void_p * 1,
        addresses_of=addresses_of,
        end=end,
        read=reader([value.type for value in printer.results], len(shared)),
        give_back=partial(give_back, shared),
    )


def _body_with_lists(
    printer: FunctionPrinter,
    given: list[str],
    names: dict[Value, str],
    values: str,
    namespace: dict[str, Any],
) -> list[str]:
    """Return the lines of the function where there are lists."""
    before = []
    for value in printer.lists:
        name = names[value]
        assert isinstance(value.type, t.ListType)
        namespace[f"arrays_of_{name}"] = partial(arrays_of, type=value.type.element)
        before.append(f"arrays_{name} = arrays_of_{name}({name})")
    shared = "".join([f"{names[value]}, " for value in printer.shared])
    leaves = [f"leaves[{number}]" for number in range(len(printer.results))]
    return [
        *before,
        "pool = Pool()",
        "out = Slots()",
        "try:",
        f"    if site := entry({', '.join([*given, 'pool', 'out'])}):",
        f"        fail(site, out, ({values}))",
        f"    leaves = read(out, ({shared}))",
        f"    return {_results(printer, iter(leaves), namespace)}",
        "finally:",
        *([f"    give_back(out, ({shared}))"] if shared and printer.writes_lists else []),
        "    end(pool)",
    ]


def _leaf(value: Value, slot: int) -> str:
    """Return the expression of a number in a slot of `out`."""
    if value.type == t.FLOAT:
        return f"floats(out, {8 * slot})[0]"
    return f"out[{slot}] != 0" if value.type == t.BOOL else f"out[{slot}]"


def _results(printer: FunctionPrinter, leaves: Iterator[str], namespace: dict[str, Any]) -> str:
    """Return the expression of the outputs; tuples that are constants go into a list."""
    constants = namespace["constants"]
    texts = [_result(value, leaves, constants) for value in printer.graph.outputs]
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


def _fail(
    printer: FunctionPrinter, name: str, number: int, out: Any, values: tuple[Any, ...]
) -> None:
    """Raise the error of a site, whose operands are in `out`; `values` are those of the call."""
    if number == _NO_MEMORY:
        raise MemoryError
    site = printer.sites[number - 1]
    told = reader([value.type for value in site.told], len(printer.shared))(out)
    known = dict(zip(site.told, told, strict=True))
    given = zip(printer.graph.inputs, values, strict=True)
    known |= {value: each for value, each in given if value in printer.kinds}
    printer.restore_types()
    raise_at(site, known, printer.graph, name)
