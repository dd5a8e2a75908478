"""A module inside compiled code: `self`, and the submodules that it leads to.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`ModuleValue`, `SugaredDict`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from torch import nn

from minits import torch_internals as internals
from minits.diagnostics import CompileError, error
from minits.edits import Edit
from minits.frontend.modules.hooks import call_with_hooks
from minits.frontend.modules.method_stubs import FunctionStub
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.python.python_values import to_sugared
from minits.frontend.python.uncompiled import PythonValue
from minits.frontend.values.builtins import BuiltinFunction, FunctionValue, make_tuple
from minits.frontend.values.iterables import IterableMethod, IterableTree, SugaredTuple
from minits.frontend.values.qualified_names import method_function
from minits.frontend.values.simple_value import MethodValue, SimpleValue, emit_get_attr
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.types import types as t
from minits.types.subtyping import is_subtype, what_is_missing
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def _runs_in_python(loc: SourceRange, name: str) -> CompileError:
    fix = "call it in Python, before or after the program"
    if name in ("parameters", "named_parameters", "buffers"):
        fix = "name those that are used, as in self.weight, or keep them in an nn.ParameterList"
    message = f"nn.Module.{name} runs in Python and cannot be compiled"
    return error(loc, "TS407", message, fix=fix)


def _cure_of_untyped(info: ModuleInfo, name: str) -> tuple[str, Edit | None]:
    """Return the cure of an attribute without a type; one in `__init__` is told to the class."""
    from minits.frontend.cures.class_annotations import annotating, annotation_in_init

    annotation = annotation_in_init(info.cls, name)
    if annotation is None or name in info.faults:
        return info.failed[name].fix, None
    fix = f"annotate it in the class, too: `{name}: {annotation}`"
    return fix, annotating(info.cls, name, annotation)


class ModuleValue(SugaredValue):
    """A module: `value` in the graph, `info` about its class."""

    kind = "module"
    cure = "call it, or use one of its attributes"
    is_module = True

    def __init__(self, value: Value, info: ModuleInfo) -> None:
        self.value, self.info = value, info

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        return self.value

    # ---- Attributes ----------------------------------------------------------------------------

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """A submodule, attribute, constant, method or property.

        Raises `CompileError` (TS302, TS612) where there is none, or it cannot be compiled.
        """
        found = self._find(loc, emitter, name)
        if found is not None:
            return found
        if name in self.info.type.properties:
            getter = self.info.type.properties[name][0]
            return MethodValue(self.value, (getter,)).call(loc, emitter, [], [])
        raise self._missing(loc, emitter, name)

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        return self._find(loc, emitter, name) is not None

    def set_attr(self, loc: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Emit the assignment of an attribute. Raises `CompileError` (TS611, TS612)."""
        if name in self.info.type.constants:
            raise error(
                loc,
                "TS611",
                f"'{name}' is a constant (Final or __constants__) and cannot be assigned",
                fix="annotate it with its type alone",
            )
        if name in self.info.failed:
            raise self._missing(loc, emitter, name)
        SimpleValue(self.value).set_attr(loc, emitter, name, value)

    def _missing(self, loc: SourceRange, emitter: Emitter, name: str) -> CompileError:
        cls = self.info.cls.__name__
        if name in self.info.failed:
            fix, edit = _cure_of_untyped(self.info, name)
            fault = error(
                loc,
                "TS612",
                f"Module '{cls}' has no attribute '{name}' that can be compiled: "
                f"{self.info.failed[name].why}",
                fix=fix,
                edit=edit,
            )
            if name not in self.info.faults:
                return fault
            function = emitter.called_here(self.info.faults[name], name)
            return CompileError([*fault.diagnostics, *function.diagnostics])
        if name in self.info.ignored:
            return error(
                loc,
                "TS612",
                f"Module '{cls}' has no attribute '{name}': the attribute was ignored during "
                "compilation",
            )
        import difflib

        others = [*self.info.type.attributes, *dir(self.info.cls)]
        public = [other for other in others if not other.startswith("__")]
        close = difflib.get_close_matches(name, public, 1)
        fix = f"did you mean '{close[0]}'?" if close else f"assign self.{name} in __init__"
        edit = None
        value = inspect.getattr_static(self.info.cls, name, None)
        if value.__class__ in (bool, int, float, str):
            from minits.frontend.cures.class_annotations import made_final

            constant = f"{name}: torch.jit.Final[{type(value).__name__}]"
            fix = f"class attributes are not compiled: declare it constant, {constant} = {value!r}"
            edit = made_final(self.info.cls, name, constant)
        if name.startswith("__"):
            fix = "keep what is asked for in an attribute, assigned in __init__"
        return error(loc, "TS302", f"Module '{cls}' has no attribute '{name}'", fix=fix, edit=edit)

    def _find(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        info = self.info
        if name in info.submodules or self.info.is_interface(name):
            return self.submodule(emitter, name)
        if name in info.type.attributes or name in info.type.methods:
            return SimpleValue(self.value).attr(loc, emitter, name)
        if name in info.type.constants:
            return SimpleValue(_constant(emitter, loc, info.type.constants[name]))
        if info.kind == "dict" and name in ("items", "keys", "values"):
            return self._dict_method(loc, emitter, name)
        if name in ("named_modules", "modules", "children", "named_children", "named_buffers"):
            return self._dict_method(loc, emitter, name)
        if name in info.type.overloads:
            self._add_overloads(loc, emitter, info.type.overloads[name])
            return MethodValue(self.value, info.type.overloads[name])
        if name in info.functions:
            return FunctionValue(info.functions[name])
        if name in info.builtins:
            return BuiltinFunction(info.builtins[name])
        return self._class_member(loc, emitter, name)

    def _add_overloads(self, loc: SourceRange, emitter: Emitter, names: tuple[str, ...]) -> None:
        """Compile the missing overloads of a method: a trace compiles only those that it calls."""
        for name in names:
            if name not in self.info.type.methods:
                method = self.info.method(name)
                assert method is not None
                emitter.ensure_defined(method, loc)

    def submodule(self, emitter: Emitter, name: str) -> SugaredValue:
        value = emit_get_attr(emitter, self.value, name)
        known = self.info.submodules.get(name)
        return InterfaceValue(value) if known is None else ModuleValue(value, known)

    def _class_member(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """Return a method or static method of the module's class, compiled if need be, or None.

        An ignored method is returned as a `PythonValue`.
        """
        static = inspect.getattr_static(self.info.cls, name, None)
        if isinstance(static, staticmethod):
            return to_sugared(static.__func__, loc, emitter)
        function = method_function(self.info.cls, name)
        if not (inspect.isfunction(function) or isinstance(function, FunctionStub)):
            return None
        if internals.is_ignored(function):
            return PythonValue(function, self.value)
        method = self.info.method(name)
        assert method is not None
        try:
            emitter.ensure_defined(method, loc)  # before the arguments of the call, as torch does
        except CompileError:
            if function is not vars(nn.Module).get(name):
                raise
            raise _runs_in_python(loc, name) from None
        return MethodValue(self.value, (name,))

    # ---- Calls, items, iteration ---------------------------------------------------------------

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        if self.info.hooks:
            return SimpleValue(call_with_hooks(self, loc, emitter, args, kwargs, n_binders))
        forward = self.attr(loc, emitter, "forward")
        result = forward.call(loc, emitter, args, kwargs, n_binders)
        return SimpleValue(result.as_value(loc, emitter))

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        """The keys of a dict of modules, or the items of a list of modules or parameters.

        Raises `CompileError` (TS306) for any other module.
        """
        match self.info.kind:
            case "dict":
                return self._children(emitter)[0]
            case "list":
                return self._children(emitter)[1]
            case "parameter_list":
                return self._parameters(loc, emitter)[1]
        raise error(
            loc,
            "TS306",
            f"Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an "
            f"iterable, not {self.info.cls.__name__}",
            fix="go over an nn.ModuleList, nn.Sequential, nn.ModuleDict or nn.ParameterList",
        )

    def as_tuple_value(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        """The modules of a list. Raises `CompileError` (TS305) for a module that is no list."""
        if self.info.kind != "list":
            message = "Only ModuleList or Sequential modules can be used as tuple"
            raise error(loc, "TS305", message, fix="hold the modules in an nn.ModuleList")
        return self._children(emitter)[1]

    def as_tuple(
        self, loc: SourceRange, emitter: Emitter, size: int | None = None
    ) -> list[SugaredValue]:
        return self.as_tuple_value(loc, emitter).as_tuple(loc, emitter, size)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """The module or parameter at a constant index; `type_hint` is the interface of any other.

        Raises `CompileError` (TS307, TS308) where no item can be chosen.
        """
        kind = self.info.kind
        if kind in ("list", "dict") and type_hint is None and to_python(index) is NOT_CONSTANT:
            chosen = emitter.rules.chosen_module(loc, emitter, self, index)
            if chosen is not None:
                return chosen
        if kind == "list" and type_hint is None:
            return self._children(emitter)[1].getitem(loc, emitter, index)
        if kind == "parameter_list":
            return self._parameters(loc, emitter)[1].getitem(loc, emitter, index)
        if kind in ("dict", "parameter_dict") and to_python(index) is not NOT_CONSTANT:
            return self._item(loc, emitter, to_python(index))
        if kind in ("list", "dict") and type_hint is not None:
            return self._indexed(loc, emitter, index, type_hint)
        if kind in ("dict", "parameter_dict"):
            raise error(
                loc,
                "TS308",
                "Unable to extract string literal index. ModuleDict indexing is only supported "
                "with string literals",
                fix="go over its items: for name, module in self.layers.items()",
            )
        raise error(
            loc,
            "TS307",
            "Only ModuleList, Sequential, ModuleDict, ParameterList, and ParameterDict modules are "
            f"subscriptable, not {self.info.cls.__name__}",
            fix="hold the modules in one of these",
        )

    def _item(self, loc: SourceRange, emitter: Emitter, key: str) -> SugaredValue:
        is_module = self.info.kind == "dict"
        keys, values = self._children(emitter) if is_module else self._parameters(loc, emitter)
        names = [to_python(item.as_value(loc, emitter)) for item in keys.items]
        if key not in names:
            known = ", ".join(map(repr, names))
            message = f"Key Error, {key}: the keys are {known or 'none'}"
            raise error(loc, "TS309", message, fix="use one of the keys")
        return values.items[names.index(key)]

    def _indexed(
        self, loc: SourceRange, emitter: Emitter, index: Value, hint: Type
    ) -> SugaredValue:
        """`layer: Interface = self.layers[i]`: every submodule has the interface."""
        for name, info in self.info.submodules.items():
            if not is_subtype(info.type, hint):
                missing = what_is_missing(info.type, hint) if t.is_interface(hint) else None
                raise error(
                    loc,
                    "TS613",
                    f"Attribute {name} is not of annotated type {hint.annotation}: "
                    f"{info.cls.__name__} is not compatible with it"
                    + (f", {missing}" if missing else ""),
                    fix="give the module the interface's methods, or leave it out of the container",
                )
        node = emitter.graph.emit("prim::ModuleContainerIndex", [self.value, index], [hint])
        return SimpleValue(node.output)

    # ---- Children ------------------------------------------------------------------------------

    def _children(self, emitter: Emitter) -> tuple[SugaredTuple, SugaredTuple]:
        """Return the names and the values of the submodules."""
        keys: list[SugaredValue] = []
        values: list[SugaredValue] = []
        for name in self.info.type.attributes:
            if name not in self.info.submodules and not self.info.is_interface(name):
                continue
            keys.append(SimpleValue(insert_constant(emitter.graph, name)))
            values.append(self.submodule(emitter, name))
        return SugaredTuple(keys), SugaredTuple(values)

    def _parameters(
        self, loc: SourceRange, emitter: Emitter, buffers: bool = False
    ) -> tuple[SugaredTuple, SugaredTuple]:
        keys: list[SugaredValue] = []
        values: list[SugaredValue] = []
        for name, attribute in self.info.type.attributes.items():
            if attribute.is_buffer if buffers else attribute.is_parameter:
                keys.append(SimpleValue(insert_constant(emitter.graph, name)))
                emit_get_attr(emitter, self.value, name)
                values.append(SimpleValue(self.value).attr(loc, emitter, name))
        return SugaredTuple(keys), SugaredTuple(values)

    def _dict_method(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name == "named_buffers":
            return IterableMethod(_pairs(loc, *self._parameters(loc, emitter, buffers=True)))
        keys, values = self._children(emitter)
        if name == "keys":
            return IterableMethod(keys)
        if name in ("values", "children"):
            return IterableMethod(values)
        if name in ("items", "named_children"):
            return IterableMethod(_pairs(loc, keys, values))
        names: list[SugaredValue] = []
        modules: list[SugaredValue] = []
        for unknown in _interfaces_below(self.info):
            raise error(
                loc,
                "TS617",
                f"Could not compile {name}() because module '{unknown}' is an interface type: the "
                "modules below it are not known",
                fix="walk children(), or declare the submodule without the interface",
            )
        self._collect(emitter, "", names, modules)
        if name == "modules":
            return IterableMethod(SugaredTuple(modules))
        return IterableMethod(_pairs(loc, SugaredTuple(names), SugaredTuple(modules)))

    def _collect(
        self,
        emitter: Emitter,
        prefix: str,
        names: list[SugaredValue],
        modules: list[SugaredValue],
    ) -> None:
        """Gather this module and all below it, with their dotted names."""
        names.append(SimpleValue(insert_constant(emitter.graph, prefix.removesuffix("."))))
        modules.append(self)
        _, children = self._children(emitter)
        for name, child in zip(self.info.submodules, children.items, strict=True):
            assert isinstance(child, ModuleValue)
            child._collect(emitter, f"{prefix}{name}.", names, modules)


class InterfaceValue(SugaredValue):
    """A submodule with an interface as its type: another module may take its place."""

    kind = "module"
    is_module = True

    def __init__(self, value: Value) -> None:
        self.value = value

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        return self.value

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        return SimpleValue(self.value).attr(loc, emitter, name)

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        return SimpleValue(self.value).has_attr(loc, emitter, name)

    def set_attr(self, loc: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        SimpleValue(self.value).set_attr(loc, emitter, name, value)

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        return self.attr(loc, emitter, "forward").call(loc, emitter, args, kwargs, n_binders)


def _interfaces_below(info: ModuleInfo, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of the submodules of which only the interface is known."""
    yield from (prefix + name for name in info.type.attributes if info.is_interface(name))
    for name, child in info.submodules.items():
        yield from _interfaces_below(child, f"{prefix}{name}.")


def _pairs(loc: SourceRange, keys: SugaredTuple, values: SugaredTuple) -> IterableTree:
    pairs = IterableTree()
    pairs.add(loc, keys)
    pairs.add(loc, values)
    return pairs


def _constant(emitter: Emitter, loc: SourceRange, value: Any) -> Value:
    if isinstance(value, tuple):
        return make_tuple(emitter, [_constant(emitter, loc, item) for item in value])
    return insert_constant(emitter.graph, value, loc=loc)
