"""Classes of the program: script classes and interfaces.

All methods of a class are compiled, `__init__` first, because it declares the attributes; static
methods are functions that the class has a name for, and are compiled where they are called.

Source: torch/jit/_recursive.py (`_compile_and_register_class`), torch/jit/frontend.py
(`get_jit_class_def`), torch/_jit_internal.py (`can_compile_class`), torch/jit/_script.py
(`interface`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar

from torch import nn

from minits import torch_internals as internals
from minits.compilation_state import STATE
from minits.diagnostics import IN_EXTENDED, CompileError, Faults, NotSupportedError, error
from minits.frontend.python.class_registry import class_types, fault_of, required_class_type
from minits.frontend.python.compiled_functions import make_compiled_function
from minits.frontend.python.dataclass_methods import generated_method
from minits.frontend.python.scopes import ClassScope, ClosureScope, PythonScope
from minits.frontend.python.sources import (
    function_definition,
    located_at_class,
    statement_of,
)
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.qualified_names import qualified_name
from minits.frontend.values.signature import read_signature
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.ops.schema import Argument, Schema
from minits.syntax import tree
from minits.types import types as t
from minits.users_objects import is_frozen

C = TypeVar("C")


class ObjectSelf:
    """The `self` of a script class's method."""

    def __init__(self, type: t.ClassType) -> None:
        self.type = type

    def make(self, value: Value) -> SugaredValue:
        return SimpleValue(value)


class InterfaceMethod:
    """A method that an interface declares. It has a schema, but no graph."""

    is_being_defined = False

    def __init__(self, name: str, schema: Schema) -> None:
        self.name, self.schema = name, schema

    def ensure_defined(self) -> None:
        """Do nothing: there is no body to compile."""


_OF_MODULES = "Type '{}' cannot be compiled since it inherits from nn.Module: it is a class"


def script_class(cls: type, around: PythonScope | None = None) -> type:
    """Compile a class, whose methods see the names `around` it; return it.

    Raises `CompileError`.
    """
    if issubclass(cls, Enum):
        return cls
    name = cls.__name__
    if issubclass(cls, nn.Module):
        fix = f"pass an instance: script({name}())"
        raise error(statement_of(cls), "TS614", _OF_MODULES.format(cls), fix=fix)
    dialect = around.dialect if around is not None else "torch"
    bases = cls.__mro__[1:-1]
    built_in = any(base.__module__ == "builtins" for base in bases)
    if bases and (dialect == "torch" or built_in):
        raise error(
            statement_of(cls),
            "TS614",
            f"the class {name} inherits from {cls.__bases__[0].__name__}; TorchScript does not "
            "support inheritance",
            notes=[] if built_in else [IN_EXTENDED],
            fix="give it no base class",
        )
    if class_types(cls, around, dialect) is None:
        fault = error(None, "TS614", f"the class {name} cannot be compiled")
        raise located_at_class(fault_of(cls) or fault, cls) from None
    return cls


def interface(cls: type[C]) -> type[C]:
    """Mark a class as an interface: what its methods promise. Raises `CompileError`."""
    bases = cls.__mro__[1:-1]
    if bases and bases != (nn.Module,):
        raise error(
            statement_of(cls),
            "TS614",
            "TorchScript interface does not support inheritance yet. Please directly inherit from "
            f"'object' or 'nn.Module': {cls.__name__} inherits from {bases[0].__name__}",
            fix=f"repeat the methods of {bases[0].__name__} in {cls.__name__}",
        )
    cls.__torch_script_interface__ = cls.__qualname__  # type: ignore[attr-defined]
    required_class_type(cls)
    return cls


def can_compile(cls: type) -> bool:
    """Return whether a class is written in Python and meant to be compiled."""
    if hasattr(cls, "__torch_script_interface__"):
        return True
    if internals.is_ignored(cls) or issubclass(cls, (nn.Module, Exception)):
        return False
    if cls.__module__ == "builtins":
        return False
    routines = [getattr(cls, name, None) for name in vars(cls)]
    return all(hasattr(f, "__code__") for f in routines if inspect.isroutine(f))


def declare_class(cls: type) -> t.ClassType:
    """Return the type of a class, its methods not compiled yet."""
    type_ = t.ClassType(STATE.unique_name(qualified_name(cls)), cls=cls)
    if hasattr(cls, "__torch_script_interface__"):
        _declare_interface(cls, type_)
    return type_


def compile_class(
    cls: type, type: t.ClassType, dialect: str, around: PythonScope | None = None
) -> None:
    """Compile all methods of a class, which see the names `around` it. Raises `CompileError`."""
    _ClassCompiler(cls, type, ClassScope(cls, dialect, around)).run()


