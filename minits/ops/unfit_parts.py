"""The part of an argument that does not fit its type: `x['a'][1]`, a key, a field.

Asked of an argument that was refused, so that the error names the part and what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minits.ops.from_python import converter, listed_converter
from minits.ops.numbers_from_python import Unfit
from minits.types import types as t
from minits.types.types import Type


def unfit_part(name: str, type: Type, value: Any) -> str:
    """Return a text on the innermost part that does not fit; "" where it is the whole argument."""
    where = name
    found = next(_unfit(where, type, value), None)
    while found is not None:
        where, type, value = found
        found = next(_unfit(where, type, value), None)
    if where == name:
        return ""
    return f"{where} is of type '{value.__class__.__name__}', expected '{type.annotation}'"


def _unfit(where: str, type: Type, value: Any) -> Iterator[tuple[str, Type, Any]]:
    """Yield the parts of a list, tuple or dict that do not fit, by the texts that read them."""
    if isinstance(type, t.OptionalType):
        type = type.element
    if isinstance(type, t.ListType) and isinstance(value, (list, tuple)):
        convert = listed_converter(type.element)
        for index, item in enumerate(value):
            if _is_unfit(convert, item):
                yield f"{where}[{index}]", type.element, item
    elif isinstance(type, t.TupleType) and isinstance(value, (list, tuple)):
        if len(value) == len(type.elements):
            for index, (element, item) in enumerate(zip(type.elements, value, strict=True)):
                if _is_unfit(converter(element), item):
                    part = f".{type.fields[index]}" if type.fields else f"[{index}]"
                    yield f"{where}{part}", element, item
    elif isinstance(type, t.DictType) and isinstance(value, dict):
        for key, item in value.items():
            if _is_unfit(converter(type.key), key):
                yield f"the key {key!r:.80} of {where}", type.key, key
            elif _is_unfit(converter(type.value), item):
                yield f"{where}[{key!r:.80}]", type.value, item


def _is_unfit(convert: Any, item: Any) -> bool:
    try:
        convert(item)
    except Unfit:
        return True
    return False
