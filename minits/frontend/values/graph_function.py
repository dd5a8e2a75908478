"""Compiled functions that are given a graph: it was recorded, or torch.jit has compiled it.

They are called, inlined, fused, printed and saved as those that were compiled of a source.

Source: torch/csrc/jit/python/script_init.cpp (`_create_function_from_trace`,
`_create_function_from_graph`).
"""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword
from typing import Any

from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.scope import SelfArgument
from minits.ir.graph import Graph
from minits.ops.schema import Argument, Schema
from minits.source import SourceFile, SourceRange
from minits.syntax import parse_definitions
from minits.types import types as t


class GraphFunction(CompiledFunction):
    """A function with this graph.

    names: those of its parameters, without `self`. `arguments`: the parameters, where more is known
        of them than that.
    """

    def __init__(
        self,
        name: str,
        qualified_name: str,
        graph: Graph,
        names: Sequence[str] = (),
        itself: SelfArgument | None = None,
        arguments: Sequence[Argument] = (),
    ) -> None:
        parameters = _parameter_names(graph, names, is_method=itself is not None)
        loc = next((node.range for node in graph.nodes if node.range is not None), None)
        definition = _definition(name, len(parameters), loc)
        super().__init__(name, qualified_name, definition, _NO_NAMES, itself=itself)
        self._graph = graph
        types = [value.type for value in graph.inputs]
        if itself is not None:
            types[0] = itself.type
        without_defaults = [Argument(*each) for each in zip(parameters, types, strict=True)]
        result = Argument("", graph.outputs[0].type if graph.outputs else t.NONE)
        self._schema = Schema(name, "", tuple(arguments or without_defaults), (result,))


class _NoNames:
    """The scope of a function without a source."""

    dialect = "torch"

    def value(self, name: str, loc: Any, emitter: Any) -> None:
        return None

    def type(self, annotation: Any) -> Any:
        """Raise AssertionError."""
        raise AssertionError("a graph has no annotations")

    def names(self) -> list[str]:
        return []


_NO_NAMES = _NoNames()


def _parameter_names(graph: Graph, names: Sequence[str], is_method: bool) -> list[str]:
    """Return the names of the inputs; those without one are `argument_1` and so on."""
    first = ["self"] if is_method else []
    rest = graph.inputs[len(first) :]
    if len(names) >= len(rest):
        return first + list(names[: len(rest)])
    return first + [
        _base(value.name) if value.has_name else f"argument_{value.index}" for value in rest
    ]


def _base(name: str) -> str:
    """Return `x` for `x.3`."""
    base, _, number = name.rpartition(".")
    return base if base and number.isdigit() else name


def _definition(name: str, count: int, loc: SourceRange | None) -> Any:
    """Return the tree of an empty function with so many parameters, for errors to point to."""
    parameters = ", ".join(f"argument_{index}" for index in range(count))
    known = name.isidentifier() and not iskeyword(name)
    text = f"def {name if known else 'traced'}({parameters}):\n    pass\n"
    file = SourceFile(loc.source.filename if loc else "<trace>", text)
    return next(iter(parse_definitions(file)))
