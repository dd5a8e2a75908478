"""Module classes of a text: as much of their instances as the text tells.

    class Net(nn.Module):
        scale: float                              # self.scale is a float
        def __init__(self):
            self.linear = nn.Linear(8, 2)         # self.linear(x) is a Tensor, as its forward says
            self.weight = nn.Parameter(...)       # a Tensor, as is what register_buffer is given
            self.sizes = compute_sizes()          # unknown: no use of it is a fault
        def forward(self, x: Tensor) -> Tensor:
            return self.linear(x)

An instance exists only where the file is imported; `minits check` compiles that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from minits.diagnostics import CompileError
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.simple_value import MethodValue, SimpleValue, emit_get_attr
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.queries.bindings import members
from minits.queries.unknown_values import UnknownValue
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter

_COMPILED = ("export", "script", "script_method")
"""Decorators by which torch.jit compiles a function; others keep it Python, or are unknown."""
Evaluate = Callable[[tree.expr], Any]
"""Returns the object of a dotted name such as `nn.Linear`, None if the text does not tell it."""


def is_module_class(definition: tree.ClassDef, known: Sequence[str]) -> bool:
    """Return whether a class is one of modules: by its base's name, or a base that is `known`."""
    bases = [base.range.text for base in definition.bases]
    return any(base.rpartition(".")[2].endswith("Module") or base in known for base in bases)


def is_left_out(method: tree.FunctionDef) -> bool:
    """Return whether a function stays Python, or may, by its decorators."""
    names = [each.range.text.partition("(")[0] for each in method.decorator_list]
    return any(name.rpartition(".")[2] not in _COMPILED for name in names)


def is_entry(method: tree.FunctionDef) -> bool:
    """Return whether a method is compiled with its module: `forward`, and what is exported."""
    exported = [each.range.text.rpartition(".")[2] for each in method.decorator_list]
    return not is_left_out(method) and (method.name == "forward" or "export" in exported)


class TextModule:
    """The `self` of a method of a module class, and what the class's text tells of it.

    definitions: of the class, and of its parents in the same text.
    reach: is called with each method that is named.
    """

    def __init__(
        self,
        type: t.ClassType,
        definitions: Sequence[tree.ClassDef],
        read: Callable[[tree.expr], Type],
        evaluate: Evaluate,
        reach: Callable[[CompiledFunction], None],
    ) -> None:
        self.type, self.definitions, self.reach = type, definitions, reach
        self._read, self._evaluate = read, evaluate
        self._declared: dict[str, tree.expr] = {}
        self._assigned: dict[str, list[tree.expr]] = {}
        self._buffers: dict[str, tree.expr] = {}
        for definition in definitions:
            self._read_class(definition)

    def _read_class(self, definition: tree.ClassDef) -> None:
        for statement in definition.body:
            match statement:
                case tree.AnnAssign(target=tree.Name(id=name), annotation=annotation):
                    self._declared.setdefault(name, annotation)
        for node in tree.walk(definition):
            match node:
                case tree.Assign(targets=(tree.Attribute(attr=name),), value=value):
                    self._assigned.setdefault(name, []).append(value)
                case tree.Call(
                    func=tree.Attribute(attr="register_buffer"),
                    args=(tree.Constant(value=str(name)), value, *_),
                ):
                    self._buffers.setdefault(name, value)

    def make(self, value: Value) -> SugaredValue:
        return TextModuleValue(value, self)

    def type_of(self, name: str) -> Type | None:
        """Return the type of an attribute, where its annotation or what is assigned tells it."""
        if name == "training":
            return t.BOOL
        if name in self._declared:
            annotation = self._declared[name]
            if "Final" in annotation.range.text:  # a constant, which may decide branches
                return None
            try:
                return self._read(annotation)
            except CompileError:
                return None
        if isinstance(self._buffers.get(name), tree.Call):  # None would be a constant
            return t.TENSOR
        made = [self._made(value) for value in self._assigned.get(name, [])]
        return t.TENSOR if made and all(each is nn.Parameter for each in made) else None

    def submodule(self, name: str) -> Any:
        """Return the class of torch's of which an attribute is an instance, None for others."""
        made = [self._made(value) for value in self._assigned.get(name, [])]
        is_module = len(made) == 1 and inspect.isclass(made[0]) and issubclass(made[0], nn.Module)
        return made[0] if is_module else None

    def _made(self, value: tree.expr) -> Any:
        return self._evaluate(value.func) if isinstance(value, tree.Call) else None


class TextModuleValue(UnknownValue):
    """A module whose class is in the text; attributes that it does not tell are unknown."""

    is_module = True
    known = ("as_value", "attr", "has_attr", "set_attr")

    def __init__(self, value: Value, module: TextModule) -> None:
        super().__init__("self")
        self.value, self.module = value, module

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        return self.value

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """Return a method, submodule or attribute, or an unknown value."""
        type = self.module.type
        if name in type.methods:
            self.module.reach(type.methods[name])
            return MethodValue(self.value, (name,))
        submodule = self.module.submodule(name)
        if submodule is not None:
            return TorchModuleValue(submodule)
        found = self.module.type_of(name)
        if found is None:
            return UnknownValue(f"self.{name}")
        type.attributes.setdefault(name, t.Attribute(name, found))
        return SimpleValue(emit_get_attr(emitter, self.value, name))

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        """Return whether the class has it. Raises `CompileError` where its text does not tell."""
        classes = self.module.definitions
        if any(member == name for each in classes for member, _ in members(each)):
            return True
        return UnknownValue(f"self.{name}").has_attr(loc, emitter, name)

    def set_attr(self, loc: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Take any value: its type is that of the instance."""


class TorchModuleValue(UnknownValue):
    """An instance of one of torch's module classes, of which the text tells nothing but the class:
    a call of it has the type that forward declares.
    """

    is_module = True
    known = ("call",)

    def __init__(self, cls: Any) -> None:
        super().__init__(f"torch.nn.{cls.__name__}")
        self.cls = cls

    def call(
        self,
        loc: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        n_binders: int = 1,
    ) -> SugaredValue:
        """Emit a value of the type of the result, unknown where forward is not annotated."""
        annotations = getattr(self.cls.forward, "__annotations__", {})
        if annotations.get("return") not in (torch.Tensor, "Tensor", "torch.Tensor"):
            return UnknownValue(f"the result of {self.name}")
        return SimpleValue(emitter.graph.emit("prim::Uninitialized", [], [t.TENSOR]).output)
