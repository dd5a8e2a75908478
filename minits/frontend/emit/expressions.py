"""Expressions, except conditions, subscripts and containers.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitSugaredExpr`, `emitSimpleExpr`, ...).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.diagnostics import CompileError, error, with_faults_of
from minits.frontend.calls.schema_matching import unpack_tuple
from minits.frontend.emit import conditions, special_forms, subscripts
from minits.frontend.emit.arguments import emit_arguments, emit_arguments_of, emit_callee
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import BuiltinFunction, MagicMethod, SpecialForm, make_tuple
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.types import Type


def emit(
    emitter: Emitter, node: tree.expr, n_binders: int = 1, hint: Type | None = None
) -> SugaredValue:
    """Emit an expression; see `Emitter.emit_sugared`."""
    emit_value = _VALUES.get(node.__class__)
    if emit_value is not None:
        return SimpleValue(emit_value(emitter, node, hint))
    return _SUGARED[node.__class__](emitter, node, n_binders, hint)  # the fence refused the rest


def _name(emitter: Emitter, node: tree.Name, n_binders: int, hint: Type | None) -> SugaredValue:
    return emitter.lookup(node.id, node.range)


def _attribute(
    emitter: Emitter, node: tree.Attribute, n_binders: int, hint: Type | None
) -> SugaredValue:
    return emitter.emit_sugared(node.value, 1).attr(origin(node), emitter, node.attr)


def _subscript(
    emitter: Emitter, node: tree.Subscript, n_binders: int, hint: Type | None
) -> SugaredValue:
    return subscripts.emit(emitter, node, hint)


def _starred(
    emitter: Emitter, node: tree.Starred, n_binders: int, hint: Type | None
) -> SugaredValue:
    fix = "write the elements out"
    raise error(origin(node), "TS115", "Unexpected starred expansion", fix=fix)


def _constant(emitter: Emitter, node: tree.Constant, hint: Type | None) -> Value:
    value, loc = node.value, node.range
    if isinstance(value, str) and not value.isascii():
        _refuse_half_characters(value, loc)
    if value is None or isinstance(value, (bool, str)):
        return insert_constant(emitter.graph, value, loc=loc)
    if isinstance(value, int) and not MIN_INT <= value <= MAX_INT:
        message = "integer out of range: it does not fit into 64 bits"
        raise error(loc, "TS207", message, fix="write it as a float")
    if isinstance(value, (int, float, complex)):
        return emitter.literal(value, loc)
    what = "..." if value is Ellipsis else type(value).__name__
    message = f"constants of type {what} aren't supported in TorchScript"
    raise error(loc, "TS195", message, fix="use a number, a string, True, False or None")


def _refuse_half_characters(text: str, loc: SourceRange) -> None:
    """Raise `CompileError` for a text that has no bytes, as all strings of TorchScript do.

    What stands for single bytes is a text; see `ops/implementations/strings.py`.
    """
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as problem:
        half = ascii(text[problem.start])
        message = f"{half} is half a character, which no string of TorchScript holds"
        raise error(loc, "TS011", message, fix="write the whole character") from None


# ---- Operators ---------------------------------------------------------------------------------

_OPERATORS = {
    "+": ("aten::add", "__add__"), "-": ("aten::sub", "__sub__"), "*": ("aten::mul", "__mul__"),
    "**": ("aten::pow", "__pow__"), "/": ("aten::div", "__truediv__"),
    "%": ("aten::remainder", "__mod__"), "&": ("aten::__and__", "__and__"),
    "|": ("aten::__or__", "__or__"), "^": ("aten::__xor__", "__xor__"),
    "<<": ("aten::__lshift__", "__lshift__"), ">>": ("aten::__rshift__", "__rshift__"),
    "==": ("aten::eq", "__eq__"), "!=": ("aten::ne", "__ne__"), "<": ("aten::lt", "__lt__"),
    ">": ("aten::gt", "__gt__"), "<=": ("aten::le", "__le__"), ">=": ("aten::ge", "__ge__"),
    "in": ("aten::__contains__", "__contains__"),
}  # fmt: skip
_BINARY = {
    op: MagicMethod(magic, BuiltinFunction(name)) for op, (name, magic) in _OPERATORS.items()
}
_UNARY = {
    "-": MagicMethod("__neg__", BuiltinFunction("aten::neg")),
    "~": MagicMethod("__invert__", BuiltinFunction("aten::bitwise_not")),
}
_PLAIN = {"//": "aten::floordiv", "@": "aten::matmul"}


def _binary(emitter: Emitter, node: tree.BinOp, hint: Type | None) -> Value:
    if node.op in _PLAIN:
        operands = emit_arguments(emitter, (node.left, node.right))
        return emit_builtin_call(emitter.graph, origin(node), _PLAIN[node.op], operands)
    if node.op == "%":
        try:
            left = emitter.emit_expression(node.left)
        except CompileError as fault:
            raise with_faults_of(fault, lambda: emitter.emit_expression(node.right)) from None
        return emit_modulo(emitter, node, left)
    return _operate(emitter, node, node.op, node.left, node.right)


def emit_modulo(emitter: Emitter, node: tree.BinOp, left: Value) -> Value:
    """Emit `a % b`, whose left side is `left`; torch emits it to learn its type, and again."""
    if left.type == t.STR:
        values = emitter.emit_each(node.left, node.right)
        return emitter.graph.emit("aten::percentFormat", values, [t.STR], origin(node)).output
    return _operate(emitter, node, node.op, node.left, node.right)


def _compare(emitter: Emitter, node: tree.Compare, hint: Type | None) -> Value:
    if len(node.ops) > 1 or node.ops[0] in ("is", "is not", "not in"):
        return emitter.emit_condition(node).value
    return _operate(emitter, node, node.ops[0], node.left, node.comparators[0])


def _operate(
    emitter: Emitter, node: tree.expr, op: str, left: tree.expr, right: tree.expr
) -> Value:
    loc = origin(node)
    operands = emit_arguments(emitter, (left, right))
    if op == "in":
        operands.reverse()
        emitter.rules.asked(emitter, right, operands[1].value.type)
    first, second = (operand.value for operand in operands)
    tuples = isinstance(first.type, t.TupleType) and isinstance(second.type, t.TupleType)
    if op == "+" and tuples:
        items = [*unpack_tuple(emitter.graph, first), *unpack_tuple(emitter.graph, second)]
        return make_tuple(emitter, items)
    return _BINARY[op].call(loc, emitter, operands, [], 0).as_value(loc, emitter)


def _unary(emitter: Emitter, node: tree.UnaryOp, hint: Type | None) -> Value:
    if node.op == "not":
        return _truth(emitter, node, hint)
    loc = origin(node)
    operands = emit_arguments(emitter, (node.operand,))
    value = _UNARY[node.op].call(loc, emitter, operands, [], 0).as_value(loc, emitter)
    operand = to_python(operands[0].value)
    if value.node.kind not in ("aten::neg", "aten::bitwise_not") or operand is NOT_CONSTANT:
        return value
    if type(operand) not in (int, float, complex):
        return value
    folded = -operand if node.op == "-" else ~operand
    return insert_constant(emitter.graph, folded, loc=loc)


def _truth(emitter: Emitter, node: tree.expr, hint: Type | None) -> Value:
    return emitter.emit_condition(node).value


def _tuple(emitter: Emitter, node: tree.Tuple, hint: Type | None) -> Value:
    return make_tuple(emitter, [item.value for item in emit_arguments(emitter, node.elts)])


def _format_string(emitter: Emitter, node: tree.JoinedStr, hint: Type | None) -> Value:
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
    callee = emit_callee(emitter, node)
    if isinstance(callee, SpecialForm):
        return special_forms.emit(emitter, callee, node, hint)
    args, kwargs = emit_arguments_of(emitter, node)
    emitter.rules.called(emitter, node, callee, args)
    return callee.call(origin(node.func), emitter, args, kwargs, n_binders)


# ---- The tables --------------------------------------------------------------------------------

_VALUES: dict[type, Callable[[Emitter, Any, Type | None], Value]] = {
    tree.Constant: _constant,
    tree.BinOp: _binary,
    tree.UnaryOp: _unary,
    tree.BoolOp: _truth,
    tree.Compare: _compare,
    tree.IfExp: conditions.emit_conditional,
    tree.Tuple: _tuple,
    tree.JoinedStr: _format_string,
    tree.List: lazily("minits.frontend.emit.containers:emit_list"),
    tree.Dict: lazily("minits.frontend.emit.containers:emit_dict"),
    tree.ListComp: lazily("minits.frontend.emit.containers:emit_list_comprehension"),
    tree.GeneratorExp: lazily("minits.frontend.emit.containers:emit_list_comprehension"),
    tree.DictComp: lazily("minits.frontend.emit.containers:emit_dict_comprehension"),
}
"""Expressions that are values of the graph."""
_SUGARED: dict[type, Callable[[Emitter, Any, int, Type | None], SugaredValue]] = {
    tree.Name: _name,
    tree.Attribute: _attribute,
    tree.Call: emit_call,
    tree.Subscript: _subscript,
    tree.Starred: _starred,
}
"""Expressions that may be anything else, too."""
