"""The operators of lists as C: one row for each overload, as in `scalar_operators.py`.

Lists of numbers share their rows: `{item}` is `i` or `d`, the member of `mts_value` that holds an
item, or `list` for lists of lists and of strs. `pool` has all lists of a call (`c/lists.c`).

Source: torch/csrc/jit/runtime/register_ops_utils.h.
"""

from __future__ import annotations

from minits.native.c_types import HELD, c_type_of
from minits.native.operator_rows import Operator, making, reading, writing
from minits.types import types as t

_NO_INDEX = "!mts_is_index({1}, {0}->length)"
_IS_EMPTY = "{0}->length == 0"
_VALUE_1 = "(mts_value){.{item} = {1}}"
_VALUE_2 = "(mts_value){.{item} = {2}}"


_GET = reading("mts_at({0}, {1})->{item}", raises=_NO_INDEX)
_ALL = {
    "aten::__getitem__.t": _GET,
    "aten::select.t": _GET,
    "aten::_set_item.t": writing("mts_at({0}, {1})->{item} = {2}", raises=_NO_INDEX),
    "aten::len.t": reading("{0}->length"),
    "aten::append.t": writing(f"mts_append({{0}}, {_VALUE_1})", allocates=True),
    "aten::insert.t": writing(f"mts_insert({{0}}, {{1}}, {_VALUE_2})", allocates=True),
    "aten::extend.t": writing("mts_extend({0}, {1})", allocates=True),
    "aten::add_.t": writing("mts_extend({0}, {1})", allocates=True),
    "aten::pop.t": writing("mts_pop({0}, {1}).{item}", raises=_NO_INDEX),
    "aten::Delete.t": writing("mts_delete({0}, {1})", raises=_NO_INDEX),
    "aten::clear.t": writing("mts_clear({0})"),
    "aten::reverse.t": writing("mts_reverse({0})"),
    "aten::copy.t": making("mts_copy(pool, {0})", reads=True),
    "aten::list.t": making("mts_copy(pool, {0})", reads=True),
    "aten::add.t": making("mts_concat(pool, {0}, {1})", reads=True),
    "aten::mul.left_t": making("mts_repeat(pool, {0}, {1})", reads=True),
    "aten::mul.right_": making("mts_repeat(pool, {1}, {0})", reads=True),
    "aten::mul_.t": writing("mts_repeat_here({0}, {1})", allocates=True),
    "aten::slice.t": making(
        "mts_slice(pool, {0}, {1}, {2}, {3})", raises="{3} == 0 || {3} == INT64_MIN", reads=True
    ),
    "prim::rangelist": making("mts_counted(pool, {0})", raises="{0} < 0", reads=True),
}
"""Rows for lists of anything."""


def _of_numbers(type: str, of: str) -> dict[str, Operator]:
    """Return the rows of lists of `type`; `of` is how their helpers are called."""
    find = f"mts_find_{of}({{0}}, {{1}})"
    equal = f"mts_equal_{of}s({{0}}, {{1}})"
    return {
        f"aten::index.list_{type}": reading(find, raises=f"{find} < 0"),
        f"aten::remove.{type}": writing(f"mts_delete({{0}}, {find})", raises=f"{find} < 0"),
        f"aten::count.{type}": reading(f"mts_count_{of}({{0}}, {{1}})"),
        f"aten::eq.{type}_list": reading(equal),
        f"aten::ne.{type}_list": reading(f"!{equal}"),
        f"aten::sum.{type}": reading(f"mts_sum_{of}s({{0}})"),
        f"prim::min.self_{type}": reading(f"mts_least_{of}({{0}})", raises=_IS_EMPTY),
        f"prim::max.self_{type}": reading(f"mts_greatest_{of}({{0}})", raises=_IS_EMPTY),
        f"aten::any.{type}": reading(f"mts_any_{of}({{0}})"),
        f"aten::all.{type}": reading(f"mts_all_{of}({{0}})"),
    }


def _of_whole_numbers(type: str) -> dict[str, Operator]:
    """Return the rows of lists of ints or bools, of which equal ones cannot be told apart."""
    return {
        **_of_numbers(type, "int"),
        f"aten::sort.{type}": writing("mts_sort_ints({0}, {1})"),
        f"aten::sorted.{type}": making("mts_sorted_ints(pool, {0})", reads=True),
    }


LIST_OPERATORS: dict[str, Operator] = {
    **_ALL,
    **_of_whole_numbers("int"),
    **_of_whole_numbers("bool"),
    **_of_numbers("float", "float"),
    "aten::sort.float": writing('mts_sort({0}, "f", {1})', allocates=True),
    "aten::sorted.float": making('mts_sorted(pool, {0}, "f")', reads=True),
    "aten::__contains__.int_list": reading("mts_find_int({0}, {1}) >= 0"),
    "aten::__contains__.float_list": reading("mts_find_float({0}, {1}) >= 0"),
}
OF_HELD = {"aten::_set_item.t": writing("mts_put_list({0}, {1}, {2})", raises=_NO_INDEX)}
"""Rows for lists of lists or strs, where they are others."""


def list_operator(key: str, first: t.Type | None) -> Operator | None:
    """Return the row of an operator whose first operand has this type; None for other operators."""
    if isinstance(first, t.ListType) and c_type_of(first.element) is HELD and key in OF_HELD:
        return OF_HELD[key]
    return LIST_OPERATORS.get(key)
