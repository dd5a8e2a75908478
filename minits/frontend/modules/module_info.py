"""Properties of a module that its class type does not tell.

Source: torch/csrc/jit/frontend/concrete_module_type.h (`ConcreteModuleType`).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

from torch import nn

from minits import torch_internals as internals
from minits.compilation_journal import enter
from minits.diagnostics import CompileError
from minits.frontend.modules.hooks import Hooks
from minits.frontend.modules.method_stubs import FunctionStub, MethodStub
from minits.frontend.python.compiled_functions import make_compiled_function
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.qualified_names import method_function
from minits.ir.graph import Value
from minits.records import dataclass, field
from minits.types import types as t
from minits.types.types import Type


class Untyped(NamedTuple):
    """The reason an attribute has no TorchScript type, and the text to write instead."""

    why: str
    fix: str


@dataclass(eq=False)
class ModuleInfo:
    """A module's class type, and what the compiler knows beyond it.

    `kind` is "list", "dict", "parameter_list", "parameter_dict" or None: how it is iterated over.
    """

    cls: type[nn.Module]
    type: t.ClassType
    kind: str | None = None
    dialect: str = "torch"
    submodules: dict[str, ModuleInfo] = field(default_factory=dict)
    functions: dict[str, Any] = field(default_factory=dict)
    builtins: dict[str, str] = field(default_factory=dict)
    overload_declarations: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    failed: dict[str, Untyped] = field(default_factory=dict)
    """Attributes that have no TorchScript type."""
    faults: dict[str, CompileError] = field(default_factory=dict)
    """The faults of functions among them."""
    ignored: frozenset[str] = frozenset()
    hooks: Hooks = field(default_factory=Hooks)
    written: tuple[Any, ...] = ()
    """The functions that its class and the instance have: they may be replaced by others."""

    examples: tuple[tuple[str, tuple[tuple[str, Type], ...]], ...] = ()
    """By method: types of its parameters from example inputs."""

    def signature(self) -> tuple[Any, ...]:
        """The key of the type: two instances with equal keys share one type.

        Attributes without a type are not part of it.
        """
        return (
            self.kind,
            self.dialect,
            tuple(
                (a.name, a.type, a.is_parameter, a.is_buffer) for a in self.type.attributes.values()
            ),
            tuple((name, type(v), repr(v)) for name, v in self.type.constants.items()),
            tuple((name, info) for name, info in self.submodules.items()),
            tuple((name, function) for name, function in self.functions.items()),
            tuple(self.builtins.items()),
            tuple(self.type.overloads.items()),
            self.ignored,
            self.hooks.functions,
            self.written,
            self.examples,
        )

    def is_interface(self, name: str) -> bool:
        """Return whether an attribute is a submodule of which only the interface is known."""
        held = self.type.attributes.get(name)
        return held is not None and t.is_interface(held.type) and held.type.is_module

    def make(self, value: Value) -> Any:
        """Return the sugared value of `self` in a method (`SelfArgument`)."""
        from minits.frontend.modules.module_value import ModuleValue

        return ModuleValue(value, self)

    def method(self, name: str) -> CompiledFunction | None:
        """Return a compiled method; it is added when first requested."""
        if name in self.type.methods:
            found: CompiledFunction = self.type.methods[name]
            return found
        if name in self.overload_declarations:
            return self.add_method(name, *self.overload_declarations[name])
        function = method_function(self.cls, name)
        if isinstance(function, FunctionStub):
            return self.add_stubs([function])[0]
        if not inspect.isfunction(function) or internals.is_ignored(function):
            return None
        return self.add_method(name, function)

    def add_method(self, name: str, function: Any, declaration: Any = None) -> CompiledFunction:
        method = make_compiled_function(function, self.dialect, self, name, declaration)
        method.qualified_name = f"{self.type.name}.{name}"
        enter(self.type.methods, name, method)
        return method

    def add_stubs(self, stubs: Sequence[MethodStub]) -> list[CompiledFunction]:
        """Add methods that call each other in any order."""
        made = [stub.make(self) for stub in stubs]
        for method in made:
            method.qualified_name = f"{self.type.name}.{method.name}"
            enter(self.type.methods, method.name, method)
        return made
