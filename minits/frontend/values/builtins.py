"""The values of builtin names: operators, casts, exceptions, functions, classes.

Source: torch/csrc/jit/frontend/sugared_value.{h,cpp} (`BuiltinFunction`, `CastValue`, ...).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.diagnostics import CompileError, error
from minits.frontend.calls.schema_matching import (
    MatchedSchema,
    NamedValue,
    match_schemas,
)
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.simple_value import MethodValue, SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.ops.schema import Argument
from minits.source import SourceRange
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.subtyping import is_subtype
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.function import CompiledFunction

no_match: Callable[..., CompileError] = lazily("minits.frontend.calls.no_match:no_match")


class NoneResult(SugaredValue):
    """The result of a call that returns nothing, such as `print`."""

    kind = "None"


class BuiltinFunction(SugaredValue):
    """An operator, with its first argument when it was named as a method of it."""

    kind = "builtin"
    cure = "call it"

    def __init__(self, operator: str, itself: NamedValue | None = None) -> None:
        self.operator, self.itself = operator, itself

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        return SimpleValue(
            emit_builtin_call(emitter.graph, loc, self.operator, args, kwargs, self.itself)
        )


class Cast(BuiltinFunction):
    """`int(x)` and the like: nothing is emitted for a value that has the type already."""

    def __init__(self, type: Type, operator: str) -> None:
        super().__init__(operator)
        self.type = type

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        if len(args) == 1 and not kwargs:
            graph = emitter.graph
            zero = insert_constant(graph, 0)
            value = args[0].ir_value(graph)
            if is_subtype(value.type, self.type):
                return SimpleValue(value)
            if self.type == t.BOOL and _has_length(value.type):
                length = emit_builtin_call(graph, loc, "aten::len", [value])
                return SimpleValue(emit_builtin_call(graph, loc, "aten::gt", [length, zero]))
        return super().call(loc, emitter, args, kwargs, n_binders)


def _has_length(type: Type) -> bool:
    return isinstance(type, (t.ListType, t.DictType)) or type in (t.STR, t.ANY_LIST)


class TensorCast(SugaredValue):
    """`x.float()`, which is `x.to(dtype)`."""

    kind = "builtin"
    cure = "call it"

    def __init__(self, dtype: torch.dtype, itself: NamedValue) -> None:
        self.dtype, self.itself = dtype, itself

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """The tensor, converted. Raises `CompileError` (TS404) if arguments are given."""
        if args or kwargs:
            raise error(
                loc,
                "TS404",
                "aten::to expected no arguments here: a cast takes none",
                fix="use .to",
            )
        dtype = insert_constant(emitter.graph, enum_code(self.dtype), loc=loc)
        keywords = [self.itself, NamedValue(dtype, "dtype", loc)]
        return SimpleValue(emit_builtin_call(emitter.graph, loc, "aten::to", [], keywords))


class MagicMethod(SugaredValue):
    """A builtin that calls a method such as `__len__` for a script class, else `otherwise`."""

    kind = "builtin"
    cure = "call it"

    def __init__(self, name: str, otherwise: SugaredValue) -> None:
        self.name, self.otherwise = name, otherwise

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        if args:
            first = args[0].ir_value(emitter.graph)
            if isinstance(first.type, t.ClassType):
                method = SimpleValue(first).attr(loc, emitter, self.name)
                return method.call(loc, emitter, args[1:], kwargs, n_binders)
        return self.otherwise.call(loc, emitter, args, kwargs, n_binders)


class Print(SugaredValue):
    """`print`."""

    kind = "builtin"
    cure = "call it"

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a `prim::Print`. Raises `CompileError` (TS404) if keyword arguments are given."""
        if kwargs:
            raise error(
                loc,
                "TS404",
                "print doesn't accept any keyword arguments in TorchScript",
                fix="join the texts, and print them as one",
            )
        values = [argument.ir_value(emitter.graph) for argument in args]
        emitter.graph.emit("prim::Print", values, [], loc)
        return NoneResult()


class SpecialForm(SugaredValue):
    """A callable whose arguments are not just values: `isinstance`, `range`, `annotate`.

    `special_forms.py` emits its calls.
    """

    kind = "builtin"
    cure = "call it"

    def __init__(self, form: str) -> None:
        self.form = form