class _ClassCompiler:
    """Compiles the methods of one class: all are declared before any is compiled."""

    def __init__(self, cls: type, type: t.ClassType, scope: ClassScope) -> None:
        self.cls, self.type, self.scope, self.dialect = cls, type, scope, scope.dialect
        self.itself = ObjectSelf(type)

    def run(self) -> None:
        self._inherit()
        self._add(vars(self.cls))
        self._define_methods()

    def _define_methods(self) -> None:
        methods = self.type.methods.values()
        self.type.is_being_compiled = True
        try:
            faults = Faults()
            if self.dialect == "torch":
                for method in methods:
                    with faults.gathered():
                        method.require_supported()
            for method in sorted(methods, key=self._turn):
                try:
                    self._define(method)
                except CompileError as fault:
                    faults.add(fault)
                    if method.name == "__init__":
                        break  # the others lack the attributes that it declares
            faults.raise_all()
        finally:
            self.type.is_being_compiled = False

    def _turn(self, method: CompiledFunction) -> tuple[bool, bool, str]:
        """Return the key of torch's order: `__init__`, properties, the others, each by name."""
        accessors = [name for pair in self.type.properties.values() for name in pair]
        return method.name != "__init__", method.name not in accessors, method.name

    def _define(self, method: CompiledFunction) -> None:
        """Compile a method; its errors are shown as called from the class.

        Errors of unsupported syntax are not: torch.jit reads all methods before it compiles any.
        """
        try:
            method.ensure_defined()
        except CompileError as fault:
            is_own = not fault.diagnostics[0].callers
            if is_own and isinstance(fault, NotSupportedError):
                raise
            shown = f"{self.type.short_name}.{method.name}"
            raise fault.called_from(shown, self.type.name, None) from None

    def _inherit(self) -> None:
        """Add the members of the base classes; members of the class itself replace them.

        The extended dialect inherits all members, torch's only properties. Each member sees the
        names around its own class. Classes of torch (`no_grad`) inherit nothing: their bases make
        them decorators.
        """
        if self.cls.__module__.startswith("torch."):
            return
        own = self.scope
        for base in reversed(self.cls.__mro__[1:-1]):
            self.scope = ClassScope(base, self.dialect, own.around)
            only = property if self.dialect == "torch" else object
            self._add({k: v for k, v in vars(base).items() if isinstance(v, only)})
        self.scope = own

    def _add(self, members: Mapping[str, Any]) -> None:
        for name, member in members.items():
            if self._is_of_python(name):
                continue
            if isinstance(member, property):
                self._add_property(name, member)
            elif isinstance(member, classmethod):
                if self._is_method(member.__func__):
                    self._add_class_method(name, member)
            elif self._is_method(member):
                self._add_method(name, member)

    def _is_of_python(self, name: str) -> bool:
        """Return whether a member is for Python alone, which makes classes and objects."""
        if name == "__init_subclass__":  # `deprecated` marks classes with one that warns
            return "__deprecated__" in vars(self.cls)
        if name in ("__setattr__", "__delattr__") and self.dialect != "torch":
            return is_frozen(self.cls)
        return name in ("__new__", "__annotate_func__")

    def _is_method(self, member: Any) -> bool:
        """Return whether it is a function of the class; those of `Protocol` have another name."""
        if not inspect.isfunction(member) or internals.is_left_out(member):
            return False
        if self.dialect != "torch" or member.__name__ == "<lambda>":  # which is refused
            return True
        return member.__name__ in vars(self.cls)

    def _add_method(self, name: str, function: Any) -> None:
        generated = generated_method(self.cls, name, function, self.scope)
        if generated is None:
            method = make_compiled_function(
                function, self.dialect, self.itself, name, around=self.scope
            )
        else:
            method = CompiledFunction(
                name,
                "",
                generated.definition,
                generated.scope,
                itself=self.itself,
                defaults=generated.defaults,
                dialect=self.dialect,
            )
        method.qualified_name = f"{self.type.name}.{name}"
        self.type.methods[name] = method

    def _add_class_method(self, name: str, member: classmethod[Any, Any, Any]) -> None:
        """Add a class method: its first statement assigns the class to `cls`."""
        self._add_method(name, member.__func__)
        method = self.type.methods[name]
        definition = method.definition
        if not definition.args.args:
            return  # `*args`, which the method is refused for
        loc = definition.range
        parameter = tree.Name(loc, definition.args.args[0].arg)
        itself = tree.Assign(loc, (parameter,), tree.Name(loc, self.cls.__name__), None)
        method.definition = tree.replaced(definition, body=(itself, *definition.body))

    def _add_property(self, name: str, member: property) -> None:
        getter, setter = f"__{name}_getter", None
        self._add_method(getter, member.fget)
        if member.fset is not None:
            setter = f"__{name}_setter"
            self._add_method(setter, member.fset)
        self.type.properties[name] = (getter, setter)


def _functions(cls: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(cls).items():
        if inspect.isfunction(member) and not internals.is_left_out(member):
            yield name, member


def _declare_interface(cls: type, type: t.ClassType) -> None:
    type.is_interface = True
    type.is_module = issubclass(cls, nn.Module)
    for name, function in _functions(cls):
        declared = read_signature(
            name, function_definition(function), ClosureScope(function), {}, True
        )
        returns = declared.returns or (Argument("", t.NONE),)
        arguments = (Argument("self", type), *declared.arguments)
        type.methods[name] = InterfaceMethod(name, Schema(name, "", arguments, returns))
