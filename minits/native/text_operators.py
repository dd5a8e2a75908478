"""The operators of str as C: one row for each overload, as in `list_operators.py`.

A str is an `mts_list` whose items are its bytes (`c/texts.c`), as it is to torch.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp (`stringOpGenArgs`).
"""

from __future__ import annotations

from minits.native.operator_rows import Operator, computing, making, reading, writing

IS_PAST = "mts_is_past({0}, {2}, {3})"
_NO_CHARACTER = "{2}->length != 1"
STARTS_PAST = "mts_start_in({0}, {2}) > {0}->length"
_NO_INDEX = "!mts_is_index({1}, {0}->length)"


_COMPARED = {"lt": "<", "gt": ">", "le": "<=", "ge": ">="}
_FOUND = "mts_find({0}, {1}, {2}, {3})"
_FOUND_LAST = "mts_rfind({0}, {1}, {2}, {3})"
_ITEM = "mts_find_text({0}, {1})"

TEXT_OPERATORS: dict[str, Operator] = {
    "aten::add.str": making("mts_add_texts(pool, {0}, {1})"),
    "aten::len.str": computing("{0}->length"),
    "aten::eq.str": computing("mts_equal_text({0}, {1})"),
    "aten::ne.str": computing("!mts_equal_text({0}, {1})"),
    **{
        f"aten::{name}.str": computing(f"mts_order_texts({{0}}, {{1}}) {sign} 0")
        for name, sign in _COMPARED.items()
    },
    "aten::__getitem__.str": making("mts_byte_at(pool, {0}, {1})", raises=_NO_INDEX),
    "prim::StringIndex": making("mts_byte_at(pool, {0}, {1})", raises=_NO_INDEX),
    "aten::slice.str": making(
        "mts_slice_text(pool, {0}, {1}, {2}, {3})", raises="{3} == 0 || {3} == INT64_MIN"
    ),
    "aten::find": computing(_FOUND, raises=IS_PAST),
    "aten::rfind": computing(_FOUND_LAST, raises=IS_PAST),
    "aten::index.str": computing(_FOUND, raises=f"{IS_PAST} || {_FOUND} < 0"),
    "aten::rindex": computing(_FOUND_LAST, raises=f"{IS_PAST} || {_FOUND_LAST} < 0"),
    "aten::count": computing("mts_count({0}, {1}, {2}, {3})"),
    "aten::startswith": computing("mts_starts_with({0}, {1}, {2}, {3})", raises=STARTS_PAST),
    "aten::endswith": computing("mts_ends_with({0}, {1}, {2}, {3})", raises=STARTS_PAST),
    "aten::split.str": making("mts_split(pool, {0}, {1}, {2})", raises="{1} && !{1}->length"),
    "aten::rsplit": making("mts_rsplit(pool, {0}, {1}, {2})", raises="!{1}->length"),
    "aten::splitlines": making("mts_splitlines(pool, {0}, {1})"),
    **{
        f"aten::{name}": making(f"mts_{name}(pool, {{0}})")
        for name in ("upper", "lower", "swapcase", "capitalize", "title")
    },
    **{
        f"aten::{name}": computing(f"mts_{name}({{0}})")
        for name in (
            "istitle isupper islower isdigit isalpha isalnum isspace isprintable isidentifier"
        ).split()
    },
    "aten::isdecimal": computing("mts_isdigit({0})"),
    "aten::isnumeric": computing("mts_isdigit({0})"),
    **{
        f"aten::{name}": making(f"mts_{name}(pool, {{0}}, {{1}}, {{2}})", raises=_NO_CHARACTER)
        for name in ("center", "ljust", "rjust")
    },
    "aten::expandtabs": making("mts_expandtabs(pool, {0}, {1})"),
    "aten::zfill": making("mts_zfill(pool, {0}, {1})"),
    "aten::strip": making("mts_stripped(pool, {0}, {1}, true, true)"),
    "aten::lstrip": making("mts_stripped(pool, {0}, {1}, true, false)"),
    "aten::rstrip": making("mts_stripped(pool, {0}, {1}, false, true)"),
    "aten::replace": making("mts_replace(pool, {0}, {1}, {2}, {3})"),
    "aten::Float.str": computing("mts_float_of_text({0})", raises="!mts_is_float({0})"),
    "aten::Int.str": computing("mts_int_of_text({0})", raises="!mts_is_int({0})"),
    "aten::join": making("mts_join(pool, {0}, {1})", reads=True),
    "aten::list": making("mts_characters(pool, {0})"),
    "aten::ord": computing("(int64_t)(uint8_t)mts_bytes({0})[0]", raises="{0}->length != 1"),
    "aten::chr": making("mts_character(pool, {0})", raises="{0} < 0 || {0} >= 1114111"),
    "aten::hex": making("mts_text_to_base(pool, {0}, 'x', 4)"),
    "aten::oct": making("mts_text_to_base(pool, {0}, 'o', 3)"),
    "aten::bin": making("mts_text_to_base(pool, {0}, 'b', 1)"),
    # lists of str
    "aten::index.list_str": reading(_ITEM, raises=f"{_ITEM} < 0"),
    "aten::remove.str": writing(f"mts_delete({{0}}, {_ITEM})", raises=f"{_ITEM} < 0"),
    "aten::count.str": reading("mts_count_text({0}, {1})"),
    "aten::__contains__.str_list": reading(f"{_ITEM} >= 0"),
    "aten::eq.str_list": reading("mts_equal_texts({0}, {1})"),
    "aten::ne.str_list": reading("!mts_equal_texts({0}, {1})"),
    "aten::any.str": reading("mts_any_text({0})"),
    "aten::sort.str": writing("mts_sort_texts({0}, {1})"),
    "aten::sorted.str": making("mts_sorted_texts(pool, {0})", reads=True),
}
IDENTITY_OPERATORS: dict[str, Operator] = {
    "aten::__is__": computing("{0} == {1}"),
    "aten::__isnot__": computing("{0} != {1}"),
}
"""Rows for what may be None, of any type that has holders."""
TEXTS_OF: dict[str, str] = {
    "int": "mts_text_of_int(pool, {0})",
    "bool": "mts_text_of_bool(pool, {0})",
    "float": "mts_text_of_float(pool, {0})",
    "complex": "mts_text_of_complex(pool, {0})",
    "Device": "mts_text_of_device(pool, {0})",
    "number": "mts_text_of_number(pool, {0})",
}
"""The text of a value as `str` and `format` show it, by its type."""