class LegacyTensorConstructor(SpecialForm):
    """`torch.FloatTensor` and its kin."""

    def __init__(self, dtype: torch.dtype) -> None:
        super().__init__("legacy_tensor")
        self.dtype = dtype


class AssertionErrorValue(SugaredValue):
    """The class `AssertionError`, as `assert` raises it."""

    kind = "exception class"

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        graph = emitter.graph
        message = insert_constant(graph, "AssertionError: ", loc=loc)
        for argument in args:
            text = argument.ir_value(graph)
            if text.type != t.STR:
                text = emit_builtin_call(graph, loc, "aten::str", [text])
            message = emit_builtin_call(graph, loc, "aten::add", [message, text])
        return ExceptionInstance(message)


class PythonException(SugaredValue):
    """A Python exception class; `name` is its qualified name."""

    kind = "exception class"

    def __init__(self, name: str) -> None:
        self.name = name

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        graph = emitter.graph
        values = [argument.ir_value(graph) for argument in args]
        if not values:
            message = insert_constant(graph, "", loc=loc)
        elif len(values) == 1:
            message = values[0]
        else:
            message = make_tuple(emitter, values)
        return ExceptionInstance(message, insert_constant(graph, self.name, loc=loc))


class TorchCheck(SugaredValue):
    """`torch._check(cond, message="")`: an assertion.

    Source: torch/csrc/jit/python/python_sugared_value.cpp (`TorchCheckValue`).
    """

    kind = "builtin"
    cure = "call it"

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit the assertion. Raises `CompileError` (TS404) for other arguments than those two."""
        given = dict(zip(("cond", "message"), args, strict=False))
        given |= {argument.name: argument for argument in kwargs if argument.name is not None}
        if len(args) > 2 or "cond" not in given or given.keys() - {"cond", "message"}:
            raise error(
                loc,
                "TS404",
                "torch._check() expects 1 or 2 arguments, cond and message",
                fix="write torch._check(condition, 'a message')",
            )
        graph = emitter.graph
        condition = given["cond"].ir_value(graph)
        message = given.get("message")
        text = insert_constant(graph, "", loc=loc) if message is None else message.ir_value(graph)
        emit_builtin_call(graph, loc, "aten::_assert", [condition, text])
        return NoneResult()


class ExceptionInstance(SugaredValue):
    """An exception about to be raised: its message, and the qualified name of its class."""

    kind = "exception"

    def __init__(self, message: Value, class_name: Value | None = None) -> None:
        self.message, self.class_name = message, class_name


class FunctionValue(SugaredValue):
    """Compiled functions under one name; the first whose schema fits is called."""

    kind = "function"
    cure = "call it"

    def __init__(self, *callees: CompiledFunction) -> None:
        self.callees = callees

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a call of the first overload that the arguments match.

        Raises `CompileError` where they match none.
        """
        if self.callees[0].is_variadic:
            variant, kwargs = self.callees[0].variant_of_call(emitter, args, kwargs)
            return FunctionValue(variant.function).call(loc, emitter, args, kwargs, n_binders)
        for callee in self.callees:
            emitter.ensure_defined(callee, loc)
        schemas = [callee.schema for callee in self.callees]
        matched = match_schemas(schemas, emitter.graph, loc, args, kwargs)
        if not isinstance(matched, MatchedSchema):
            raise no_match(loc, self.callees[0].name, matched, args, kwargs)
        return emit_call(emitter, self.callees[schemas.index(matched.schema)], matched, loc)

    def parameters(self, loc: SourceRange, emitter: Emitter) -> Sequence[Argument]:
        callee, *others = self.callees
        if others or callee.is_variadic:
            return ()
        emitter.ensure_defined(callee, loc)
        return callee.schema.arguments

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name == "name":
            return SimpleValue(insert_constant(emitter.graph, self.callees[0].name, loc=loc))
        return super().attr(loc, emitter, name)


def emit_call(
    emitter: Emitter, callee: Any, matched: MatchedSchema, loc: SourceRange
) -> SugaredValue:
    """Emit the call of a compiled function, or of a static method of C++, and return its result."""
    graph = emitter.graph
    function = graph.emit("prim::Constant", [], [t.FunctionType(callee)])
    function.set_attr("name", "s", callee.name)
    inputs = [function.output, *matched.inputs]
    return SimpleValue(graph.emit("prim::CallFunction", inputs, matched.return_types, loc).output)


