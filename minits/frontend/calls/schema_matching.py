"""Overload resolution: which schema a call means, and which values its arguments get.

`match_schemas` tries the overloads in torch's order of registration: all of them without implicit
conversions first, then all with them. Nodes for conversions, lists and defaults are inserted where
the graph's insertion point is; those of failed attempts stay there unused, for the clean-up.

Source: torch/csrc/jit/frontend/schema_matching.cpp.
Differs: a failed call is told by the one overload that came nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minits.frontend.calls.defaults import insert_default
from minits.frontend.calls.schema_mismatches import Mismatch, unbound, wrong_type
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph, Value
from minits.ops.schema import Argument, Schema
from minits.records import dataclass, field
from minits.source import SourceRange
from minits.types import types as t
from minits.types.subtyping import (
    evaluate_variables,
    is_subtype,
    match_variables,
    unwrap_optional,
)
from minits.types.types import Type


@dataclass(slots=True)
class NamedValue:
    """An argument of a call: an IR value, or a Python constant that becomes one when it is used."""

    value: Any
    name: str | None = None
    range: SourceRange | None = None

    def ir_value(self, graph: Graph) -> Value:
        if isinstance(self.value, Value):
            return self.value
        return insert_constant(graph, self.value)

    @property
    def type(self) -> Type | None:
        return self.value.type if isinstance(self.value, Value) else None


@dataclass(slots=True)
class MatchedSchema:
    """A schema, the values for its arguments in order, and the types of its results."""

    schema: Schema
    inputs: list[Value]
    return_types: list[Type]


@dataclass(slots=True)
class _Call:
    """One attempt to match the arguments of a call with a schema."""

    graph: Graph
    range: SourceRange | None
    args: Sequence[NamedValue]
    kwargs: Sequence[NamedValue]
    conversions: bool
    types: dict[str, Type] = field(default_factory=dict)


def match_schemas(
    schemas: Sequence[Schema],
    graph: Graph,
    loc: SourceRange | None,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue] = (),
    self_value: NamedValue | None = None,
    conversions: Sequence[bool] = (False, True),
) -> MatchedSchema | list[Mismatch]:
    """Return the first match in torch's order, or why each schema failed.

    `conversions` are the rounds; of a single schema only the last one takes place.
    """
    mismatches: list[Mismatch] = []
    given = self_value or (args[0] if args else None)
    first = given.type if given is not None else None
    for converts in conversions[-1:] if len(schemas) == 1 else conversions:
        mismatches.clear()
        is_known = first is not None and not converts
        tried = _may_fit(schemas, first, self_value is not None) if is_known else schemas
        for schema in tried:
            result = match_schema(schema, graph, loc, args, kwargs, self_value, converts)
            if isinstance(result, MatchedSchema):
                return result
            mismatches.append(result)
    return mismatches


def _may_fit(schemas: Sequence[Schema], first: Type | None, is_self: bool) -> Sequence[Schema]:
    """Leave out the schemas that the type of a call's first value alone refuses."""
    if first.__class__ is not t.SimpleType:
        return schemas
    return [
        schema
        for schema in schemas
        if schema.first_type in (None, first) or (is_self and schema.first_name != "self")
    ]


def match_schema(
    schema: Schema,
    graph: Graph,
    loc: SourceRange | None,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue] = (),
    self_value: NamedValue | None = None,
    conversions: bool = True,
) -> MatchedSchema | Mismatch:
    """Fit one schema to a call. Nodes of implicit conversions get `loc`; others have none."""
    if schema.name in _NEVER_CALLED.get(schema.overload, ()):
        return Mismatch(schema, 0, "No call means this overload.")
    call = _Call(graph, loc, args, kwargs, conversions)
    inputs: list[Value] = []
    used_kwargs: set[int] = set()
    position = n_defaults = 0
    for index, argument in enumerate(schema.arguments):
        if argument.name == "self" and self_value is not None:
            given, self_value = self_value, None
        elif not argument.kwarg_only and position < len(args):
            if (
                conversions
                and _takes_varargs(schema, index)
                and not _is_list(args[position].ir_value(graph).type, argument.type)
            ):
                packed = _pack_varargs(schema, argument, call, position, len(inputs))
                if isinstance(packed, Mismatch):
                    return packed
                inputs.append(packed)
                position = len(args)
                continue
            given = args[position]
            position += 1
        elif (keyword := _find_keyword(schema, argument.name, kwargs)) is not None:
            used_kwargs.add(keyword)
            given = kwargs[keyword]
        elif argument.has_default:
            if _is_of_another_type(schema, argument):
                return wrong_type(schema, len(inputs), argument, argument.type, t.INT, loc)
            given = NamedValue(argument.default)
            inputs.append(insert_default_of(graph, argument, loc))
            n_defaults += 1
            continue
        else:
            reason = f"Argument {argument.name} not provided."
            return Mismatch(schema, len(inputs), reason, argument)
        matched = _match_argument(schema, argument, given, call, len(inputs))
        if isinstance(matched, Mismatch):
            return matched
        inputs.append(matched)
    progress = len(inputs) - n_defaults
    leftover = _leftover(schema, args, kwargs, position, used_kwargs, progress)
    if leftover is not None or self_value is not None:
        return leftover or Mismatch(schema, 0, "Provided self argument not used in schema.")
    if schema.is_vararg:
        inputs += [value.ir_value(graph) for value in args[position:]]
    return _results(schema, inputs, call)


