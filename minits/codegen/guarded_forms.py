"""Forms of operators that are Python's own where a test holds, and the operator's function else.

    a / b                a / b if b else divide(a, b)
    n, m = sizes         n, m = sizes if len(sizes) == 2 else unpack(sizes)

An operand that is no variable is stored where it is tested.
"""

from __future__ import annotations

import ast

from minits.codegen.expressions import LOAD, STORE, STORED, UNPACKED, between, call, method
from minits.codegen.templates import EXACT, HALF, ORDERED, Site, Template
from minits.types import types as t
from minits.types.int64 import MAX_INT

_NUMBERS = (t.INT, t.FLOAT, t.BOOL)


def guarded(s: Site, key: str, function: ast.expr) -> ast.expr | None:
    """Return `a / b if b else divide(a, b)` and its like; `b` is stored where it is no variable."""
    if key in _OF_TEXT and all(code.is_simple for code in s.codes):
        plain_form = _OF_TEXT[key](s)
        return None if plain_form is None else _of_ascii(s, plain_form, function)
    if key == "aten::Int.Scalar":
        return _if_int(s, function)
    if key == "prim::ListUnpack":
        return _if_as_many(s, function)
    operator = _GUARDED.get(key)
    if operator is None or not s.codes[0].is_simple:
        return None
    if key == "aten::div.int" and max(s.magnitude(0), s.magnitude(1)) > EXACT:
        return None
    a = s.tree(0)
    b, test = _once(s, 1, STORED)
    if _may_leave_64_bits(s, key):
        ends = ast.Constant(0, **s.location), ast.Constant(HALF, **s.location)
        test = ast.Compare(ends[0], [ast.Lt(), ast.Lt()], [test, ends[1]], **s.location)
    plain = ast.BinOp(a, operator(), b, **s.location)
    return ast.IfExp(test, plain, call(function, [a, b], s.location), **s.location)


def _if_int(s: Site, function: ast.expr) -> ast.expr:
    """Return `x if type(x) is int and x <= MAX_INT else function(x)`."""
    read, stored = _once(s, 0, STORED)
    found = call(s.name(type, "type"), [stored], s.location)
    is_int = ast.Compare(found, [ast.Is()], [s.name(int, "int")], **s.location)
    fits = between(None, read, MAX_INT, s.location)  # one from a tensor of uint64 may not
    test = ast.BoolOp(ast.And(), [is_int, fits], **s.location)
    return ast.IfExp(test, read, call(function, [read], s.location), **s.location)


def _if_as_many(s: Site, function: ast.expr) -> ast.expr | None:
    """Return `xs if len(xs) == 3 else function(xs)`, which raises; None for a list of tensors."""
    type = s.node.inputs[0].type
    is_of_numbers = isinstance(type, t.ListType) and type.element in _NUMBERS
    wanted = len(s.node.outputs)
    if not is_of_numbers or wanted == 1:
        return None
    read, stored = _once(s, 0, UNPACKED)
    found = call(s.name(len, "len"), [stored], s.location)
    test = ast.Compare(found, [ast.Eq()], [ast.Constant(wanted, **s.location)], **s.location)
    return ast.IfExp(test, read, call(function, [read], s.location), **s.location)


def _once(s: Site, index: int, name: str) -> tuple[ast.expr, ast.expr]:
    """Return an operand, to be read, and where it is evaluated: stored if it is no variable."""
    tree = s.tree(index)
    if s.codes[index].is_simple:
        return tree, tree
    stored = ast.NamedExpr(ast.Name(name, STORE, **s.location), tree, **s.location)
    return ast.Name(name, LOAD, **s.location), stored


def _may_leave_64_bits(s: Site, key: str) -> bool:
    """Return whether the result may leave 64 bits though operands do not, as in `MIN // -1`."""
    if key == "aten::floordiv.int":
        return s.magnitude(0) > MAX_INT  # it may be the least integer
    return key == "aten::remainder.int" and s.magnitude(1) > HALF


_OF_TEXT: dict[str, Template] = {
    "aten::len.str": ORDERED["aten::len.t"],
    "aten::__getitem__.str": ORDERED["aten::__getitem__.t"],
    "aten::slice.str": ORDERED["aten::slice.t"],
}
_GUARDED: dict[str, type[ast.operator]] = {
    "aten::div.float": ast.Div,
    "aten::div.int": ast.Div,
    "aten::div.int_float": ast.Div,
    "aten::div.float_int": ast.Div,
    "aten::floordiv.int": ast.FloorDiv,
    "aten::remainder.int": ast.Mod,
}


def _of_ascii(s: Site, plain: ast.expr, function: ast.expr) -> ast.expr:
    """`plain if text.isascii() else function(text, ...)`: characters are bytes."""
    test = method(s.tree(0), "isascii", [], s.location)
    other = call(function, [code.tree for code in s.codes], s.location)
    return ast.IfExp(test, plain, other, **s.location)
