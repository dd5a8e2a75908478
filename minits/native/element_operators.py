"""The operators of elements of tensors as C, and how operands are converted.

aten::sub     {0} - {1}                    as C subtracts numbers of that dtype
aten::max     mts_maximum_f32({0}, {1})    `{of}` is how helpers are called for a dtype
"""

from __future__ import annotations

import re

import torch

from minits.ir.constants import to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import ElementType, NotNative, c_type_of
from minits.native.expressions import in_parentheses
from minits.types import types as t

READS = {
    "aten::Float": t.FLOAT, "aten::Int": t.INT, "aten::IntImplicit": t.INT, "aten::Bool": t.BOOL,
    "aten::item": None,
}  # fmt: skip
"""Operators that read an element, and what they return; None: what its dtype says."""
BINARY = {
    "aten::add": "{0} + {1}", "aten::sub": "{0} - {1}", "aten::rsub": "{1} - {0}",
    "aten::mul": "{0} * {1}", "aten::div": "{0} / {1}",
    "aten::minimum": "mts_minimum_{of}({0}, {1})", "aten::min": "mts_minimum_{of}({0}, {1})",
    "aten::maximum": "mts_maximum_{of}({0}, {1})", "aten::max": "mts_maximum_{of}({0}, {1})",
}  # fmt: skip
COMPARISONS = {
    "aten::lt": "{0} < {1}", "aten::le": "{0} <= {1}", "aten::gt": "{0} > {1}",
    "aten::ge": "{0} >= {1}", "aten::eq": "{0} == {1}", "aten::ne": "{0} != {1}",
}  # fmt: skip
UNARY = {"aten::neg": "-{0}", "aten::abs": "mts_abs_{of}({0})", "aten::sqrt": "mts_sqrt_{of}({0})"}
IN_PLACE = {f"{kind}_": text for kind, text in BINARY.items() if kind in (
    "aten::add", "aten::sub", "aten::mul", "aten::div"
)}  # fmt: skip
STORES = frozenset(("aten::copy_", "aten::fill_", *IN_PLACE))
SUFFIXES = {torch.float32: "f32", torch.float64: "f64", torch.int64: "i64"}
"""Dtypes of arithmetic, and how helpers are called for them."""
DTYPES_OF_NUMBERS: dict[t.Type, torch.dtype] = {
    t.FLOAT: torch.float64, t.INT: torch.int64, t.BOOL: torch.bool,
}  # fmt: skip
"""By the type of a number: the dtype that it is converted from."""
_CALLS = re.compile("min|max|abs|sqrt")
"""Operators whose expressions are calls."""
_ALPHA = ("aten::add", "aten::sub", "aten::rsub", "aten::add_", "aten::sub_")

OF_ELEMENTS = frozenset(
    ("aten::select", "aten::slice", "aten::size", "aten::len", "aten::dim", "aten::tensor",
     "prim::dtype", "prim::device", *READS, *BINARY, *COMPARISONS, *UNARY, *STORES)
)  # fmt: skip
"""Operators that elements of tensors have, or views of them."""
READERS = frozenset((*READS, *BINARY, *COMPARISONS, *UNARY))
"""Operators that compute with elements, and keep none."""


def is_store(node: Node) -> bool:
    """Return whether a node writes to elements of a tensor."""
    return node.kind in STORES and node.inputs[0].type == t.TENSOR


def check_alpha(node: Node, rest: list[Value]) -> None:
    """Check that a sum has no factor, and a division no rounding. Raises `NotNative`."""
    if node.kind.removesuffix("_") in ("aten::div", "aten::mul") and rest:
        raise NotNative(node, node.kind)
    if node.kind in _ALPHA and any(to_python(value) != 1 for value in rest):
        raise NotNative(node, node.kind)


def within(node: Node, text: str) -> str:
    """Return an operand in parentheses, unless it is one of a call."""
    return text if _CALLS.search(node.kind) else in_parentheses(text)


def number_of(dtype: torch.dtype) -> t.Type:
    """Return the type of the number that an element of a dtype is."""
    if dtype.is_floating_point:
        return t.FLOAT
    return t.BOOL if dtype is torch.bool else t.INT


def dtype_of(value: Value) -> torch.dtype:
    """Return the dtype that a number is converted from. Raises `NotNative` for what is none."""
    if value.type not in DTYPES_OF_NUMBERS:
        raise NotNative(value.node, value.type.annotation)
    return DTYPES_OF_NUMBERS[value.type]


def converted(node: Node, text: str, given: torch.dtype, wanted: torch.dtype) -> str:
    """Return an operand as one of another dtype. Raises `NotNative` where C has no rule for it."""
    if given is wanted:
        return text
    if wanted not in SUFFIXES and wanted is not torch.bool:
        raise NotNative(node, str(wanted))
    if given.is_floating_point and not wanted.is_floating_point:
        raise NotNative(node, node.kind)
    if wanted is torch.bool:
        return f"{in_parentheses(text)} != 0"
    found = c_type_of(ElementType(wanted))
    assert found is not None
    return f"({found.name}){in_parentheses(text)}"