_NEVER_CALLED = {"dtype": ("aten::view",), "unary_out": ("aten::max", "aten::min")}
"""Overloads that torch.jit skips: their arguments do not differ from those of others."""


def _is_of_another_type(schema: Schema, argument: Argument) -> bool:
    """Return whether an operator's default does not fit its own argument: `float? correction=1`."""
    is_int = argument.default.__class__ is int and "::" in schema.name
    return is_int and argument.type == t.OptionalType(t.FLOAT)


def _results(schema: Schema, inputs: list[Value], call: _Call) -> MatchedSchema | Mismatch:
    types: list[Type] = []
    for result in schema.returns:
        type_ = evaluate_variables(result.type, call.types)
        if type_ is None:
            return Mismatch(
                schema, len(inputs), "The type of its result has unbound type variables."
            )
        types.append(type_)
    return MatchedSchema(schema, inputs, types)


def _leftover(
    schema: Schema,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    position: int,
    used_kwargs: set[int],
    progress: int,
) -> Mismatch | None:
    """Return the fault of arguments that no parameter took."""
    if position < len(args) and not schema.is_vararg:
        loc = args[position].range
        reason = (
            f"Expected at most {position} arguments but found {len(args)} positional arguments."
        )
        return Mismatch(schema, progress, reason, range=loc)
    names = [argument.name for argument in schema.arguments]
    for index, keyword in enumerate(kwargs):
        if index not in used_kwargs:
            fault = "specified twice" if keyword.name in names else "unknown"
            reason = f"Keyword argument {keyword.name} {fault}."
            return Mismatch(schema, progress, reason, range=keyword.range)
    return None


def _find_keyword(schema: Schema, name: str, kwargs: Sequence[NamedValue]) -> int | None:
    """Return the index of the keyword argument for a parameter, or None.

    For `self` of an aten operator it may be `input`, as in Python's functions.
    """
    alias = "input" if name == "self" and schema.name.startswith("aten::") else name
    for index, keyword in enumerate(kwargs):
        if keyword.name in (name, alias):
            return index
    return None


def _takes_varargs(schema: Schema, index: int) -> bool:
    """Return whether the remaining positional arguments may be gathered: `x.view(2, 3)`."""
    arguments = schema.arguments
    argument = arguments[index]
    is_last = index + 1 == len(arguments) or arguments[index + 1].kwarg_only
    type_ = argument.type
    return (
        is_last
        and isinstance(type_, t.ListType)
        and not isinstance(type_.element, t.VarType)
        and argument.size is None
    )


def _is_list(actual: Type, formal: Type) -> bool:
    return isinstance(actual, t.ListType) or convertible_to_list(actual, unwrap_optional(formal))


def _pack_varargs(
    schema: Schema, argument: Argument, call: _Call, position: int, progress: int
) -> Value | Mismatch:
    formal = unwrap_optional(argument.type)
    assert isinstance(formal, t.ListType)
    element = Argument("<varargs>", formal.element)
    items: list[Value] = []
    for given in call.args[position:]:
        item = _match_argument(schema, element, given, call, progress)
        if isinstance(item, Mismatch):
            return item
        items.append(item)
    return make_list(call.graph, formal.element, items)


def insert_default_of(graph: Graph, argument: Argument, loc: SourceRange | None) -> Value:
    """Insert the default of an argument as a constant; a tuple or list of numbers as a list."""
    value, type_ = argument.default, unwrap_optional(argument.type)
    if value is None:
        return insert_default(graph, argument, None, None, loc)
    if isinstance(type_, t.ListType):
        if not isinstance(value, (list, tuple)):  # of a Python function: `padding: ... = 0`
            number = insert_constant(graph, value)
            return make_list(graph, number.type, [number] * (argument.size or 1))
        return insert_constant(graph, list(value), type_)
    if type_ == t.FLOAT and isinstance(value, int):
        value = float(value)
    known = None if type_ in _ABSTRACT else type_
    return insert_default(graph, argument, value, known, loc)


_ABSTRACT = (t.NUMBER, t.ANY)


