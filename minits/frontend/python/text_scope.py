"""The names of a text that is compiled without being run.

A name means a function, class or import of the text itself, `torch` and `math`, or what TorchScript
always knows (`List`, `Tensor`, ...); nothing is imported and nothing of the text is executed.

Source: torch/csrc/jit/frontend/resolver.h (`nativeResolver`, `FunctionResolver`).
"""

from __future__ import annotations

import builtins
import math
import typing
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from minits.frontend.calls.literal_defaults import literal_defaults, literal_value
from minits.frontend.python.named_tuples import NamedTupleConstructor
from minits.frontend.python.python_values import to_sugared
from minits.frontend.python.wrappers import require_known_contexts, with_written_contexts
from minits.frontend.values.builtins import ClassValue, FunctionValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.source import GIVEN_AS_TEXT, SourceFile, SourceRange
from minits.syntax import tree
from minits.types import types as t
from minits.types.annotations import DEFAULT_NAMES, type_from_annotation
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.function import CompiledFunction
    from minits.frontend.values.scope import SelfArgument

_MODULES: dict[str, Any] = {
    "torch": torch, "math": math, "typing": typing, "torch.nn": torch.nn,
    "torch.nn.functional": torch.nn.functional,
}  # fmt: skip


class TextScope:
    """The names that top-level statements of a text define."""

    def __init__(self, dialect: str = "torch") -> None:
        self.dialect = dialect
        self.functions: dict[str, CompiledFunction] = {}
        self.classes: dict[str, t.ClassType] = {}
        self.tuples: dict[str, t.TupleType] = {}
        self.aliases: dict[str, tree.expr] = {}
        """The types that `type A = ...` gives names, read when they are used."""
        self.objects: dict[str, Any] = {"torch": torch, "math": math}

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        if name in self.functions:
            return FunctionValue(self.functions[name])
        if name in self.classes:
            return ClassValue(self._class(name))
        if name in self.tuples:
            return NamedTupleConstructor(self.tuples[name])
        if name in self.objects:
            return to_sugared(self.objects[name], loc, emitter)
        exception = getattr(builtins, name, None)
        if isinstance(exception, type) and issubclass(exception, Exception):
            return to_sugared(exception, loc, emitter)
        return None

    def type(self, annotation: tree.expr) -> Type:
        return type_from_annotation(annotation, self._lookup)

    def names(self) -> list[str]:
        return [*self.functions, *self.classes, *self.tuples, *self.objects]

    def _lookup(self, name: str) -> Any:
        if name in self.classes:
            return self._class(name)
        if name in self.tuples:
            return self.tuples[name]
        if name in self.aliases:
            return self._alias(name)
        return self.objects[name] if name in self.objects else DEFAULT_NAMES[name]

    def _alias(self, name: str) -> Type:
        """Return the type of an alias, which does not know itself. Raises `CompileError`."""
        value = self.aliases.pop(name)
        try:
            return self.type(value)
        finally:
            self.aliases[name] = value

    def _class(self, name: str) -> t.ClassType:
        """Return a class, its attributes declared: `__init__`, which does it, is compiled.

        Raises `CompileError`.
        """
        type = self.classes[name]
        initializer = type.methods.get("__init__")
        if initializer is not None and not initializer.is_being_defined:
            initializer.ensure_defined()
        return type

    def declare_class(self, definition: tree.ClassDef, module: str) -> None:
        """Declare a script class or a NamedTuple; of an nn.Module no instance can be made here."""
        from minits.frontend.python.script_classes import ObjectSelf
        from minits.frontend.values.function import CompiledFunction

        name, bases = definition.name, [base.range.text for base in definition.bases]
        if any(base.endswith("NamedTuple") for base in bases):
            self.tuples[name] = self._named_tuple(definition, module)
            return
        if bases and bases != ["object"]:
            return
        type = t.ClassType(f"{module}.{name}")
        self.classes[name] = type
        for statement in definition.body:
            if isinstance(statement, tree.FunctionDef):
                type.methods[statement.name] = CompiledFunction(
                    statement.name,
                    f"{type.name}.{statement.name}",
                    with_written_contexts(statement),
                    self,
                    itself=ObjectSelf(type),
                    defaults=literal_defaults(statement),
                    dialect=self.dialect,
                    check=_method_check(type, statement.name),
                )

    def _named_tuple(self, definition: tree.ClassDef, module: str) -> t.TupleType:
        fields = [s for s in definition.body if isinstance(s, tree.AnnAssign)]
        return t.TupleType(
            tuple(self.type(field.annotation) for field in fields),
            f"{module}.{definition.name}",
            tuple(field.target.range.text for field in fields),
            tuple(literal_value(field.value) for field in fields if field.value is not None),
        )


