"""Operators that generated code writes as Python's own, where both mean the same.

A template takes the operands and returns the expression, or None where it does not apply: where
Python would raise and TorchScript would not (`x / 0.0`), or integers may leave 64 bits. Then the
function from the operator table (`minits.ops.evaluate`) is called.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from minits.codegen.expressions import LOAD, Code, Location, call, method, subscript
from minits.codegen.float_signs import is_positive
from minits.codegen.integer_bounds import IntegerBounds
from minits.codegen.tensor_slices import (
    fill_of_tensor,
    index_of_tensor,
    row_of_tensor,
    slice_of_tensor,
)
from minits.ir.constants import to_python
from minits.ir.graph import Node
from minits.types import types as t
from minits.types.subtyping import union_members

EXACT = 2**53
"""Integers up to here are floats exactly."""

HALF = 2**62
_WITHOUT_IDENTITY = (t.INT, t.FLOAT, t.DEVICE)
_MAY_HAVE_NONE = (*_WITHOUT_IDENTITY, t.NUMBER, t.ANY)
"""Types whose values are compared by `is`, or may be such."""


class Site:
    """A node, its operands, and what is known of them."""

    __slots__ = ("bind", "bounds", "codes", "location", "node")

    def __init__(
        self,
        node: Node,
        codes: list[Code],
        location: Location,
        bounds: IntegerBounds,
        bind: Callable[[Any, str], ast.expr],
    ) -> None:
        self.node, self.codes, self.location = node, codes, location
        self.bounds, self.bind = bounds, bind

    def tree(self, index: int) -> ast.expr:
        return self.codes[index].tree

    def constant(self, index: int) -> Any:
        """Return the constant that an operand is, or `NOT_CONSTANT`, which is false."""
        return to_python(self.node.inputs[index])

    def magnitude(self, index: int) -> int:
        return self.bounds.magnitude(self.node.inputs[index])

    def name(self, value: Any, hint: str) -> ast.expr:
        """Return the name by which generated code knows a Python object."""
        return self.bind(value, hint)


Template = Callable[[Site], "ast.expr | None"]


def _binary(operator: type[ast.operator]) -> Template:
    return lambda s: ast.BinOp(s.tree(0), operator(), s.tree(1), **s.location)


def _compare(operator: type[ast.cmpop]) -> Template:
    return lambda s: ast.Compare(s.tree(0), [operator()], [s.tree(1)], **s.location)


def _identity(operator: type[ast.cmpop], of_values: type[ast.cmpop]) -> Template:
    """Return a template for `is`, which compares what has no identity: numbers of one type."""
    plain, compared = _compare(operator), _compare(of_values)

    def may_have_none(type: t.Type) -> bool:
        return any(each in _MAY_HAVE_NONE for each in union_members(type))

    def template(s: Site) -> ast.expr | None:
        first, second = (value.type for value in s.node.inputs)
        if first == second and first in _WITHOUT_IDENTITY:
            return compared(s)
        return None if may_have_none(first) and may_have_none(second) else plain(s)

    return template


def _compare_exactly(operator: type[ast.cmpop], which: int) -> Template:
    """Return a template for an int compared with a float, if the float represents the int.

    TorchScript converts the int to a float, Python compares exactly.
    """
    plain = _compare(operator)
    return lambda s: plain(s) if s.magnitude(which) <= EXACT else None


def _unary(operator: type[ast.unaryop]) -> Template:
    return lambda s: ast.UnaryOp(operator(), s.tree(0), **s.location)


def _divide(s: Site) -> ast.expr | None:
    """`a / b`; with a test where `b` may be 0."""
    plain = ast.BinOp(s.tree(0), ast.Div(), s.tree(1), **s.location)
    divisor = s.node.inputs[1]
    return plain if _is_nonzero(s.constant(1)) or is_positive(divisor) else None


def _divide_ints(s: Site) -> ast.expr | None:
    if s.magnitude(0) > EXACT or s.magnitude(1) > EXACT:
        return None
    return _divide(s)


def _is_nonzero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value != 0


def _floor_divide(s: Site) -> ast.expr | None:
    divisor = s.constant(1)
    if not _is_nonzero(divisor) or divisor == -1:
        return None
    return ast.BinOp(s.tree(0), ast.FloorDiv(), s.tree(1), **s.location)


def _remainder(s: Site) -> ast.expr | None:
    divisor = s.constant(1)
    if not _is_nonzero(divisor) or abs(divisor) > HALF:
        return None
    return ast.BinOp(s.tree(0), ast.Mod(), s.tree(1), **s.location)


def _shift_right(s: Site) -> ast.expr | None:
    locations = s.constant(1)
    if not (isinstance(locations, int) and 0 <= locations < 64):
        return None
    return ast.BinOp(s.tree(0), ast.RShift(), s.tree(1), **s.location)


def _lesser(operator: type[ast.cmpop]) -> Template:
    """`a if a < b else b`."""

    def template(s: Site) -> ast.expr | None:
        if not all(code.is_simple for code in s.codes):
            return None
        a, b = s.tree(0), s.tree(1)
        return ast.IfExp(ast.Compare(a, [operator()], [b], **s.location), a, b, **s.location)

    return template


def _builtin(function: Callable[..., Any]) -> Template:
    return lambda s: call(
        s.name(function, function.__name__), [code.tree for code in s.codes], s.location
    )


def _is_nonzero_test(s: Site) -> ast.expr:
    zero = ast.Constant(0, **s.location)
    return ast.Compare(s.tree(0), [ast.NotEq()], [zero], **s.location)


def _subscript(s: Site) -> ast.expr:
    return subscript(s.tree(0), s.tree(1), s.location)


def _slice(s: Site) -> ast.expr | None:
    if s.constant(3) != 1:
        return None
    start, end = (None if s.constant(i) is None else s.tree(i) for i in (1, 2))
    return subscript(s.tree(0), ast.Slice(start, end, **s.location), s.location)


def _contains(s: Site) -> ast.expr:
    """Return `x in xs`. Both operands are evaluated in order where one of them is simple."""
    return ast.Compare(s.tree(1), [ast.In()], [s.tree(0)], **s.location)


def method_call(name: str) -> Template:
    return lambda s: method(s.tree(0), name, [code.tree for code in s.codes[1:]], s.location)


def _attribute(name: str) -> Template:
    return lambda s: ast.Attribute(s.tree(0), name, LOAD, **s.location)


def _list_of(name: str) -> Template:
    """`list(x.name())`."""

    def template(s: Site) -> ast.expr:
        items = method(s.tree(0), name, [], s.location)
        return call(s.name(list, "list"), [items], s.location)

    return template


def _shape(s: Site) -> ast.expr:
    return call(
        s.name(list, "list"), [ast.Attribute(s.tree(0), "shape", LOAD, **s.location)], s.location
    )


def _make_list(s: Site) -> ast.expr:
    return ast.List([code.tree for code in s.codes], LOAD, **s.location)


def _make_tuple(s: Site) -> ast.expr | None:
    type = s.node.output.type
    if isinstance(type, t.TupleType) and type.name is not None:
        return None
    return ast.Tuple([code.tree for code in s.codes], LOAD, **s.location)


def _make_dict(s: Site) -> ast.expr:
    keys: list[ast.expr | None] = [code.tree for code in s.codes[::2]]
    return ast.Dict(keys, [code.tree for code in s.codes[1::2]], **s.location)


def _get_attribute(s: Site) -> ast.expr | None:
    """`self.weight`, past `__getattr__` for what a module keeps in dicts of its own."""
    name, type = s.node["name"], s.node.inputs[0].type
    if not isinstance(type, t.ClassType) or name not in type.attributes:
        return None
    attribute = type.attributes[name]
    kind = module_dict(type, attribute)
    if kind is not None:
        slots = ast.Attribute(s.tree(0), kind, LOAD, **s.location)
        return ast.Subscript(slots, ast.Constant(name, **s.location), LOAD, **s.location)
    if (type.is_module or type.cls is not None) and name.isidentifier():
        return ast.Attribute(s.tree(0), name, LOAD, **s.location)
    return None


def module_dict(type: t.ClassType, attribute: t.Attribute) -> str | None:
    """Return the name of the dict in which a module keeps an attribute; None for others."""
    if not type.is_module:
        return None
    if attribute.is_parameter:
        return "_parameters"
    if attribute.is_buffer:
        return "_buffers"
    of_module = isinstance(attribute.type, t.ClassType) and attribute.type.is_module
    return "_modules" if of_module else None


def _text(s: Site) -> ast.expr | None:
    type = s.node.inputs[0].type
    if type == t.STR:
        return s.tree(0)
    return _builtin(str)(s) if type in (t.INT, t.BOOL) else None


def _concatenation(s: Site) -> ast.expr | None:
    """Return `a + b` if one part is a constant of ASCII characters, else None.

    In other texts, incomplete bytes of UTF-8 at both ends may become one character together.
    """
    for index in (0, 1):
        part = s.constant(index)
        if isinstance(part, str) and part.isascii() and part:
            return ast.BinOp(s.tree(0), ast.Add(), s.tree(1), **s.location)
    return None


def _float_of_scalar(s: Site) -> ast.expr | None:
    type = s.node.inputs[0].type
    if type == t.FLOAT:
        return s.tree(0)
    return _builtin(float)(s) if type == t.INT else None


FREE: dict[str, Template] = {
    "aten::str": _text,
    "aten::add.str": _concatenation,
    "aten::Float.Scalar": _float_of_scalar,
    "aten::add.int": _binary(ast.Add),
    "aten::sub.int": _binary(ast.Sub),
    "aten::mul.int": _binary(ast.Mult),
    "aten::neg.int": _unary(ast.USub),
    "aten::floordiv.int": _floor_divide,
    "aten::remainder.int": _remainder,
    "aten::__and__.int": _binary(ast.BitAnd),
    "aten::__or__.int": _binary(ast.BitOr),
    "aten::__xor__.int": _binary(ast.BitXor),
    "aten::__rshift__.int": _shift_right,
    "aten::__and__.bool": _binary(ast.BitAnd),
    "aten::__or__.bool": _binary(ast.BitOr),
    "aten::__xor__.bool": _binary(ast.BitXor),
    "aten::__not__": _unary(ast.Not),
    "aten::neg.float": _unary(ast.USub),
    "aten::div.float": _divide,
    "aten::div.int": _divide_ints,
    "aten::div.int_float": _divide,
    "aten::div.float_int": _divide,
    "aten::__is__": _identity(ast.Is, ast.Eq),
    "aten::__isnot__": _identity(ast.IsNot, ast.NotEq),
    "prim::min.int": _lesser(ast.Lt),
    "prim::max.int": _lesser(ast.Gt),
    "prim::min.float": _lesser(ast.Lt),
    "prim::max.float": _lesser(ast.Gt),
    "prim::abs.float": _builtin(abs),
    "aten::Float.int": _builtin(float),
    "aten::Float.bool": _builtin(float),
    "aten::Int.bool": _builtin(int),
    "aten::Bool.int": _is_nonzero_test,
    "aten::Bool.float": _is_nonzero_test,
    "prim::TupleConstruct": _make_tuple,
}
"""Without effects, never failing, of values that never change: may be moved."""

for _name, _operator in (("add", ast.Add), ("sub", ast.Sub), ("mul", ast.Mult)):
    for _kind in ("float", "int_float", "float_int"):
        FREE[f"aten::{_name}.{_kind}"] = _binary(_operator)
for _name, _comparison in (
    ("lt", ast.Lt), ("le", ast.LtE), ("gt", ast.Gt), ("ge", ast.GtE), ("eq", ast.Eq),
    ("ne", ast.NotEq),
):  # fmt: skip
    for _kind in ("int", "float", "bool"):
        FREE[f"aten::{_name}.{_kind}"] = _compare(_comparison)
    FREE[f"aten::{_name}.int_float"] = _compare_exactly(_comparison, 0)
    FREE[f"aten::{_name}.float_int"] = _compare_exactly(_comparison, 1)
FREE["aten::eq.str"], FREE["aten::ne.str"] = _compare(ast.Eq), _compare(ast.NotEq)

ORDERED: dict[str, Template] = {
    "aten::__getitem__.t": _subscript,
    "aten::select.t": _subscript,
    "prim::TupleIndex": _subscript,
    "aten::slice.t": _slice,
    "aten::slice.Tensor": slice_of_tensor,
    "aten::index.Tensor": index_of_tensor,
    "aten::select.int": row_of_tensor,
    "aten::copy_": fill_of_tensor,
    "aten::add.t": _binary(ast.Add),
    "aten::mul.left_t": _binary(ast.Mult),
    "aten::mul.right_": _binary(ast.Mult),
    "aten::len.t": _builtin(len),
    "aten::len.any": _builtin(len),
    "aten::copy.t": _builtin(list),
    "aten::list.t": _builtin(list),
    "aten::eq.int_list": _compare(ast.Eq),
    "aten::ne.int_list": _compare(ast.NotEq),
    "aten::eq.str_list": _compare(ast.Eq),
    "aten::ne.str_list": _compare(ast.NotEq),
    "aten::Bool.Tensor": _builtin(bool),
    "aten::join": method_call("join"),
    "aten::size.int": method_call("size"),
    "aten::dim": method_call("dim"),
    "aten::numel": method_call("numel"),
    "aten::item": method_call("item"),
    "aten::size": _shape,
    "prim::device": _attribute("device"),
    "prim::is_cuda": _attribute("is_cuda"),
    "prim::requires_grad": _attribute("requires_grad"),
    "prim::ListConstruct": _make_list,
    "prim::DictConstruct": _make_dict,
    "prim::GetAttr": _get_attribute,
}
for _type in ("str", "int", "bool", "float", "complex", "Tensor"):
    ORDERED[f"aten::__getitem__.Dict_{_type}"] = _subscript
    ORDERED[f"aten::len.Dict_{_type}"] = _builtin(len)
    ORDERED[f"aten::keys.{_type}"] = _builtin(list)
    ORDERED[f"aten::values.{_type}"] = _list_of("values")
    ORDERED[f"aten::items.{_type}"] = _list_of("items")
    ORDERED[f"aten::get.{_type}"] = method_call("get")
    ORDERED[f"aten::get.default_{_type}"] = method_call("get")
    ORDERED[f"aten::__contains__.{_type}"] = _contains
for _type in ("int", "str"):
    ORDERED[f"aten::__contains__.{_type}_list"] = _contains

REORDERED = frozenset(key for key in ORDERED if key.startswith("aten::__contains__"))
"""Templates that evaluate their operands in another order."""
