"""The row of a node's operator, and what a block asks about it before it prints the node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from minits.codegen.integer_bounds import operator_key
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node
from minits.native import dicts, lists, tensor_calls
from minits.native.awaits import RESOLVE
from minits.native.c_types import has_tensors, is_number, tagged
from minits.native.calls import CALL
from minits.native.complex_operators import COMPLEX_OPERATORS
from minits.native.dict_operators import DICT_OPERATORS
from minits.native.element_operators import is_store
from minits.native.generic_operators import generic_operator
from minits.native.list_operators import list_operator
from minits.native.number_operators import NUMBER_OPERATORS
from minits.native.operator_rows import Operator
from minits.native.questions import ASK
from minits.native.scalar_operators import SCALAR_OPERATORS
from minits.native.tensor_operators import TENSOR_OPERATORS
from minits.native.text_operators import IDENTITY_OPERATORS, IS_PAST, STARTS_PAST, TEXT_OPERATORS
from minits.ops.implementations.text import encoded
from minits.types import types as t
from minits.types.int64 import MIN_INT

_ROWS = (
    SCALAR_OPERATORS,
    COMPLEX_OPERATORS,
    TEXT_OPERATORS,
    IDENTITY_OPERATORS,
    DICT_OPERATORS,
    TENSOR_OPERATORS,
)
"""The tables whose rows are told by the overload alone."""
_EXCEPTIONS = {"0": 0, "0.0": 0, "INT64_MIN": MIN_INT}
"""Numbers with which conditions of raising compare."""
_NEVER: dict[str, tuple[int, Callable[[Any], bool]]] = {
    "{1} && !{1}->length": (1, bool),
    "!{1}->length": (1, bool),
    "{2}->length != 1": (2, lambda text: len(encoded(text)) == 1),
    IS_PAST: (2, lambda start: start == 0),
    STARTS_PAST: (2, lambda start: start == 0),
}
"""Conditions of raising, and the constants as which operands they are never met."""
_WRITERS = ("prim::SetAttr", ASK, RESOLVE)
"""Nodes without a row that write, or call what may."""
_COMPARED = re.compile(r"\{(\d)\} == (0|0\.0|INT64_MIN)")


def is_identity(node: Node) -> bool:
    """Return whether a node makes an int of an int, as that of an element may be."""
    same = {"aten::Int": t.INT, "aten::Float": t.FLOAT, "aten::Bool": t.BOOL}
    return node.kind in same and node.inputs[0].type == same[node.kind]


def row_of(node: Node) -> Operator | None:
    """Return the row of a node's operator; None where no table has one."""
    key = operator_key(node) or node.kind
    first = node.inputs[0].type if node.inputs else None
    if key in IDENTITY_OPERATORS and all(_may_be_another(value.type) for value in node.inputs):
        return None
    has_numbers = any(is_number(value.type) for value in (*node.inputs, *node.outputs))
    if has_numbers and key in NUMBER_OPERATORS:
        return NUMBER_OPERATORS[key]
    for rows in _ROWS:
        if key in rows:
            return rows[key]
    return list_operator(key, first) or generic_operator(key, first)


def _may_be_another(type: t.Type) -> bool:
    """Return whether two variables of C may be one value: a tensor, or what is tagged twice."""
    return has_tensors(type) or tagged(type)


def slots_of(node: Node) -> tuple[str, str]:
    """Return the members of `mts_value` that hold an item of a node's first list or dict, and a key
    of that."""
    for type in [value.type for value in node.inputs]:
        if isinstance(type, t.ListType):
            return lists.slot_of(type.element), ""
        if isinstance(type, t.DictType):
            key, value = dicts.slots_of(type)
            return value, key
    return "", ""


def writes(node: Node) -> bool:
    """Return whether a node, or one within it, writes to a list."""
    if node.kind == CALL:
        return bool(node["call"].callee.writes)
    row = None if node.blocks else row_of(node)
    inner = [each for block in node.blocks for each in block.nodes]
    is_written = node.kind in _WRITERS or (row is not None and row.writes)
    return is_written or is_store(node) or tensor_calls.mutates(node) or any(map(writes, inner))


def is_excluded(condition: str, node: Node) -> bool:
    """Return whether an operator cannot raise: its divisor is a constant other than 0."""
    if condition in _NEVER:
        index, is_harmless = _NEVER[condition]
        content = to_python(node.inputs[index])
        return content is None or (content is not NOT_CONSTANT and is_harmless(content))
    parts = [_COMPARED.fullmatch(part) for part in condition.split(" || ")]
    return all(
        part is not None
        and to_python(node.inputs[int(part[1])]) not in (NOT_CONSTANT, _EXCEPTIONS[part[2]])
        for part in parts
    )
