"""The operators of values of any type as C: their rows hang on the types of what they are given.

    aten::sort.any       mts_sort({0}, "(is)", {1})          tuples of an int and a str
    aten::hash.generic   mts_hash_value("(is)", ...)         by the code of a type (`type_codes.py`)

Source: torch/csrc/jit/runtime/register_special_ops.cpp (`sort_op`), aten/src/ATen/core/ivalue.cpp.
"""

from __future__ import annotations

from collections.abc import Callable

from minits.native.c_types import c_type_of, has_tensors
from minits.native.complex_numbers import BOXED
from minits.native.expressions import quoted
from minits.native.operator_rows import Operator, computing, making, writing
from minits.native.type_codes import code_of_type
from minits.ops.implementations.sorting import has_order
from minits.types import types as t
from minits.types.type_parts import distinct_parts

_ORDERED = (t.INT, t.FLOAT, t.BOOL, t.STR)
_WITHOUT_HASH = (t.ListType, t.DictType, t.EnumType, t.ClassType)
_IS_NONEMPTY = "{0}->length"


def generic_operator(key: str, type: t.Type | None) -> Operator | None:
    """Return the row of an operator whose first operand has this type; None for other operators."""
    make = _ROWS.get(key)
    return None if make is None or type is None else make(type)


def _sort(type: t.Type) -> Operator | None:
    return _of_order(type, "mts_sort({0}, {code}, {1})", writing)


def _sorted(type: t.Type) -> Operator | None:
    return _of_order(type, "mts_sorted(pool, {0}, {code})", making)


def _of_order(type: t.Type, text: str, make: Callable[..., Operator]) -> Operator | None:
    """Return the row of what sorts a list, or raises for one whose items have no order."""
    element = getattr(type, "element", t.NONE)
    is_sorted = make is making
    if _is_ordered(element):
        text = text.replace("{code}", quoted(str(code_of_type(element)).encode()))
        return making(text, reads=True) if is_sorted else writing(text, allocates=True)
    if not _lacks_order(element):
        return None
    text = "mts_copy(pool, {0})" if is_sorted else "mts_clear({0})"  # of an empty list
    return make(text, raises=_IS_NONEMPTY)


def _is_ordered(type: t.Type) -> bool:
    if isinstance(type, t.TupleType):
        return all(map(_is_ordered, distinct_parts(type)))
    return type in _ORDERED


def _lacks_order(type: t.Type) -> bool:
    """Return whether any value of a type makes a list that is not sorted."""
    if isinstance(type, t.ClassType):
        return not has_order(type)
    if isinstance(type, t.TupleType):
        return any(map(_lacks_order, distinct_parts(type)))
    return isinstance(type, (t.ListType, t.DictType, t.EnumType)) or type in (t.COMPLEX, BOXED)


def _hash(type: t.Type) -> Operator | None:
    """Return the row of `hash(x)`: of what holds something that has no hash, it raises."""
    code, found = code_of_type(type), c_type_of(type)
    if isinstance(type, t.OptionalType) and _has_no_hash(type.element):
        return computing("0", raises="{0} != 0")
    if _has_no_hash(type):
        return computing("0", raises="true")
    if code is None or found is None or any(map(_has_no_hash, distinct_parts(type))):
        return None
    tensor = "mts_hash_tensor" if has_tensors(type) else "0"
    value = f"(mts_value){{.{found.slot} = {{0}}}}"
    return computing(f"(int64_t)mts_hash_value({quoted(code.encode())}, {value}, {tensor})")


def _has_no_hash(type: t.Type) -> bool:
    """Return whether no value of a type has a hash."""
    if isinstance(type, t.TupleType):
        return any(map(_has_no_hash, distinct_parts(type)))
    return isinstance(type, _WITHOUT_HASH) or type == t.COMPLEX


_ROWS: dict[str, Callable[[t.Type], Operator | None]] = {
    "aten::sort.any": _sort,
    "aten::sorted.any": _sorted,
    "aten::hash.generic": _hash,
}
GENERIC_OPERATORS = frozenset(_ROWS)
"""The overloads that may have a row."""
