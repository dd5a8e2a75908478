"""The operators of str as C: one row for each overload, as in `list_operators.py`.

A str is an `mts_list` whose items are its bytes (`c/texts.c`), as it is to torch.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp (`stringOpGenArgs`).
"""

from __future__ import annotations

from minits.native.operator_rows import Operator

IS_PAST = "mts_is_past({0}, {2}, {3})"
_NO_CHARACTER = "{2}->length != 1"
STARTS_PAST = "mts_start_in({0}, {2}) > {0}->length"
_NO_INDEX = "!mts_is_index({1}, {0}->length)"


def _row(text: str, raises: str | None = None) -> Operator:
    return Operator((text,), raises)


def _making(text: str, raises: str | None = None) -> Operator:
    return Operator((text,), raises, allocates=True)


def _reading(text: str, raises: str | None = None) -> Operator:
    return Operator((text,), raises, reads=True)


_COMPARED = {"lt": "<", "gt": ">", "le": "<=", "ge": ">="}
_FOUND = "mts_find({0}, {1}, {2}, {3})"
_FOUND_LAST = "mts_rfind({0}, {1}, {2}, {3})"
_ITEM = "mts_find_text({0}, {1})"

TEXT_OPERATORS: dict[str, Operator] = {
    "aten::add.str": _making("mts_add_texts(pool, {0}, {1})"),
    "aten::len.str": _row("{0}->length"),
    "aten::eq.str": _row("mts_equal_text({0}, {1})"),
    "aten::ne.str": _row("!mts_equal_text({0}, {1})"),
    **{
        f"aten::{name}.str": _row(f"mts_order_texts({{0}}, {{1}}) {sign} 0")
        for name, sign in _COMPARED.items()
    },
    "aten::__getitem__.str": _making("mts_byte_at(pool, {0}, {1})", raises=_NO_INDEX),
    "prim::StringIndex": _making("mts_byte_at(pool, {0}, {1})", raises=_NO_INDEX),
    "aten::slice.str": _making(
        "mts_slice_text(pool, {0}, {1}, {2}, {3})", raises="{3} == 0 || {3} == INT64_MIN"
    ),
    "aten::find": _row(_FOUND, raises=IS_PAST),
    "aten::rfind": _row(_FOUND_LAST, raises=IS_PAST),
    "aten::index.str": _row(_FOUND, raises=f"{IS_PAST} || {_FOUND} < 0"),
    "aten::rindex": _row(_FOUND_LAST, raises=f"{IS_PAST} || {_FOUND_LAST} < 0"),
    "aten::count": _row("mts_count({0}, {1}, {2}, {3})"),
    "aten::startswith": _row("mts_starts_with({0}, {1}, {2}, {3})", raises=STARTS_PAST),
    "aten::endswith": _row("mts_ends_with({0}, {1}, {2}, {3})", raises=STARTS_PAST),
    "aten::split.str": _making("mts_split(pool, {0}, {1}, {2})", raises="{1} && !{1}->length"),
    "aten::rsplit": _making("mts_rsplit(pool, {0}, {1}, {2})", raises="!{1}->length"),
    "aten::splitlines": _making("mts_splitlines(pool, {0}, {1})"),
    **{
        f"aten::{name}": _making(f"mts_{name}(pool, {{0}})")
        for name in ("upper", "lower", "swapcase", "capitalize", "title")
    },
    **{
        f"aten::{name}": _row(f"mts_{name}({{0}})")
        for name in "istitle isupper islower isdigit isalpha isalnum isspace isprintable".split()
    },
    "aten::isdecimal": _row("mts_isdigit({0})"),
    "aten::isnumeric": _row("mts_isdigit({0})"),
    **{
        f"aten::{name}": _making(f"mts_{name}(pool, {{0}}, {{1}}, {{2}})", raises=_NO_CHARACTER)
        for name in ("center", "ljust", "rjust")
    },
    "aten::zfill": _making("mts_zfill(pool, {0}, {1})"),
    "aten::strip": _making("mts_stripped(pool, {0}, {1}, true, true)"),
    "aten::lstrip": _making("mts_stripped(pool, {0}, {1}, true, false)"),
    "aten::rstrip": _making("mts_stripped(pool, {0}, {1}, false, true)"),
    "aten::replace": _making("mts_replace(pool, {0}, {1}, {2}, {3})"),
    "aten::join": Operator(("mts_join(pool, {0}, {1})",), None, reads=True, allocates=True),
    "aten::list": _making("mts_characters(pool, {0})"),
    "aten::ord": _row("(int64_t)(uint8_t)mts_bytes({0})[0]", raises="{0}->length != 1"),
    "aten::chr": _making("mts_character(pool, {0})", raises="{0} < 0 || {0} >= 1114111"),
    "aten::hex": _making("mts_text_to_base(pool, {0}, 'x', 4)"),
    "aten::oct": _making("mts_text_to_base(pool, {0}, 'o', 3)"),
    "aten::bin": _making("mts_text_to_base(pool, {0}, 'b', 1)"),
    # lists of str
    "aten::index.list_str": _reading(_ITEM, raises=f"{_ITEM} < 0"),
    "aten::remove.str": Operator((f"mts_delete({{0}}, {_ITEM})",), f"{_ITEM} < 0", writes=True),
    "aten::count.str": _reading("mts_count_text({0}, {1})"),
    "aten::__contains__.str_list": _reading(f"{_ITEM} >= 0"),
    "aten::eq.str_list": _reading("mts_equal_texts({0}, {1})"),
    "aten::ne.str_list": _reading("!mts_equal_texts({0}, {1})"),
    "aten::any.str": _reading("mts_any_text({0})"),
    "aten::sort.str": Operator(("mts_sort_texts({0}, {1})",), writes=True),
    "aten::sorted.str": Operator(("mts_sorted_texts(pool, {0})",), reads=True, allocates=True),
}
IDENTITY_OPERATORS: dict[str, Operator] = {
    "aten::__is__": _row("{0} == {1}"),
    "aten::__isnot__": _row("{0} != {1}"),
}
"""Rows for what may be None, of any type that has holders."""
TEXTS_OF: dict[str, str] = {
    "int": "mts_text_of_int(pool, {0})",
    "bool": "mts_text_of_bool(pool, {0})",
    "float": "mts_text_of_float(pool, {0})",
}
"""The text of a value as `str` and `format` show it, by its type."""
