"""A value of the graph, and what can be done with it: attributes, methods, items, iteration.

Source: torch/csrc/jit/frontend/sugared_value.cpp (`SimpleValue`, `MethodValue`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch

from minits.diagnostics import IN_EXTENDED, CompileError, error
from minits.frontend.calls import hints
from minits.frontend.calls.operator_receivers import takes_self
from minits.frontend.calls.schema_matching import (
    MatchedSchema,
    NamedValue,
    match_schemas,
    unpack_tuple,
)
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtin_functions import builtin_functions
from minits.frontend.values.error_value import ErrorValueUsed
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.ops.native_methods import methods_of
from minits.ops.registry import schemas_for
from minits.ops.schema import Argument, Schema
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter

no_match: Callable[..., CompileError] = lazily("minits.frontend.calls.no_match:no_match")
missing_attribute: Callable[..., CompileError] = lazily(
    "minits.frontend.values.missing_attributes:missing_attribute"
)
assign_attribute: Callable[[Value, SourceRange, Emitter, str, Value], None] = lazily(
    "minits.frontend.values.attribute_assignment:assign_attribute"
)
callable_schemas: Callable[..., list[Schema]] = lazily(
    "minits.frontend.values.method_schemas:callable_schemas"
)
with_hidden_defaults: Callable[..., CompileError] = lazily(
    "minits.frontend.values.method_schemas:with_hidden_defaults"
)

TENSOR_CASTS: dict[str, torch.dtype] = {
    "byte": torch.uint8, "char": torch.int8, "double": torch.float64, "float": torch.float32,
    "cfloat": torch.complex64, "cdouble": torch.complex128, "int": torch.int32,
    "long": torch.int64, "short": torch.int16, "half": torch.float16,
}  # fmt: skip

_TENSOR_PROPERTIES: dict[str, str] = {
    name: namespace
    for namespace, names in {
        "prim": "dtype device grad data shape is_cuda is_cpu is_xla is_xpu is_mtia is_sparse "
        "is_sparse_csr is_mkldnn is_mps is_quantized is_vulkan is_ipu is_meta is_maia is_nested "
        "requires_grad layout T H ndim name itemsize nbytes",
        "aten": "is_leaf mT mH real imag retains_grad",
    }.items()
    for name in names.split()
}
_DEVICE_PROPERTIES = {"type": "prim", "index": "prim"}


class SimpleValue(SugaredValue):
    """Wraps a `Value` of the graph."""

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"value of type '{self.value.type.annotation}'"

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        return self.value

    # ---- Attributes ----------------------------------------------------------------------------

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """A property, field or method, as far as the value's type has it. Raises `CompileError`."""
        type = self.value.type
        if type == t.TENSOR and name in TENSOR_CASTS:
            from minits.frontend.values.builtins import TensorCast

            return TensorCast(TENSOR_CASTS[name], NamedValue(self.value, "self", loc))
        found = self._property(emitter, name) or self._field(loc, emitter, name)
        found = found or self._method(loc, name)
        if found is None and isinstance(type, t.AwaitType):
            waited = emit_builtin_call(emitter.graph, loc, "prim::awaitable_wait", [self.value])
            return SimpleValue(waited).attr(loc, emitter, name)
        if found is None:
            if name in emitter.lost_attributes and emitter.initializes(type):
                raise ErrorValueUsed
            raise missing_attribute(loc, self.value.type, name, self.value)
        return found

    def _property(self, emitter: Emitter, name: str) -> SugaredValue | None:
        """Return a property that an operator computes, such as `x.shape` or `device.type`."""
        namespace = None
        if self.value.type == t.TENSOR:
            namespace = _TENSOR_PROPERTIES.get(name)
        elif self.value.type == t.DEVICE:
            namespace = _DEVICE_PROPERTIES.get(name)
        operator = f"{namespace}::{name}"
        if namespace is None or not (schemas_for(operator) or builtin_functions(operator)):
            return None
        return SimpleValue(emit_builtin_call(emitter.graph, None, operator, [self.value]))

    def _field(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """A field of a NamedTuple, object or enum."""
        graph, value = emitter.graph, self.value
        match value.type:
            case t.TupleType(fields=fields) as type if name in fields:
                index = fields.index(name)
                position = insert_constant(graph, index)
                node = graph.emit("prim::TupleIndex", [value, position], [type.elements[index]])
                return SimpleValue(node.output)
            case t.ClassType() as type:
                return self._member(loc, emitter, type, name)
            case t.EnumType() as type if name in ("name", "value"):
                result = t.STR if name == "name" else type.value_type
                return SimpleValue(
                    graph.emit(f"prim::Enum{name.title()}", [value], [result]).output
                )
        return None

    def _member(
        self, loc: SourceRange, emitter: Emitter, type: t.ClassType, name: str
    ) -> SugaredValue | None:
        if name in methods_of(type):
            return MethodValue(self.value, (name,))
        if name in type.attributes:
            return SimpleValue(emit_get_attr(emitter, self.value, name))
        if name in type.properties:
            getter = type.properties[name][0]
            return MethodValue(self.value, (getter,)).call(loc, emitter, [], [])
        return None

    def _method(self, loc: SourceRange, name: str) -> SugaredValue | None:
        """Return the operator `name` with this value bound as its `self`, or None."""
        from minits.frontend.values.builtins import BuiltinFunction, SpecialForm

        itself = NamedValue(self.value, "self", loc)
        for operator in ("aten::to",) if name == "type" else ():
            if takes_self(operator, self.value.type):
                return BuiltinFunction(operator, itself)
        if takes_self(f"aten::{name}", self.value.type):
            return BuiltinFunction(f"aten::{name}", itself)
        if self.value.type == t.TENSOR and name in ("tolist", "__getitem__"):
            return SpecialForm(name)
        return None

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        """Return whether an object or NamedTuple has it. Raises `CompileError` for others."""
        type = self.value.type
        if isinstance(type, t.TupleType) and type.name is not None:
            return name in type.fields
        if t.is_interface(type) and type.is_module:
            return self._promises(loc, type, name)
        if not isinstance(type, t.ClassType) or type.is_interface:
            found = type.annotation
            message = f"hasattr's first argument must be an object or NamedTuple, got {found}"
            fix = "test objects of script classes, modules or NamedTuples; others with isinstance"
            raise error(loc, "TS301", message, fix=fix)
        return name in methods_of(type) or name in type.attributes or name in type.constants

    def _promises(self, loc: SourceRange, interface: t.ClassType, name: str) -> bool:
        """Return True if an interface of modules declares `name`, else raise `CompileError`.

        It is not known whether a module that is passed has a method beyond the interface.
        """
        if name not in interface.methods:
            raise missing_attribute(loc, interface, name)
        return True

    def set_attr(self, loc: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Emit a `prim::SetAttr`. Raises `CompileError` where the value has no such attribute."""
        assign_attribute(self.value, loc, emitter, name, value)

    # ---- Calls, items, iteration ---------------------------------------------------------------

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a call of an object or module. Raises `CompileError` (TS403) for other types."""
        if isinstance(self.value.type, t.ClassType):
            called = self.attr(loc, emitter, self._called_method(loc, emitter))
            return called.call(loc, emitter, args, kwargs, n_binders)
        raise error(
            loc,
            "TS403",
            f"cannot call a {self.kind}",
            fix=hints.for_abstract(self.value.type)
            or "call functions, modules, or objects of script classes with __call__",
        )

    def _called_method(self, loc: SourceRange, emitter: Emitter) -> str:
        """Return the method that a call of this object runs: `__call__`, or a module's `forward`.

        The module is one out of a slice, a tuple or an argument. Raises `CompileError` for such a
        module in the torch dialect.
        """
        type = self.value.type
        assert isinstance(type, t.ClassType)
        if not type.is_module or "__call__" in type.methods:
            return "__call__"
        if emitter.dialect == "extended":
            return "forward"
        raise error(
            loc,
            "TS703",
            f"this {type.short_name} came out of a slice, a tuple or an argument, and cannot be "
            "called",
            notes=[IN_EXTENDED],
            fix="call its forward method, or go over the whole list",
        )

    def as_tuple(
        self, loc: SourceRange, emitter: Emitter, size: int | None = None
    ) -> list[SugaredValue]:
        """The elements of a tuple, or of a list that is taken to have `size` of them.

        Raises `CompileError` (TS305).
        """
        match self.value.type:
            case t.TupleType():
                return [SimpleValue(item) for item in unpack_tuple(emitter.graph, self.value)]
            case t.ListType(element=element):
                if size is None:
                    raise error(
                        loc,
                        "TS305",
                        "cannot statically infer the expected size of a list: it has any length",
                        fix="use a tuple, or index the list",
                    )
                types = [element] * size
                node = emitter.graph.emit("prim::ListUnpack", [self.value], types)
                return [SimpleValue(item) for item in node.outputs]
        raise self._no_tuple(loc)

    def _no_tuple(self, loc: SourceRange) -> CompileError:
        type = self.value.type
        message = f"{type.annotation} cannot be used as a tuple"
        if type == t.ANY_TUPLE:
            message = "Provided tuple is not fully defined/refined: its element types are not known"
        fix = hints.for_abstract(type) or "unpack tuples and lists alone"
        return error(loc, "TS305", message, fix=fix)

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        """The iterable of a `for` loop: keys of a dict. Raises `CompileError` (TS306)."""
        from minits.frontend.values.iterables import SugaredTuple

        match self.value.type:
            case t.ListType() | t.STR | t.TENSOR:
                return self
            case t.DictType():
                return SimpleValue(
                    emit_builtin_call(emitter.graph, loc, "aten::keys", [self.value])
                )
            case t.TupleType():
                return SugaredTuple(self.as_tuple(loc, emitter))
        raise self._not_iterable(loc)

    def _not_iterable(self, loc: SourceRange) -> CompileError:
        type = self.value.type
        fix = "go over range(n)" if type == t.INT else hints.for_abstract(type) or hints.ITERABLE
        return error(loc, "TS306", f"'{type.annotation}' object is not iterable", fix=fix)

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        """The length of a list, str or tensor as it runs. Raises `CompileError` (TS306)."""
        type = self.value.type
        if isinstance(type, t.ListType) or type in (t.STR, t.TENSOR):
            return emit_builtin_call(emitter.graph, loc, "aten::len", [self.value])
        raise self._not_iterable(loc)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """The item of a list, dict, str, object, or a tensor's first dimension.

        Raises `CompileError` (TS307) for other types.
        """
        graph, type = emitter.graph, self.value.type
        if isinstance(type, (t.ListType, t.DictType)) or type == t.STR:
            item = emit_builtin_call(graph, loc, "aten::__getitem__", [self.value, index])
            return SimpleValue(item)
        if type == t.TENSOR:
            return SimpleValue(
                emit_builtin_call(graph, loc, "aten::select", [self.value, 0, index])
            )
        if isinstance(type, t.ClassType):
            if type.is_module and type_hint is not None:
                node = graph.emit(
                    "prim::ModuleContainerIndex", [self.value, index], [type_hint], loc
                )
                return SimpleValue(node.output)
            method = self.attr(loc, emitter, "__getitem__")
            return method.call(loc, emitter, [NamedValue(index)], [])
        fix = hints.for_abstract(type) or hints.SUBSCRIPTABLE
        raise error(loc, "TS307", f"'{type.annotation}' object is not subscriptable", fix=fix)


def as_simple(value: SugaredValue) -> Value | None:
    """Return the graph's value of a `SimpleValue`, else None."""
    return value.value if isinstance(value, SimpleValue) else None


class MethodValue(SugaredValue):
    """A method of an object, bound to it; of several `names` the first whose schema fits."""

    kind = "method"
    cure = "call it"

    def __init__(self, value: Value, names: tuple[str, ...]) -> None:
        self.value, self.names = value, names

    def parameters(self, loc: SourceRange, emitter: Emitter) -> Sequence[Argument]:
        assert isinstance(self.value.type, t.ClassType)
        method = self.value.type.methods[self.names[0]]
        if len(self.names) > 1 or getattr(method, "is_variadic", False):
            return ()
        emitter.ensure_defined(method, loc)
        arguments: Sequence[Argument] = method.schema.arguments[1:]
        return arguments

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a call of the first method that the arguments match.

        Raises `CompileError` where they match none.
        """
        type = self.value.type
        assert isinstance(type, t.ClassType)
        methods = [type.methods[name] for name in self.names]
        if getattr(methods[0], "is_variadic", False):  # what an interface promises never is
            given = [NamedValue(self.value), *args]
            variant, kwargs = methods[0].variant_of_call(emitter, given, kwargs)
            bound = MethodValue(self.value, (variant.name,))
            return bound.call(loc, emitter, args, kwargs, n_binders)
        for method in methods:
            emitter.ensure_defined(method, loc)
        given = [NamedValue(self.value), *args]
        schemas = callable_schemas(type, methods, emitter.dialect)
        matched = match_schemas(schemas, emitter.graph, loc, given, kwargs)
        if not isinstance(matched, MatchedSchema):
            fault = no_match(loc, self.names[0], matched, given, kwargs)
            raise with_hidden_defaults(fault, schemas, methods)
        name = self.names[schemas.index(matched.schema)]
        node = emitter.graph.emit("prim::CallMethod", matched.inputs, matched.return_types, loc)
        return SimpleValue(node.set_attr("name", "s", name).output)


def emit_get_attr(emitter: Emitter, value: Value, name: str) -> Value:
    """Emit `prim::GetAttr`; its result is called after the attribute."""
    type = value.type
    assert isinstance(type, t.ClassType)
    node = emitter.graph.emit("prim::GetAttr", [value], [type.attributes[name].type])
    output = node.set_attr("name", "s", name).output
    return output.set_name(f"_{name}" if name.isdigit() else name)
