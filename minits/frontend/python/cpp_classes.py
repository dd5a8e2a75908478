"""Classes of C++ as sugared values: `torch.classes.namespace.Name`.

    stack = torch.classes.ns.Stack(["a", "b"])
    stack.push("c")
    torch.classes.ns.Stack.most()

    %stack.1 : __torch__.torch.classes.ns.Stack = prim::CreateObject()
    %4 : NoneType = prim::CallMethod[name="__init__"](%stack.1, %3)
    %6 : NoneType = prim::CallMethod[name="push"](%stack.1, %5)
    %7 : Function = prim::Constant[name="most"]()
    %8 : int = prim::CallFunction(%7)

A library registers them with `torch::class_`; `torch.ops.load_library` loads it.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`toSugaredValue`, `ScriptClass`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minits import torch_internals as internals
from minits.frontend.calls.no_match import no_match
from minits.frontend.calls.schema_matching import MatchedSchema, match_schemas
from minits.frontend.values.builtins import ClassValue, emit_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ops.native_methods import BoundFunction, declare_bound_methods, static_method
from minits.ops.schema import Argument
from minits.source import SourceRange
from minits.types import types as t
from minits.types.annotations import type_of_cpp_class


class CppClass(ClassValue):
    """A class of C++; its attributes are its static methods."""

    def __init__(self, type: t.ClassType) -> None:
        super().__init__(type)
        declare_bound_methods(type)

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The static method of this name. Raises `CompileError` (TS302) if there is none."""
        found = static_method(self.type, name)
        return super().attr(loc, emitter, name) if found is None else StaticMethod(found)


class StaticMethod(SugaredValue):
    """A static method of a class of C++: a function whose body is not here."""

    kind = "function"
    cure = "call it"

    def __init__(self, callee: BoundFunction) -> None:
        self.callee = callee

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a `prim::CallFunction`. Raises `CompileError` where the arguments do not match."""
        matched = match_schemas([self.callee.schema], emitter.graph, loc, args, kwargs)
        if not isinstance(matched, MatchedSchema):
            raise no_match(loc, self.callee.name, matched, args, kwargs)
        return emit_call(emitter, self.callee, matched, loc)

    def parameters(self, loc: SourceRange, emitter: Emitter) -> Sequence[Argument]:
        return self.callee.schema.arguments


def cpp_class(value: Any) -> SugaredValue | None:
    """Return the sugared value of `torch.classes.namespace.Name`; None for other objects."""
    type = type_of_cpp_class(value) if isinstance(value, internals.CPP_CLASS) else None
    return None if type is None else CppClass(type)
