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

    Raises `TypeError` for what is neither.
    """
    if isinstance(compiled, ScriptModule):
        for method_name in compiled.method_names():
            method = compiled.compile_method(method_name)
            if isinstance(method, ScriptFunction) and not method_name.startswith("__"):
                yield _exported(method, method_name, compiled)
    elif isinstance(compiled, ScriptFunction):
        yield _exported(compiled, name, None)
    else:
        raise TypeError(f"{name} takes any number of arguments: a library has no such functions")


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
