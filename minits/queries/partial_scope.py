"""The names of a text that is being written: those that it does not tell are no faults.

`TextScope` says of a name from another file that it is undefined, since it cannot be compiled from
the text alone. Who types such a text wants to hear of the faults of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from minits.frontend.calls.literal_defaults import literal_defaults
from minits.frontend.python.text_scope import TextScope
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.sugared_value import SugaredValue
from minits.queries.bindings import bindings
from minits.queries.module_classes import TextModule, is_entry, is_left_out, is_module_class
from minits.queries.unknown_values import UnknownValue, unknown
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.fence import require_supported
from minits.types import types as t

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter

_CONCERNED = ("torch", "minits")
_COMPILING = ("script", "interface")


class PartialScope(TextScope):
    """The scope of a text, with the names that are bound by what is not compiled."""

    def __init__(self, parsed: tree.Module, dialect: str) -> None:
        super().__init__(dialect)
        self.modules: dict[str, list[tree.ClassDef]] = {}
        """The module classes by name: the definition, and those of its parents in this text."""
        self.instances: list[TextModule] = []
        self.entries: list[CompiledFunction] = []
        """The methods that are compiled with an instance of their module class."""
        self.reached: dict[int, CompiledFunction] = {}
        """By identity: what has been named so far, and is compiled with what names it."""
        self._bound = {name for name, _ in bindings(parsed)}
        self._has_any = "*" in self._bound  # `from helpers import *`

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        if name in self.functions and is_left_out(self.functions[name].definition):
            return UnknownValue(name)
        if name in self.functions:
            self._reach(self.functions[name])
        elif name in self.classes:
            for method in self.classes[name].methods.values():
                self._reach(method)
        found = super().value(name, loc, emitter)
        return found if found is not None or not self._binds(name) else UnknownValue(name)

    def _reach(self, function: CompiledFunction) -> None:
        self.reached[id(function)] = function

    def _binds(self, name: str) -> bool:
        return name in self._bound or self._has_any

    def _lookup(self, name: str) -> Any:
        try:
            return super()._lookup(name)
        except KeyError:
            if self._binds(name):
                raise unknown(name) from None
            raise

    def names(self) -> list[str]:
        return [*super().names(), *self._bound]

    def declare_class(self, definition: tree.ClassDef, module: str) -> None:
        """Declare a class; one with a decorator of others is unknown."""
        if is_module_class(definition, [*self.modules]):
            self._declare_module(definition, module)
        elif all(_name(each) in _COMPILING for each in definition.decorator_list):
            super().declare_class(definition, module)

    def _declare_module(self, definition: tree.ClassDef, module: str) -> None:
        type = t.ClassType(f"{module}.{definition.name}", is_module=True)
        bases = [self.modules.get(base.range.text, ()) for base in definition.bases]
        classes = [definition, *(each for base in bases for each in base)]
        self.modules[definition.name] = classes
        itself = TextModule(type, classes, self.type, self._object, self._reach)
        self.instances.append(itself)
        for method in (each for cls in reversed(classes) for each in cls.body):
            if not isinstance(method, tree.FunctionDef) or method.name.startswith("__"):
                continue
            if is_left_out(method):
                type.methods.pop(method.name, None)
                continue
            type.methods[method.name] = CompiledFunction(
                method.name,
                f"{type.name}.{method.name}",
                method,
                self,
                itself=itself,
                defaults=literal_defaults(method),
                dialect=self.dialect,
                check=require_supported,
            )
            if is_entry(method) and method in definition.body:
                self.entries.append(type.methods[method.name])

    def _object(self, node: tree.expr) -> Any:
        """Return the object of torch's that a dotted name means, None for others."""
        match node:
            case tree.Name(id=name):
                return self.objects.get(name)
            case tree.Attribute(value=base, attr=name):
                return getattr(self._object(base), name, None)
        return None

    def programs(self, parsed: tree.Module) -> Iterator[CompiledFunction]:
        """Yield the programs: methods of module classes, and what the text itself compiles.

        In a text with neither, all functions and classes may be programs, but for functions that
        the file itself runs; of a text that does not concern torch, nothing is.
        """
        if not any(_concerns_torch(each) for each in tree.walk(parsed)):
            return
        yield from self.entries
        compiled = {name for node in tree.walk(parsed) for name in _compiled(node)}
        called = {name for statement in parsed.body for name in _called(statement)}
        takes_all = not compiled and not self.modules
        for name, function in self.functions.items():
            is_run = name == "main" or name in called or name.startswith("test_")
            if name in compiled or (takes_all and not is_run and self._is_plain(function)):
                yield function
        for name, type in self.classes.items():
            if takes_all or name in compiled:
                yield from type.methods.values()

    def everything(self) -> Iterator[CompiledFunction]:
        """Yield all functions and methods, for their types: most are no programs."""
        yield from self.functions.values()
        for type in (*self.classes.values(), *(each.type for each in self.instances)):
            yield from type.methods.values()

    def _is_plain(self, function: CompiledFunction) -> bool:
        return not is_left_out(function.definition)


def _compiled(node: tree.Node) -> Iterator[str]:
    """Yield the functions and classes that a decorator or a call of `script` compiles."""
    match node:
        case tree.FunctionDef(name=name) | tree.ClassDef(name=name):
            if any(_name(each) in _COMPILING for each in node.decorator_list):
                yield name
        case tree.Call(func=function, args=(tree.Name(id=name), *_)) if _name(function) == "script":
            yield name


def _name(decorator: tree.expr) -> str:
    return decorator.range.text.partition("(")[0].rpartition(".")[2]


def _concerns_torch(node: tree.Node) -> bool:
    match node:
        case tree.Import(names=names):
            return any(each.name.partition(".")[0] in _CONCERNED for each in names)
        case tree.ImportFrom(module=str(module)):
            return module.partition(".")[0] in _CONCERNED
    return False


def _called(statement: tree.stmt) -> Iterator[str]:
    """Yield the names that a statement of the file calls itself; definitions only define."""
    if isinstance(statement, (tree.FunctionDef, tree.ClassDef)):
        return
    for node in tree.walk(statement):
        if isinstance(node, tree.Call) and isinstance(node.func, tree.Name):
            yield node.func.id
