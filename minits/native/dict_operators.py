"""The operators of dicts as C: one row for each overload, as in `list_operators.py`.

A dict is a list of its items with an index (`c/dicts.c`). Keys are ints, bools and strs: `{key}` is
the member of `mts_value` that holds one, `{item}` that of a value.

Source: torch/csrc/jit/runtime/register_ops_utils.h (`dictSetItem` and others).
"""

from __future__ import annotations

from minits.native.operator_rows import Operator

KEYS = ("str", "int", "bool")
_KEY = "(mts_value){.{key} = {1}}"
_LACKS = f"!mts_dict_find({{0}}, {_KEY})"
_NONE = "(mts_value){.list = 0}"
_OTHERWISE = "(mts_value){.{item} = {2}}"


def _writing(text: str, raises: str | None = None, allocates: bool = False) -> Operator:
    return Operator((text,), raises, writes=True, allocates=allocates)


def _reading(text: str, raises: str | None = None, allocates: bool = False) -> Operator:
    return Operator((text,), raises, reads=True, allocates=allocates)


def _of_keys(key: str) -> dict[str, Operator]:
    """Return the rows of dicts whose keys are of this type."""
    return {
        f"aten::_set_item.{key}": _writing(
            f"mts_dict_put({{0}}, {_KEY}, {_OTHERWISE})", allocates=True
        ),
        f"aten::__getitem__.Dict_{key}": _reading(
            f"mts_dict_find({{0}}, {_KEY})[1].{{item}}", raises=_LACKS
        ),
        f"aten::__contains__.{key}": _reading(f"mts_dict_find({{0}}, {_KEY}) != 0"),
        f"aten::len.Dict_{key}": _reading("{0}->length"),
        f"aten::get.{key}": _reading(
            f"mts_dict_get({{0}}, {_KEY}, (mts_value){{.list = 0}}).{{item}}"
        ),
        f"aten::get.default_{key}": _reading(f"mts_dict_get({{0}}, {_KEY}, {_OTHERWISE}).{{item}}"),
        f"aten::pop.Dict_{key}": _writing(f"mts_dict_pop({{0}}, {_KEY}).{{item}}", raises=_LACKS),
        f"aten::pop.Dict_default_{key}": _writing(
            f"mts_dict_pop_or({{0}}, {_KEY}, {_OTHERWISE}).{{item}}"
        ),
        f"aten::Delete.Dict_{key}": _writing(f"mts_dict_delete({{0}}, {_KEY})", raises=_LACKS),
        f"aten::clear.{key}": _writing("mts_dict_clear({0})"),
        f"aten::keys.{key}": _reading("mts_dict_keys(pool, {0})", allocates=True),
        f"aten::values.{key}": _reading("mts_dict_values(pool, {0})", allocates=True),
        f"aten::items.{key}": _reading("mts_dict_items(pool, {0})", allocates=True),
        f"aten::copy.Dict_{key}": _reading("mts_dict_copy(pool, {0})", allocates=True),
        f"aten::dict.Dict_{key}": _reading("mts_dict_copy(pool, {0})", allocates=True),
        f"aten::update.{key}": _writing("mts_dict_update({0}, {1})", allocates=True),
    }


DICT_OPERATORS: dict[str, Operator] = {
    name: row for key in KEYS for name, row in _of_keys(key).items()
}
