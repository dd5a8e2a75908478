"""Expressions, except conditions, subscripts and containers.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitSugaredExpr`, `emitSimpleExpr`, ...).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.diagnostics import error
from minits.frontend.calls.schema_matching import unpack_tuple
from minits.frontend.emit import conditions, special_forms, subscripts
from minits.frontend.emit.arguments import emit_arguments, emit_keywords
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import BuiltinFunction, MagicMethod, SpecialForm, make_tuple
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.types import Type


def emit(
    emitter: Emitter, node: tree.expr, n_binders: int = 1, hint: Type | None = None
) -> SugaredValue:
    """Emit an expression; see `Emitter.emit_sugared`."""
    match node:
        case tree.Name(id=name):
            return emitter.lookup(name, origin(node))
        case tree.Attribute(value=base, attr=name):
            return emitter.emit_sugared(base, 1).attr(origin(node), emitter, name)
        case tree.Call():
            return emit_call(emitter, node, n_binders, hint)
        case tree.Subscript():
            return subscripts.emit(emitter, node, hint)
    return SimpleValue(_emit_simple(emitter, node, hint))


def _emit_simple(emitter: Emitter, node: tree.expr, hint: Type | None) -> Value:
    match node:
        case tree.Constant():
            return _constant(emitter, node)
        case tree.BinOp():
            return _binary(emitter, node)
        case tree.UnaryOp(op=("-" | "~")):
            return _unary(emitter, node)
        case tree.BoolOp() | tree.UnaryOp(op="not"):
            return emitter.emit_condition(node).value
        case tree.Compare():
            return _compare(emitter, node)
        case tree.IfExp():
            return conditions.emit_conditional(emitter, node, hint)
        case tree.Tuple(elts=items):
            values = [value.value for value in emit_arguments(emitter, items)]
            return make_tuple(emitter, values)
        case tree.JoinedStr():
            return _format_string(emitter, node)
        case tree.Starred():
            fix = "write the elements out"
            raise error(origin(node), "TS115", "Unexpected starred expansion", fix=fix)
    return _CONTAINERS[type(node)](emitter, node, hint)  # the fence has refused what is not here


_CONTAINERS: dict[type, Callable[[Emitter, Any, Type | None], Value]] = {
    tree.List: lazily("minits.frontend.emit.containers:emit_list"),
    tree.Dict: lazily("minits.frontend.emit.containers:emit_dict"),
    tree.ListComp: lazily("minits.frontend.emit.containers:emit_list_comprehension"),
    tree.GeneratorExp: lazily("minits.frontend.emit.containers:emit_list_comprehension"),
    tree.DictComp: lazily("minits.frontend.emit.containers:emit_dict_comprehension"),
}


def _constant(emitter: Emitter, node: tree.Constant) -> Value:
    value, where = node.value, origin(node)
    if value is None or isinstance(value, (bool, str)):
        return insert_constant(emitter.graph, value, loc=where)
    if isinstance(value, int) and not MIN_INT <= value <= MAX_INT:
        message = "integer out of range: it does not fit into 64 bits"
        raise error(where, "TS207", message, fix="write it as a float")
    if isinstance(value, (int, float, complex)):
        return emitter.literal(value, where)
    what = "..." if value is Ellipsis else type(value).__name__
    message = f"constants of type {what} aren't supported in TorchScript"
    raise error(where, "TS195", message, fix="use a number, a string, True, False or None")


# ---- Operators ---------------------------------------------------------------------------------

_BINARY = {
    "+": ("aten::add", "__add__"), "-": ("aten::sub", "__sub__"), "*": ("aten::mul", "__mul__"),
    "**": ("aten::pow", "__pow__"), "/": ("aten::div", "__truediv__"),
    "%": ("aten::remainder", "__mod__"), "&": ("aten::__and__", "__and__"),
    "|": ("aten::__or__", "__or__"), "^": ("aten::__xor__", "__xor__"),
    "<<": ("aten::__lshift__", "__lshift__"), ">>": ("aten::__rshift__", "__rshift__"),
    "==": ("aten::eq", "__eq__"), "!=": ("aten::ne", "__ne__"), "<": ("aten::lt", "__lt__"),
    ">": ("aten::gt", "__gt__"), "<=": ("aten::le", "__le__"), ">=": ("aten::ge", "__ge__"),
    "in": ("aten::__contains__", "__contains__"),
}  # fmt: skip
_PLAIN = {"//": "aten::floordiv", "@": "aten::matmul"}


def _binary(emitter: Emitter, node: tree.BinOp) -> Value:
    graph, where = emitter.graph, origin(node)
    if node.op in _PLAIN:
        operands = emit_arguments(emitter, (node.left, node.right))
        return emit_builtin_call(graph, where, _PLAIN[node.op], operands)
    if node.op == "%":
        return emit_modulo(emitter, node, emitter.emit_expression(node.left))
    return _operate(emitter, node, node.op, node.left, node.right)


def emit_modulo(emitter: Emitter, node: tree.BinOp, left: Value) -> Value:
    """Emit `a % b`, whose left side is `left`; torch emits it to learn its type, and again."""
    if left.type == t.STR:
        values = [emitter.emit_expression(side) for side in (node.left, node.right)]
        return emitter.graph.emit("aten::percentFormat", values, [t.STR], origin(node)).output
    return _operate(emitter, node, node.op, node.left, node.right)


def _compare(emitter: Emitter, node: tree.Compare) -> Value:
    if len(node.ops) > 1 or node.ops[0] in ("is", "is not", "not in"):
        return emitter.emit_condition(node).value
    return _operate(emitter, node, node.ops[0], node.left, node.comparators[0])


def _operate(
    emitter: Emitter, node: tree.expr, op: str, left: tree.expr, right: tree.expr
) -> Value:
    where = origin(node)
    operator, magic = _BINARY[op]
    operands = emit_arguments(emitter, (left, right))
    if op == "in":
        operands.reverse()
        emitter.rules.asked(emitter, right, operands[1].value.type)
    first, second = (operand.value for operand in operands)
    tuples = isinstance(first.type, t.TupleType) and isinstance(second.type, t.TupleType)
    if op == "+" and tuples:
        items = [*unpack_tuple(emitter.graph, first), *unpack_tuple(emitter.graph, second)]
        return make_tuple(emitter, items)
    method = MagicMethod(magic, BuiltinFunction(operator))
    return method.call(where, emitter, operands, [], 0).as_value(where, emitter)


def _unary(emitter: Emitter, node: tree.UnaryOp) -> Value:
    where = origin(node)
    operator, magic = {
        "-": ("aten::neg", "__neg__"),
        "~": ("aten::bitwise_not", "__invert__"),
    }[node.op]
    operands = emit_arguments(emitter, (node.operand,))
    method = MagicMethod(magic, BuiltinFunction(operator))
    value = method.call(where, emitter, operands, [], 0).as_value(where, emitter)
    operand = to_python(operands[0].value)
    if value.node.kind != operator or operand is NOT_CONSTANT:
        return value
    if not isinstance(operand, (int, float, complex)):
        return value
    folded = -operand if node.op == "-" else ~operand  # type: ignore[operator]
    return insert_constant(emitter.graph, folded, loc=where)


def _format_string(emitter: Emitter, node: tree.JoinedStr) -> Value:
    """An f-string is a call of `format` on a string with `{}` for each value."""
    template = ""
    values: list[tree.expr] = []
    for part in node.values:
        if isinstance(part, tree.FormattedValue):
            template += "{}"
            values.append(part.value)
        else:
            assert isinstance(part, tree.Constant)
            template += part.value
    text = tree.Constant(node.range, template, None)
    format = tree.Attribute(node.range, text, "format")
    call = tree.Call(node.range, format, tuple(values), ())
    return emitter.emit_expression(call)


# ---- Calls -------------------------------------------------------------------------------------


def emit_call(emitter: Emitter, node: tree.Call, n_binders: int, hint: Type | None) -> SugaredValue:
    callee = emitter.emit_sugared(node.func, 1)
    if isinstance(callee, SpecialForm):
        return special_forms.emit(emitter, callee, node, hint)
    args = emit_arguments(emitter, node.args)
    kwargs = emit_keywords(emitter, node.keywords)
    emitter.rules.called(emitter, node, callee, args)
    return callee.call(origin(node.func), emitter, args, kwargs, n_binders)
