"""Live Python objects as sugared values: functions, modules, classes, constants.

A Python function that a program calls is compiled from its source when it is first named.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`toSugaredValue`).
"""

from __future__ import annotations

import enum
import inspect
import math
import re
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from minits import torch_internals as internals
from minits.diagnostics import CompileError, error
from minits.frontend.calls import hints
from minits.frontend.python.cpp_classes import CppClass, cpp_class
from minits.frontend.python.torch_jit_objects import callable_of
from minits.frontend.python.uncompiled import PythonValue
from minits.frontend.values.builtins import (
    BuiltinFunction,
    ClassValue,
    EnumClass,
    FunctionValue,
    LegacyTensorConstructor,
    PythonException,
    SpecialForm,
    TorchCheck,
    make_tuple,
)
from minits.frontend.values.function import compiled_of
from minits.frontend.values.qualified_names import qualified_name
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.ops.builtins import find_builtin, qualified_in_torch_jit
from minits.ops.libraries import registered_by
from minits.ops.numbers_from_python import built_in
from minits.source import SourceRange
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.types import Type
from minits.users_objects import known_info

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter

class_types: Callable[..., Type | None] = lazily(
    "minits.frontend.python.class_registry:class_types"
)
fault_of: Callable[[type], CompileError | None] = lazily(
    "minits.frontend.python.class_registry:fault_of"
)
NamedTupleConstructor: Callable[..., SugaredValue] = lazily(
    "minits.frontend.python.named_tuples:NamedTupleConstructor"
)

_SPECIAL_FORMS = {
    ("torch.jit", "annotate"): "annotate",
    ("torch.jit", "isinstance"): "isinstance",
    ("torch.jit", "fork"): "fork",
    ("torch.jit", "_fork"): "fork",
    ("torch.jit", "_awaitable"): "awaitable",
    ("torch.distributed.rpc.api", "rpc_sync"): "rpc_sync",
    ("torch.distributed.rpc.api", "rpc_async"): "rpc_async",
    ("torch.distributed.rpc.api", "remote"): "rpc_remote",
    ("typing", "cast"): "cast",
    ("builtins", "slice"): "slice",
    ("builtins", "super"): "super",
}
_TENSOR_CLASSES = {
    torch.BoolTensor: torch.bool, torch.LongTensor: torch.int64, torch.ByteTensor: torch.uint8,
    torch.CharTensor: torch.int8, torch.DoubleTensor: torch.float64,
    torch.FloatTensor: torch.float32, torch.IntTensor: torch.int32,
    torch.ShortTensor: torch.int16, torch.HalfTensor: torch.float16,
}  # fmt: skip
_ADDRESS = " at 0x[0-9a-f]+"
_CUDA_OPERATORS = (
    "current_stream default_stream current_device set_device device_index device_count "
    "set_stream synchronize"
).split()


def to_sugared(
    value: Any, loc: SourceRange, emitter: Emitter, is_constant: bool = False
) -> SugaredValue:
    """Return the sugared value of a Python object.

    `is_constant`: a number, for example, may become a constant, as an attribute of a Python module
    may; a global variable may not, since it can change. Raises `CompileError`.
    """
    if is_constant:
        constant = _constant(value, loc, emitter)
        if constant is not None:
            return SimpleValue(constant)
    if isinstance(value, types.ModuleType):
        return PythonModule(value)
    if isinstance(value, torch.nn.Module) and _is_compiled(value):
        raise error(
            loc,
            "TS403",
            "Cannot call a ScriptModule that is not a submodule of the caller: "
            f"{value.original_name} is a global or an enclosing function's variable",
            fix="make it a submodule of a module whose method calls it, or pass it as an argument "
            "that is annotated with an interface",
        )
    found = _callable(value, loc, emitter)
    if found is not None:
        return found
    if inspect.isclass(value):
        found = _class(value, loc, emitter)
    elif isinstance(value, enum.Enum):
        type = _type_of_class(emitter, value.__class__)
        found = SimpleValue(insert_constant(emitter.graph, value, type, loc))
    elif value is math.inf:
        found = SimpleValue(insert_constant(emitter.graph, value, loc=loc))
    return found or cpp_class(value) or PythonValue(value)


def _is_compiled(module: torch.nn.Module) -> bool:
    return known_info(module) is not None or internals.is_jit_module(module)


def _constant(value: Any, loc: SourceRange, emitter: Emitter) -> Value | None:
    graph = emitter.graph
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return insert_constant(graph, built_in(value), loc=loc)
    if isinstance(value, torch.device):
        return insert_constant(graph, value)
    code = enum_code(value)
    if code is not None:
        return insert_constant(graph, code, loc=loc)
    if isinstance(value, tuple):
        items = [to_sugared(item, loc, emitter, True) for item in value]
        return make_tuple(emitter, [item.as_value(loc, emitter) for item in items])
    return None


