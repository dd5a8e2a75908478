"""Constants in printed code.

What has no literal (tensors, objects, strings outside ASCII) goes into a table that the code reads
as `CONSTANTS.c0`.

Source: torch/csrc/jit/serialization/python_print.cpp (`printConstant`), aten/src/ATen/core/
ivalue.cpp (`IValue::repr`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from minits.archive.printing.spelling import Spelling
from minits.ir.graph import Block, Node
from minits.types import types as t
from minits.types.types import Type


class ConstantTable:
    """The values that printed code refers to by number; equal tensors share a number.

    types: the types of the values.
    """

    def __init__(self, spelling: Spelling | None = None) -> None:
        self.spelling = Spelling() if spelling is None else spelling
        self.values: list[Any] = []
        self.types: list[Type] = []

    def name(self, value: Any, type: Type) -> str:
        return f"CONSTANTS.c{self._index(value, type)}"

    def _index(self, value: Any, type: Type) -> int:
        if isinstance(value, torch.Tensor):
            for index, known in enumerate(self.values):
                if isinstance(known, torch.Tensor) and _are_same(known, value):
                    return index
        self.values.append(value)
        self.types.append(type)
        return len(self.values) - 1

    def literal(self, value: Any, type: Type) -> str:
        """Return the source text of a constant of a type."""
        type = _what_it_is(value, type)
        if _holds_other_text(value):
            return self.name(value, type)
        if isinstance(value, tuple):
            return self._tuple(value, type)
        if isinstance(value, list):
            element = type.element if isinstance(type, t.ListType) else t.ANY
            return self._list(value, t.ListType(element))
        if isinstance(value, dict):
            assert isinstance(type, t.DictType)
            return self._dict(value, type)
        if not self.spelling.has_literal(value):
            return self.name(value, type)
        return self.spelling.scalar(value, type)

    def _tuple(self, items: tuple[Any, ...], type: Type) -> str:
        types: Iterable[Type] = [t.ANY] * len(items)
        name = ""
        if isinstance(type, t.TupleType):
            types, name = type.elements, self.spelling.type(type) if type.name else ""
        inner = ", ".join(map(self.literal, items, types))
        return f"{name}({inner}{',' if len(items) == 1 else ''})"

    def _list(self, items: list[Any], type: t.ListType) -> str:
        text = f"[{', '.join(self.literal(item, type.element) for item in items)}]"
        if items and is_told_by_members(type.element):
            return text
        return f"annotate({self.spelling.type(type)}, {text})"

    def _dict(self, items: dict[Any, Any], type: t.DictType) -> str:
        pairs = [
            f"{self.literal(key, type.key)}: {self.literal(item, type.value)}"
            for key, item in items.items()
        ]
        text = f"{{{', '.join(pairs)}}}"
        if items and is_told_by_members(type.value):
            return text
        return f"annotate({self.spelling.type(type)},{text})"


class ConstantMap:
    """The object `constants` of printed code: `constants.c0`, or all values in `const_mapping`.

    Source: torch/jit/_script.py (`ConstMap`).
    """

    def __init__(self, table: ConstantTable) -> None:
        self.const_mapping: dict[str, Any] = {
            f"c{index}": value for index, value in enumerate(table.values)
        }

    def __getattr__(self, name: str) -> Any:
        """Return the constant of a name such as `c0`. Raises AttributeError."""
        try:
            return self.__dict__["const_mapping"][name]
        except KeyError:
            raise AttributeError(f"the code names no constant '{name}'") from None


def _what_it_is(value: Any, type: Type) -> Type:
    """Strip Optional from `type` if `value` is not None."""
    return type.element if isinstance(type, t.OptionalType) and value is not None else type


def _holds_other_text(value: Any) -> bool:
    """Return whether a value has text outside ASCII; a container with such text is named whole."""
    if isinstance(value, dict):
        return any(map(_holds_other_text, (*value.keys(), *value.values())))
    if isinstance(value, (list, tuple)):
        return any(map(_holds_other_text, value))
    return isinstance(value, str) and not value.isascii()


def _are_same(first: torch.Tensor, second: torch.Tensor) -> bool:
    if (first.dtype, first.device, first.layout) != (second.dtype, second.device, second.layout):
        return False
    return bool(torch.equal(first, second)) and _have_same_signs(first, second)


def _have_same_signs(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Return whether equal tensors also agree in the signs of zeros: -0.0 and 0.0 do not."""
    if first.is_complex():
        first, second = torch.view_as_real(first), torch.view_as_real(second)
    return bool(torch.equal(torch.signbit(first), torch.signbit(second)))


def is_told_by_members(element: Type) -> bool:
    """Return whether the type of a list or dict can be inferred from its members."""
    if isinstance(element, (t.UnionType, t.OptionalType)) or element in (t.NUMBER, t.ANY):
        return False
    if isinstance(element, t.ClassType):
        return not element.is_interface
    if isinstance(element, t.TupleType):
        return all(map(is_told_by_members, element.elements))
    return True


def constants_in_use(block: Block) -> list[Node]:
    """Return the constants of a function in the order in which they are used."""
    found: dict[Node, None] = {}
    _add_constants(block, found)
    return list(found)


def _add_constants(block: Block, found: dict[Node, None]) -> None:
    for node in (*block.nodes, block.end):
        for value in node.inputs:
            if value.node.kind == "prim::Constant":
                found.setdefault(value.node)
        for inner in node.blocks:
            _add_constants(inner, found)
