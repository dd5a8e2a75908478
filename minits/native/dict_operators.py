"""The operators of dicts as C: one row for each overload, as in `list_operators.py`.

A dict is a list of its items with an index (`c/dicts.c`). Keys are ints, bools, floats and strs:
`{key}` is the member of `mts_value` that holds one, `{item}` that of a value.

Source: torch/csrc/jit/runtime/register_ops_utils.h (`dictSetItem` and others).
"""

from __future__ import annotations

from minits.native.operator_rows import Operator, making, reading, writing

KEYS = ("str", "int", "bool", "float")
_KEY = "(mts_value){.{key} = {1}}"
_LACKS = f"!mts_dict_find({{0}}, {_KEY})"
_NONE = "(mts_value){.list = 0}"
_OTHERWISE = "(mts_value){.{item} = {2}}"


def _of_keys(key: str) -> dict[str, Operator]:
    """Return the rows of dicts whose keys are of this type."""
    return {
        f"aten::_set_item.{key}": writing(
            f"mts_dict_put({{0}}, {_KEY}, {_OTHERWISE})", allocates=True
        ),
        f"aten::__getitem__.Dict_{key}": reading(
            f"mts_dict_find({{0}}, {_KEY})[1].{{item}}", raises=_LACKS
        ),
        f"aten::__contains__.{key}": reading(f"mts_dict_find({{0}}, {_KEY}) != 0"),
        f"aten::len.Dict_{key}": reading("{0}->length"),
        f"aten::get.{key}": reading(
            f"mts_dict_get({{0}}, {_KEY}, (mts_value){{.list = 0}}).{{item}}"
        ),
        f"aten::get.default_{key}": reading(f"mts_dict_get({{0}}, {_KEY}, {_OTHERWISE}).{{item}}"),
        f"aten::pop.Dict_{key}": writing(f"mts_dict_pop({{0}}, {_KEY}).{{item}}", raises=_LACKS),
        f"aten::pop.Dict_default_{key}": writing(
            f"mts_dict_pop_or({{0}}, {_KEY}, {_OTHERWISE}).{{item}}"
        ),
        f"aten::setdefault.{key}": Operator(
            (
                f"(mts_dict_find({{0}}, {_KEY}) || mts_dict_put({{0}}, {_KEY}, {_OTHERWISE}))",
                f"mts_dict_find({{0}}, {_KEY})[1].{{item}}",
            ),
            writes=True,
            allocates=True,
        ),
        f"aten::popitem.{key}": writing(
            "mts_dict_popitem(pool, {0})", raises="!{0}->length", allocates=True
        ),
        f"aten::Delete.Dict_{key}": writing(f"mts_dict_delete({{0}}, {_KEY})", raises=_LACKS),
        f"aten::clear.{key}": writing("mts_dict_clear({0})"),
        f"aten::keys.{key}": making("mts_dict_keys(pool, {0})", reads=True),
        f"aten::values.{key}": making("mts_dict_values(pool, {0})", reads=True),
        f"aten::items.{key}": making("mts_dict_items(pool, {0})", reads=True),
        f"aten::copy.Dict_{key}": making("mts_dict_copy(pool, {0})", reads=True),
        f"aten::dict.Dict_{key}": making("mts_dict_copy(pool, {0})", reads=True),
        f"aten::update.{key}": writing("mts_dict_update({0}, {1})", allocates=True),
    }


DICT_OPERATORS: dict[str, Operator] = {
    name: row for key in KEYS for name, row in _of_keys(key).items()
}
