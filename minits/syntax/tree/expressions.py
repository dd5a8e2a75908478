"""The nodes of expressions, and their parts: parameters, keywords, clauses of comprehensions."""

from __future__ import annotations

from typing import Any

from minits.syntax.tree.node import Node, node


@node
class expr(Node):
    """An expression."""


@node
class BoolOp(expr):
    op: str
    values: tuple[expr, ...]


@node
class NamedExpr(expr):
    target: expr
    value: expr


@node
class BinOp(expr):
    left: expr
    op: str
    right: expr


@node
class UnaryOp(expr):
    op: str
    operand: expr


@node
class Lambda(expr):
    args: arguments
    body: expr


@node
class IfExp(expr):
    test: expr
    body: expr
    orelse: expr


@node
class Dict(expr):
    keys: tuple[expr | None, ...]
    values: tuple[expr, ...]


@node
class Set(expr):
    elts: tuple[expr, ...]


@node
class ListComp(expr):
    elt: expr
    generators: tuple[comprehension, ...]


@node
class SetComp(expr):
    elt: expr
    generators: tuple[comprehension, ...]


@node
class DictComp(expr):
    key: expr
    value: expr
    generators: tuple[comprehension, ...]


@node
class GeneratorExp(expr):
    elt: expr
    generators: tuple[comprehension, ...]


@node
class Await(expr):
    value: expr


@node
class Yield(expr):
    value: expr | None


@node
class YieldFrom(expr):
    value: expr


@node
class Compare(expr):
    left: expr
    ops: tuple[str, ...]
    comparators: tuple[expr, ...]


@node
class Call(expr):
    func: expr
    args: tuple[expr, ...]
    keywords: tuple[keyword, ...]


@node
class FormattedValue(expr):
    value: expr
    conversion: int
    format_spec: expr | None


@node
class JoinedStr(expr):
    values: tuple[expr, ...]


@node
class Constant(expr):
    value: Any
    kind: str | None


@node
class Attribute(expr):
    value: expr
    attr: str


@node
class Subscript(expr):
    value: expr
    slice: expr


@node
class Starred(expr):
    value: expr


@node
class Name(expr):
    id: str


@node
class List(expr):
    elts: tuple[expr, ...]


@node
class Tuple(expr):
    elts: tuple[expr, ...]


@node
class Slice(expr):
    lower: expr | None
    upper: expr | None
    step: expr | None


# ---- Parts ---------------------------------------------------------------------------------------


@node
class comprehension(Node):
    target: expr
    iter: expr
    ifs: tuple[expr, ...]
    is_async: int


@node
class arguments(Node):
    posonlyargs: tuple[arg, ...]
    args: tuple[arg, ...]
    vararg: arg | None
    kwonlyargs: tuple[arg, ...]
    kw_defaults: tuple[expr | None, ...]
    kwarg: arg | None
    defaults: tuple[expr, ...]


@node
class arg(Node):
    arg: str
    annotation: expr | None
    type_comment: str | None


@node
class keyword(Node):
    arg: str | None
    value: expr
