"""Formats and conversions in f-strings, in the extended dialect: calls of Python's own functions.

    f"{x:>8.3f}"     =  '{}'.format(format(x, '>8.3f'))
    f"{name!r:{w}}"  =  '{}'.format(format(repr(name), '{}'.format(w)))

TorchScript has no operator that rounds a number to decimals, so each call is a `prim::PythonOp`, as
that of a `torch.jit.ignore`d function is.
"""

from __future__ import annotations

from collections.abc import Callable

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.emit import expressions
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_parts
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.types.type_parts import contained_types
from minits.types.types import Type

_CONVERSIONS: dict[int, Callable[[object], str]] = {
    ord("s"): str,
    ord("r"): repr,
    ord("a"): ascii,
}
_AS_IN_PYTHON = (t.INT, t.FLOAT, t.BOOL, t.COMPLEX, t.NUMBER, t.STR, t.NONE, t.TENSOR)
"""Types whose values Python's `format` and `repr` see as the program does."""


def emit(
    emitter: Emitter, node: tree.JoinedStr, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Emit an f-string that has formats or conversions, or `{}` in its text; None for others."""
    faults = Faults()
    parts: list[tree.expr] = []
    for part in node.values:
        with faults.gathered():
            parts.append(_without_format(emitter, part))
    if faults:
        plain = (part for part in node.values if isinstance(part, tree.FormattedValue))
        with faults.gathered():
            emitter.emit_each(*(part.value for part in plain if not _is_formatted(part)))
    faults.raise_all()
    if tuple(parts) == node.values:
        return None
    return expressions.emit(emitter, tree.replaced(node, values=tuple(parts)), n_binders, hint)


def _without_format(emitter: Emitter, part: tree.expr) -> tree.expr:
    """Return a part as a field without a format, or as text that `format` leaves as it is."""
    if isinstance(part, tree.FormattedValue):
        return _field(emitter, part) if _is_formatted(part) else part
    is_template = "{}" in part.range.text  # which `format` would fill in
    return tree.FormattedValue(part.range, part, -1, None) if is_template else part


def _is_formatted(part: tree.FormattedValue) -> bool:
    """Return whether a field of an f-string has a conversion or a format."""
    return part.conversion != -1 or part.format_spec is not None


def _field(emitter: Emitter, part: tree.FormattedValue) -> tree.expr:
    loc, name = origin(part.value), emitter.temporary("$formatted")
    emitter.environment.set_value(loc, name, emit_formatted(emitter, part))
    return tree.FormattedValue(part.range, tree.Name(loc, name), -1, None)


def emit_formatted(emitter: Emitter, part: tree.FormattedValue) -> Value:
    """Emit the text of a field with a conversion or a format. Raises `CompileError`."""
    loc = origin(part.value)
    spec = part.format_spec
    try:
        value = emitter.emit_expression(part.value)
    except CompileError as fault:
        raise with_parts(emitter, fault, spec) from None
    if not _is_as_in_python(value.type):
        wrong = error(
            loc,
            "TS710",
            f"a value of type {value.type.annotation} has no format or conversion in an f-string",
            fix="format its numbers and strings one by one",
        )
        raise with_parts(emitter, wrong, spec)
    if part.conversion != -1:
        value = _call(emitter, loc, _CONVERSIONS[part.conversion], [value])
    if spec is not None:
        value = _call(emitter, loc, format, [value, emitter.emit_expression(spec)])
    return value


def _is_as_in_python(type: Type) -> bool:
    match type:
        case t.ListType() | t.DictType() | t.TupleType(fields=()):
            return all(map(_is_as_in_python, contained_types(type)))
        case t.OptionalType() | t.UnionType():
            return all(map(_is_as_in_python, union_members(type)))
    return type in _AS_IN_PYTHON


def _call(
    emitter: Emitter, loc: SourceRange, function: Callable[..., str], inputs: list[Value]
) -> Value:
    node = emitter.graph.emit("prim::PythonOp", inputs, [t.STR], loc)
    node.set_attr("name", "s", function.__name__)
    return node.set_attr("pyobj", "py", function).output