class ClassValue(SugaredValue):
    """A script class; calling it makes an object."""

    kind = "class"
    cure = "call it, to make an object"

    def __init__(self, type: t.ClassType) -> None:
        self.type = type

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit the making of an object. Raises `CompileError` (TS606) without `__init__`."""
        itself = emitter.graph.emit("prim::CreateObject", [], [self.type], loc).output
        if "__init__" not in self.type.methods:
            raise error(
                loc,
                "TS606",
                f"Class {self.type.short_name} does not have an __init__ function defined",
                fix="register a constructor, in C++: .def(torch::init<...>())"
                if self.type.is_bound
                else "define __init__(self) in the class",
            )
        MethodValue(itself, ("__init__",)).call(loc, emitter, args, kwargs, n_binders)
        return SimpleValue(itself)

    def parameters(self, loc: SourceRange, emitter: Emitter) -> Sequence[Argument]:
        initializer = self.type.methods.get("__init__")
        if initializer is None or initializer.is_being_defined or initializer.is_variadic:
            return ()
        emitter.ensure_defined(initializer, loc)
        arguments: Sequence[Argument] = initializer.schema.arguments[1:]
        return arguments

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """`C.__new__`. Raises `CompileError` (TS302) for any other name."""
        if name == "__new__":
            return SpecialForm("__new__")
        raise error(
            loc,
            "TS302",
            f"Tried to lookup unknown attribute on class {self.type.name}: '{name}'",
            fix="ask an object of the class for it: compiled classes have no attributes",
        )


class EnumClass(SugaredValue):
    """An enum class: its members, and iteration over them."""

    kind = "enum class"
    cure = "name one of its members"

    def __init__(self, type: t.EnumType) -> None:
        self.type = type

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """The member of this name, a constant. Raises `CompileError` (TS302) if none has it."""
        assert self.type.cls is not None
        if name not in dict(self.type.members):
            message = f"enum class '{self.type.name}' has no attribute '{name}'"
            fix = f"its members are {', '.join(dict(self.type.members))}"
            raise error(loc, "TS302", message, fix=fix)
        member = self.type.cls[name]  # type: ignore[index]
        return SimpleValue(insert_constant(emitter.graph, member, self.type, loc))

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        assert self.type.cls is not None
        members = [self.type.cls[name] for name, _ in self.type.members]  # type: ignore[index]
        type = t.ListType(self.type)
        return SimpleValue(insert_constant(emitter.graph, members, type, loc))


def make_tuple(emitter: Emitter, values: list[Value]) -> Value:
    """Emit the construction of a plain tuple."""
    type = t.TupleType(tuple(value.type for value in values))
    emitter.function.limit_type(type, emitter.pending.range)
    return emitter.graph.emit("prim::TupleConstruct", values, [type]).output


def _magic(name: str, operator: str) -> MagicMethod:
    return MagicMethod(name, BuiltinFunction(operator))


GLOBALS: dict[str, SugaredValue] = {
    "print": Print(),
    "float": MagicMethod("__float__", Cast(t.FLOAT, "aten::Float")),
    "complex": MagicMethod("__complex__", Cast(t.COMPLEX, "aten::Complex")),
    "int": MagicMethod("__int__", Cast(t.INT, "aten::Int")),
    "bool": MagicMethod("__bool__", Cast(t.BOOL, "aten::Bool")),
    "str": MagicMethod("__str__", Cast(t.STR, "aten::str")),
    "_to_tensor": Cast(t.TENSOR, "prim::NumToTensor"),
    "len": _magic("__len__", "aten::len"),
    "hex": _magic("__hex__", "aten::hex"),
    "oct": _magic("__oct__", "aten::oct"),
    "round": _magic("__round__", "aten::round"),
    **{
        name: BuiltinFunction(f"aten::{name}")
        for name in ("hash", "all", "any", "divmod", "sum", "ord", "chr", "bin", "pow", "sorted")
    },
    **{name: BuiltinFunction(f"prim::{name}") for name in ("id", "min", "max", "abs", "rangelist")},
    **{
        name: SpecialForm(name)
        for name in ("tuple getattr hasattr isinstance list dict range zip enumerate").split()
    },
    "AssertionError": AssertionErrorValue(),
}
"""Python's builtins, which every TorchScript program sees.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`Environment::getSugaredVar`).
"""