def _callable(value: Any, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
    """Functions, and classes that are known operators."""
    value = callable_of(value)
    compiled = compiled_of(value)
    if compiled is not None:
        return FunctionValue(compiled)
    form = _SPECIAL_FORMS.get(qualified_in_torch_jit(value))
    if form is not None:
        return SpecialForm(form)
    if inspect.isclass(value) and value in _TENSOR_CLASSES:
        return LegacyTensorConstructor(_TENSOR_CLASSES[value])
    if value is internals.CHECK:
        return TorchCheck()
    operator = find_builtin(value)
    if operator is not None:
        return BuiltinFunction(operator)
    if isinstance(value, types.BuiltinFunctionType):
        raise error(
            loc,
            "TS407",
            f"Python builtin {re.sub(_ADDRESS, '', repr(value))} is currently not supported in "
            "Torchscript",
            fix=hints.for_python(value),
        )
    if inspect.isfunction(value):
        return _function(value, loc, emitter)
    return None


def _function(value: Any, loc: SourceRange, emitter: Emitter) -> SugaredValue:
    from minits.frontend.python import compiled_functions

    dispatch = internals.boolean_dispatch(value)
    if dispatch is not None:
        return BooleanDispatch(dispatch)
    overloads = compiled_functions.compile_overloads(value, emitter.dialect)
    called = getattr(emitter.scope, "called", {})
    if overloads:
        called.update(dict.fromkeys(overloads))
        return FunctionValue(*overloads)
    if internals.is_ignored(value):
        return PythonValue(value)
    try:
        compiled = compiled_functions.compile_function(value, emitter.dialect)
    except CompileError as fault:
        raise fault.located(loc) from None
    called[compiled] = None
    emitter.ensure_defined(compiled, loc)  # before the arguments of the call, as torch does
    return FunctionValue(compiled)


def _type_of_class(emitter: Emitter, cls: type) -> t.Type | None:
    """Return the type of a Python class, or None; the scope remembers what the program named."""
    found = class_types(cls, dialect=emitter.function.dialect)
    getattr(emitter.scope, "classes", {})[cls] = found
    return found


def _class(value: Any, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
    if issubclass(value, Exception):
        return PythonException(_exception_name(value))
    if value is internals.RREF_CLASS:
        raise error(
            loc,
            "TS403",
            "Cannot make an RRef within a program: its class is Python's",
            fix="make it in Python and pass it as an argument, or call `remote`",
        )
    type = _type_of_class(emitter, value)
    fault = fault_of(value) if type is None else None
    if fault is not None:
        raise emitter.called_here(fault.located(loc), qualified_name(value))
    match type:
        case t.TupleType():
            return NamedTupleConstructor(type)
        case t.EnumType():
            return EnumClass(type)
        case t.ClassType():
            return PythonClass(type, value)
    return None


def _exception_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__name__}"


class PythonModule(SugaredValue):
    """A package or module: its attributes are constants."""

    kind = "Python module"
    cure = "name what it contains"

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The member of this name. Raises `CompileError` (TS302) where the module lacks it."""
        if self.module is torch.cuda and name in _CUDA_OPERATORS:
            prefix = "_" if name in ("current_device", "set_device") else ""
            return BuiltinFunction(f"cuda::{prefix}{name}")
        if internals.is_namespace_of_classes(self.module):
            return self._cpp_class(loc, name)
        try:
            member = getattr(self.module, name)
        except AttributeError:
            raise error(
                loc,
                "TS302",
                f"object has no attribute {name}: module {self.module.__name__} lacks it",
                fix=_similar(self.module, name) or self._registered(),
            ) from None
        except ImportError as why:  # of a module that is imported when it is first used
            raise error(loc, "TS302", f"object has no attribute {name}: {why}") from None
        note = getattr(emitter.scope, "note", None)
        if note is not None:  # names that are Python's, which may be bound anew
            note(self.module, name, member)
        return to_sugared(member, loc, emitter, is_constant=True)

    def _registered(self) -> str | None:
        """Return how the operators of a namespace are loaded, if it is one of `torch.ops`."""
        is_namespace = internals.is_namespace_of_operators(self.module)
        return registered_by(self.module.__name__.rpartition(".")[2]) if is_namespace else None

    def _cpp_class(self, loc: SourceRange, name: str) -> SugaredValue:
        """Return a class of C++ of the namespace `torch.classes.ns`."""
        namespace = self.module.name
        if not internals.is_cpp_class(namespace, name):
            raise error(
                loc,
                "TS302",
                f"object has no attribute {name}: no library has registered the C++ class "
                f"torch.classes.{namespace}.{name}",
                fix=registered_by(namespace),
            )
        return CppClass(t.bound_class(f"__torch__.torch.classes.{namespace}.{name}"))


def _similar(value: Any, name: str) -> str | None:
    import difflib

    close = difflib.get_close_matches(name, dir(value), 1, 0.75)
    return f"did you mean '{close[0]}'?" if close else None


class PythonClass(ClassValue):
    """A script class of the program, with its Python class: that has the static methods, which are
    compiled when they are used, as functions are.
    """

    def __init__(self, type: t.ClassType, cls: type) -> None:
        super().__init__(type)
        self.cls = cls

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        member = getattr(self.cls, name, None) if name != "__new__" else None
        if member is not None:
            return to_sugared(member, loc, emitter)
        return super().attr(loc, emitter, name)

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        return hasattr(self.cls, name)


class BooleanDispatch(SugaredValue):
    """A pair of functions; a constant boolean argument, such as `return_indices`, selects one."""

    kind = "function"
    cure = "call it"

    def __init__(self, dispatch: dict[str, Any]) -> None:
        self.dispatch = dispatch

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a call of the function that the argument selects.

        Raises `CompileError` (TS408) where the argument is not a constant.
        """
        index, name = self.dispatch["index"], self.dispatch["arg_name"]
        chosen: Any = self.dispatch["default"]
        named = [keyword for keyword in kwargs if keyword.name == name]
        given = [args[index]] if index < len(args) else named
        if given:
            chosen = to_python(given[0].ir_value(emitter.graph))
        if chosen is NOT_CONSTANT:
            raise error(
                given[0].range or loc,
                "TS408",
                f"Argument '{name}' for boolean dispatch was not constant: the type of the "
                "result depends on it",
                fix="pass True or False itself, or a Final attribute",
            )
        function = self.dispatch["if_true" if chosen else "if_false"]
        return to_sugared(function, loc, emitter).call(loc, emitter, args, kwargs, n_binders)
