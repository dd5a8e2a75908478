"""The functions that become a library: of a file, or the methods of a module or an archive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from minits.ir.graph import Graph
from minits.native_build.fixed_modes import fix_modes
from minits.ops.schema import Argument
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule, method_of, methods_of


@dataclass(frozen=True, slots=True)
class Exported:
    """A function or method that a library has, with its optimised graph.

    declaration: its schema, without `self`
    parameters: those that callers give, without `self`
    function: what was compiled
    owner: the module, of a method
    """

    name: str
    graph: Graph
    declaration: str
    parameters: tuple[Argument, ...]
    function: ScriptFunction
    owner: Any = None

    def declared(self, parameters: Sequence[Argument]) -> str:
        """Return the declaration with these parameters."""
        (returned,) = self.function._minits.schema.returns
        return f"{self.name}({', '.join(map(str, parameters))}) -> {returned}"


def ignore(message: str) -> None:
    """Tell nobody what is left out."""


def exported(compiled: Any, name: str, tell: Callable[[str], None] = ignore) -> Iterator[Exported]:
    """Yield a function under this name, or the methods of a module under their own.

    Overloads have the name of the method that they are. `tell` is told what is left out. Raises
    `TypeError` for what is neither, and for a module without methods.
    """
    if isinstance(compiled, ScriptModule):
        yield from _methods(compiled, name, tell)
    elif isinstance(compiled, ScriptFunction):
        yield _exported(compiled, name, None)
    else:
        raise TypeError(f"{name} takes any number of arguments: a library has no such functions")


def _methods(module: ScriptModule, name: str, tell: Callable[[str], None]) -> Iterator[Exported]:
    """Yield the methods of a module. Raises `TypeError` for one without any of a single form."""
    overloaded = {each: known for known, names in module.overloads().items() for each in names}
    count = 0
    for each in methods_of(module):
        if each.startswith("__"):
            continue
        method = method_of(module, each)
        if isinstance(method, ScriptFunction):
            yield _exported(method, overloaded.get(each, each), module)
            count += 1
        else:
            tell(f"{each} is left out: it takes any number of arguments")
    if not count:
        raise TypeError(f"{name} has no method, or takes arguments of several forms")


def _exported(function: ScriptFunction, name: str, owner: Any) -> Exported:
    arguments = tuple(function._minits.schema.arguments)[0 if owner is None else 1 :]
    given = ", ".join(map(str, arguments))
    (returned,) = function._minits.schema.returns
    graph = function.graph_after(["optimize"])
    if fix_modes(graph):
        run_pipeline(graph, "optimize")
    return Exported(
        name,
        graph,
        f"{name}({given}) -> {returned}",
        arguments,
        function,
        owner,
    )