def imported_names(statement: tree.stmt) -> dict[str, Any]:
    """Return a mapping from names to objects of an import of torch, math or typing.

    Other modules are left out.
    """
    found: dict[str, Any] = {}
    match statement:
        case tree.Import(names=names):
            for alias in names:
                root = alias.name.partition(".")[0]
                if alias.asname is None and root in _MODULES:
                    found[root] = _MODULES[root]
                elif alias.asname is not None and alias.name in _MODULES:
                    found[alias.asname] = _MODULES[alias.name]
        case tree.ImportFrom(module=str(module), names=names) if module in _MODULES:
            for alias in names:
                if hasattr(_MODULES[module], alias.name):
                    found[alias.asname or alias.name] = getattr(_MODULES[module], alias.name)
    return found


def _function_check(definition: tree.FunctionDef, dialect: str) -> None:
    from minits.syntax.fence import require_supported

    require_supported(definition, dialect)
    require_known_contexts(definition)


def _method_check(type: t.ClassType, name: str) -> Callable[[tree.FunctionDef, str], None]:
    """Check a method, and have `__init__` compiled before it, since that declares attributes."""

    def check(definition: tree.FunctionDef, dialect: str) -> None:
        _function_check(definition, dialect)
        if name != "__init__" and "__init__" in type.methods:
            type.methods["__init__"].ensure_defined()

    return check


def read_text(source: SourceFile, dialect: str = "torch", module: str = "__torch__") -> TextScope:
    """Return the scope of a text, its functions and classes to be compiled when they are needed.

    Raises `CompileError` when the text cannot be parsed.
    """
    from minits.syntax import parse_program

    return scope_of(parse_program(source), dialect, module)


def scope_of(parsed: tree.Module, dialect: str = "torch", module: str = "__torch__") -> TextScope:
    """Return the scope of a text that is parsed."""
    scope = TextScope(dialect)
    declare_all(scope, parsed, module)
    return scope


def declare_all(scope: TextScope, parsed: tree.Module, module: str = "__torch__") -> None:
    """Declare the functions, classes and imports of a text."""
    from minits.frontend.values.function import CompiledFunction

    for statement in parsed.body:
        scope.objects.update(imported_names(statement))
        if isinstance(statement, tree.ClassDef):
            scope.declare_class(statement, module)
        elif isinstance(statement, tree.TypeAlias):
            scope.aliases[statement.name.range.text] = statement.value
        elif isinstance(statement, tree.FunctionDef):
            scope.functions[statement.name] = CompiledFunction(
                statement.name,
                f"{module}.{statement.name}",
                with_written_contexts(statement),
                scope,
                defaults=literal_defaults(statement),
                dialect=scope.dialect,
                check=_function_check,
            )


def define_functions(source: SourceFile) -> list[CompiledFunction]:
    """Return the functions of a text. Raises `CompileError` when it cannot be parsed."""
    return list(read_text(source).functions.values())


def define_method(text: str, itself: SelfArgument) -> CompiledFunction:
    """Return the method that a text defines for a class."""
    from minits.frontend.values.function import CompiledFunction
    from minits.syntax import parse_function

    definition = parse_function(SourceFile(GIVEN_AS_TEXT, text))
    name = f"{itself.type.name}.{definition.name}"
    return CompiledFunction(definition.name, name, definition, TextScope(), itself=itself)