def _match_argument(
    schema: Schema, argument: Argument, given: NamedValue, call: _Call, progress: int
) -> Value | Mismatch:
    value = given.ir_value(call.graph)
    formal, actual = argument.type, value.type
    if formal.__class__ is t.SimpleType and actual.__class__ is t.SimpleType:
        if actual is formal:  # nearly every argument ends here or in the next line
            return value
        if not is_subtype(actual, formal) and not (call.conversions and actual in _IMPLICIT):
            return wrong_type(schema, progress, argument, formal, value.type, given.range)
    elif argument.size is not None and _is_broadcast(value, argument):
        value = make_list(call.graph, value.type, [value] * argument.size)
    reason = match_variables(argument.type, value.type, call.types)
    concrete = None if reason else evaluate_variables(argument.type, call.types)
    if concrete is None:
        told = unbound(argument, value.type, reason)
        return Mismatch(schema, progress, told, argument, value.type, given.range)
    value = convert(call.graph, call.range, concrete, value, call.conversions)
    if not is_subtype(value.type, concrete):
        return wrong_type(schema, progress, argument, concrete, value.type, given.range)
    return value


def _is_broadcast(value: Value, argument: Argument) -> bool:
    """Return whether a number stands for a list of known length: 3 for `int[2] kernel_size`."""
    formal = unwrap_optional(argument.type)
    return (
        argument.size is not None
        and value.type in (t.INT, t.FLOAT)
        and isinstance(formal, t.ListType)
        and formal.element == value.type
    )


def make_list(graph: Graph, element: Type, items: Sequence[Value]) -> Value:
    return graph.emit("prim::ListConstruct", items, [t.ListType(element)]).output


def unpack_tuple(graph: Graph, value: Value) -> list[Value]:
    """Return the elements of a tuple; of one that was just made, what it was made of."""
    if value.node.kind == "prim::TupleConstruct":
        return list(value.node.inputs)
    assert isinstance(value.type, t.TupleType)
    return graph.emit("prim::TupleUnpack", [value], value.type.elements).outputs


def convertible_to_list(type: Type, list_type: Type) -> bool:
    """Return whether `type` is a tuple of which every element fits the list's."""
    if not isinstance(list_type, t.ListType):
        return False
    if is_subtype(type, list_type):
        return True
    return isinstance(type, t.TupleType) and all(
        is_subtype(element, list_type.element) for element in type.elements
    )


def convert(
    graph: Graph, loc: SourceRange | None, wanted: Type, value: Value, conversions: bool = True
) -> Value:
    """Convert as far as the language does by itself; the caller checks the resulting type."""
    optional = isinstance(value.type, t.OptionalType) or value.type == t.NONE
    if isinstance(wanted, t.OptionalType) and not optional:
        return convert(graph, loc, wanted.element, value, conversions)
    if value.node.kind == "prim::EmptyListLiteral" and isinstance(wanted, t.ListType):
        value = make_list(graph, wanted.element, [])
    if isinstance(value.type, t.TupleType):
        value = _convert_tuple(graph, loc, wanted, value, conversions)
    return _convert_implicitly(graph, loc, wanted, value) if conversions else value


def _convert_tuple(
    graph: Graph, loc: SourceRange | None, wanted: Type, value: Value, conversions: bool
) -> Value:
    type_ = value.type
    assert isinstance(type_, t.TupleType)
    target = unwrap_optional(wanted)
    if isinstance(target, t.ListType) and convertible_to_list(type_, target):
        value = make_list(graph, target.element, unpack_tuple(graph, value))
    if (
        isinstance(wanted, t.TupleType)
        and not is_subtype(type_, wanted)
        and len(wanted.elements) == len(type_.elements)
    ):
        items = unpack_tuple(graph, value)
        pairs = zip(wanted.elements, items, strict=True)
        items = [convert(graph, loc, element, item, conversions) for element, item in pairs]
        elements = tuple(item.type for item in items)
        value = graph.emit("prim::TupleConstruct", items, [t.TupleType(elements)]).output
    return value


_IMPLICIT: dict[Type, dict[Type, str]] = {
    t.TENSOR: {
        t.FLOAT: "aten::FloatImplicit",
        t.COMPLEX: "aten::ComplexImplicit",
        t.INT: "aten::IntImplicit",
        t.NUMBER: "aten::ScalarImplicit",
    },
    t.NUMBER: {t.FLOAT: "aten::Float", t.COMPLEX: "aten::Complex", t.INT: "aten::Int"},
    t.BOOL: {t.FLOAT: "aten::Float", t.INT: "aten::Int", t.NUMBER: "aten::Int"},
    t.STR: {t.DEVICE: "aten::device"},
}
"""For each type whose values are converted implicitly: to what, and by which operator."""


def _convert_implicitly(graph: Graph, loc: SourceRange | None, wanted: Type, value: Value) -> Value:
    operator = _IMPLICIT.get(value.type, {}).get(wanted)
    if operator is None:
        return value
    if value.type == t.BOOL and wanted == t.NUMBER:
        wanted = t.INT
    return graph.emit(operator, [value], [wanted], loc).output
