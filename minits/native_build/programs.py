"""The functions that become a library: of a file, or the methods of a module or an archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minits.ir.graph import Graph
from minits.ops.schema import Argument
from minits.records import dataclass
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule


@dataclass(frozen=True, slots=True)
class Exported:
    """A function or method that a library has, with its optimised graph.

    declaration: its schema, without `self`
    parameters: those that callers give, without `self`
    owner: the module, of a method
    """

    name: str
    graph: Graph
    declaration: str
    parameters: tuple[Argument, ...]
    owner: Any = None


def exported(compiled: Any, name: str) -> Iterator[Exported]:
    """Yield a function under this name, or the methods of a module under their own.

    Raises `TypeError` for what is neither, and for a module without methods.
    """
    if isinstance(compiled, ScriptModule):
        yield from _methods(compiled, name)
    elif isinstance(compiled, ScriptFunction):
        yield _exported(compiled, name, None)
    else:
        raise TypeError(f"{name} takes any number of arguments: a library has no such functions")


def _methods(module: ScriptModule, name: str) -> Iterator[Exported]:
    """Yield the methods of a module. Raises `TypeError` for one without any of a single form."""
    methods = [
        (each, module.compile_method(each))
        for each in module.method_names()
        if not each.startswith("__")
    ]
    of_one_form = [(each, found) for each, found in methods if isinstance(found, ScriptFunction)]
    if not of_one_form:
        raise TypeError(f"{name} has no method, or takes arguments of several forms")
    for method_name, method in of_one_form:
        yield _exported(method, method_name, module)


def _exported(function: ScriptFunction, name: str, owner: Any) -> Exported:
    arguments = tuple(function.schema.arguments)[0 if owner is None else 1 :]
    given = ", ".join(map(str, arguments))
    (returned,) = function.schema.returns
    return Exported(
        name,
        function.graph_after(["optimize"]),
        f"{name}({given}) -> {returned}",
        arguments,
        owner,
    )
