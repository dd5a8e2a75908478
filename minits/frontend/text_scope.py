"""The names of a text that is compiled without being run.

A name means a function, class or import of the text itself, `torch` and `math`, or what TorchScript
always knows (`List`, `Tensor`, ...); nothing is imported and nothing of the text is executed.

Source: torch/csrc/jit/frontend/resolver.h (`nativeResolver`, `FunctionResolver`).
"""

from __future__ import annotations

import math
import typing
from typing import TYPE_CHECKING, Any

import torch

from minits.frontend.builtins import FunctionValue
from minits.frontend.python_values import to_sugared
from minits.frontend.sugared_value import SugaredValue
from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.types.annotations import DEFAULT_NAMES, type_from_annotation
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.emitter import Emitter, SelfArgument
    from minits.frontend.function import CompiledFunction

_MODULES: dict[str, Any] = {
    "torch": torch, "math": math, "typing": typing, "torch.nn": torch.nn,
    "torch.nn.functional": torch.nn.functional,
}  # fmt: skip


class TextScope:
    """The names that the statements of a text's top level define."""

    def __init__(self, dialect: str = "torch") -> None:
        self.dialect = dialect
        self.functions: dict[str, CompiledFunction] = {}
        self.objects: dict[str, Any] = {"torch": torch, "math": math}

    def value(self, name: str, range: SourceRange, emitter: Emitter) -> SugaredValue | None:
        if name in self.functions:
            return FunctionValue(self.functions[name])
        if name in self.objects:
            return to_sugared(self.objects[name], range, emitter)
        return None

    def type(self, annotation: tree.expr) -> Type:
        return type_from_annotation(annotation, self._lookup)

    def names(self) -> list[str]:
        return [*self.functions, *self.objects]

    def _lookup(self, name: str) -> Any:
        return self.objects[name] if name in self.objects else DEFAULT_NAMES[name]

    def read_import(self, statement: tree.stmt) -> None:
        """Bind the names that an import of torch, math or typing binds; ignore other modules."""
        match statement:
            case tree.Import(names=names):
                for alias in names:
                    if alias.asname is None and alias.name.partition(".")[0] in _MODULES:
                        root = alias.name.partition(".")[0]
                        self.objects[root] = _MODULES[root]
                    elif alias.asname is not None and alias.name in _MODULES:
                        self.objects[alias.asname] = _MODULES[alias.name]
            case tree.ImportFrom(module=str(module), names=names) if module in _MODULES:
                for alias in names:
                    if hasattr(_MODULES[module], alias.name):
                        bound = getattr(_MODULES[module], alias.name)
                        self.objects[alias.asname or alias.name] = bound


def define_functions(
    source: SourceFile, dialect: str = "torch", module: str = "__torch__"
) -> list[CompiledFunction]:
    """Return the functions of a text, to be compiled when they are needed.

    Raises `CompileError` when the text cannot be parsed.
    """
    from minits.frontend.function import CompiledFunction
    from minits.syntax import parse_module

    scope = TextScope(dialect)
    for statement in parse_module(source).body:
        scope.read_import(statement)
        if isinstance(statement, tree.FunctionDef):
            scope.functions[statement.name] = CompiledFunction(
                statement.name,
                f"{module}.{statement.name}",
                statement,
                scope,
                defaults=literal_defaults(statement),
                dialect=dialect,
            )
    return list(scope.functions.values())


def define_method(text: str, itself: SelfArgument) -> CompiledFunction:
    """Return the method that a text defines for a class."""
    from minits.frontend.function import CompiledFunction
    from minits.syntax import parse_function

    definition = parse_function(SourceFile("<string>", text))
    name = f"{itself.type.name}.{definition.name}"
    return CompiledFunction(definition.name, name, definition, TextScope(), itself=itself)


def literal_defaults(definition: tree.FunctionDef) -> dict[str, Any]:
    """Return the defaults of parameters that are literals. Raises `CompileError` for others."""
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs: list[tuple[tree.arg, tree.expr | None]] = [
        *zip(with_default, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {
        parameter.arg: literal_value(default) for parameter, default in pairs if default is not None
    }


def literal_value(node: tree.expr) -> Any:
    """Return the Python value of a literal. Raises `CompileError` (TS213)."""
    from minits.diagnostics import error

    match node:
        case tree.Constant(value=value):
            return value
        case tree.UnaryOp(op="-", operand=operand):
            return -literal_value(operand)
        case tree.Tuple(elts=items):
            return tuple(map(literal_value, items))
        case tree.List(elts=items):
            return list(map(literal_value, items))
    raise error(
        node.range, "TS213", "this default is no literal, and the file is not run",
        fix="write a literal, or compile without --no-import",
    )  # fmt: skip
