"""The syntax tree: CPython's `ast`, as classes with slots that carry their source range.

Classes and fields are those of the standard library's `ast` (Python 3.12; `default_value` of type
parameters is 3.13's), so that whoever knows one knows the other, with three simplifications:
sequences are tuples, operators are their symbols (`BinOp.op == "+"`, `Compare.ops == ("is not",)`),
and names carry no `ctx`.

Source: https://docs.python.org/3/library/ast.html, the abstract grammar.
"""

from __future__ import annotations

from typing import Any

from minits.syntax.node import Node as Node
from minits.syntax.node import children as children
from minits.syntax.node import node
from minits.syntax.node import placed as placed
from minits.syntax.node import replaced as replaced
from minits.syntax.node import walk as walk


@node
class stmt(Node):
    """A statement."""


@node
class expr(Node):
    """An expression."""


@node
class pattern(Node):
    """A pattern of a `case`."""


@node
class type_param(Node):
    """A type parameter of a function, class or alias."""


# ---- Roots -------------------------------------------------------------------------------------


@node
class Module(Node):
    body: tuple[stmt, ...]


@node
class Expression(Node):
    body: expr


# ---- Statements --------------------------------------------------------------------------------


@node
class FunctionDef(stmt):
    name: str
    args: arguments
    body: tuple[stmt, ...]
    decorator_list: tuple[expr, ...]
    returns: expr | None
    type_comment: str | None
    type_params: tuple[type_param, ...]


@node
class AsyncFunctionDef(stmt):
    name: str
    args: arguments
    body: tuple[stmt, ...]
    decorator_list: tuple[expr, ...]
    returns: expr | None
    type_comment: str | None
    type_params: tuple[type_param, ...]


@node
class ClassDef(stmt):
    name: str
    bases: tuple[expr, ...]
    keywords: tuple[keyword, ...]
    body: tuple[stmt, ...]
    decorator_list: tuple[expr, ...]
    type_params: tuple[type_param, ...]


@node
class Return(stmt):
    value: expr | None


@node
class Delete(stmt):
    targets: tuple[expr, ...]


@node
class Assign(stmt):
    targets: tuple[expr, ...]
    value: expr
    type_comment: str | None


@node
class TypeAlias(stmt):
    name: expr
    type_params: tuple[type_param, ...]
    value: expr


@node
class AugAssign(stmt):
    target: expr
    op: str
    value: expr


@node
class AnnAssign(stmt):
    target: expr
    annotation: expr
    value: expr | None
    simple: int


@node
class For(stmt):
    target: expr
    iter: expr
    body: tuple[stmt, ...]
    orelse: tuple[stmt, ...]
    type_comment: str | None


@node
class AsyncFor(stmt):
    target: expr
    iter: expr
    body: tuple[stmt, ...]
    orelse: tuple[stmt, ...]
    type_comment: str | None


@node
class While(stmt):
    test: expr
    body: tuple[stmt, ...]
    orelse: tuple[stmt, ...]


@node
class If(stmt):
    test: expr
    body: tuple[stmt, ...]
    orelse: tuple[stmt, ...]


@node
class With(stmt):
    items: tuple[withitem, ...]
    body: tuple[stmt, ...]
    type_comment: str | None


@node
class AsyncWith(stmt):
    items: tuple[withitem, ...]
    body: tuple[stmt, ...]
    type_comment: str | None


@node
class Match(stmt):
    subject: expr
    cases: tuple[match_case, ...]


@node
class Raise(stmt):
    exc: expr | None
    cause: expr | None


@node
class Try(stmt):
    body: tuple[stmt, ...]
    handlers: tuple[ExceptHandler, ...]
    orelse: tuple[stmt, ...]
    finalbody: tuple[stmt, ...]


@node
class TryStar(stmt):
    body: tuple[stmt, ...]
    handlers: tuple[ExceptHandler, ...]
    orelse: tuple[stmt, ...]
    finalbody: tuple[stmt, ...]


@node
class Assert(stmt):
    test: expr
    msg: expr | None


@node
class Import(stmt):
    names: tuple[alias, ...]


@node
class ImportFrom(stmt):
    module: str | None
    names: tuple[alias, ...]
    level: int


@node
class Global(stmt):
    names: tuple[str, ...]


@node
class Nonlocal(stmt):
    names: tuple[str, ...]


@node
class Expr(stmt):
    value: expr


@node
class Pass(stmt):
    pass


@node
class Break(stmt):
    pass


@node
class Continue(stmt):
    pass


# ---- Expressions -------------------------------------------------------------------------------


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


# ---- Parts of statements and expressions -------------------------------------------------------


@node
class comprehension(Node):
    target: expr
    iter: expr
    ifs: tuple[expr, ...]
    is_async: int


@node
class ExceptHandler(Node):
    type: expr | None
    name: str | None
    body: tuple[stmt, ...]


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


@node
class alias(Node):
    name: str
    asname: str | None


@node
class withitem(Node):
    context_expr: expr
    optional_vars: expr | None


@node
class match_case(Node):
    pattern: pattern
    guard: expr | None
    body: tuple[stmt, ...]


# ---- Patterns ----------------------------------------------------------------------------------


@node
class MatchValue(pattern):
    value: expr


@node
class MatchSingleton(pattern):
    value: bool | None


@node
class MatchSequence(pattern):
    patterns: tuple[pattern, ...]


@node
class MatchMapping(pattern):
    keys: tuple[expr, ...]
    patterns: tuple[pattern, ...]
    rest: str | None


@node
class MatchClass(pattern):
    cls: expr
    patterns: tuple[pattern, ...]
    kwd_attrs: tuple[str, ...]
    kwd_patterns: tuple[pattern, ...]


@node
class MatchStar(pattern):
    name: str | None


@node
class MatchAs(pattern):
    pattern: pattern | None
    name: str | None


@node
class MatchOr(pattern):
    patterns: tuple[pattern, ...]


# ---- Type parameters (PEP 695) -----------------------------------------------------------------


@node
class TypeVar(type_param):
    name: str
    bound: expr | None
    default_value: expr | None


@node
class ParamSpec(type_param):
    name: str
    default_value: expr | None


@node
class TypeVarTuple(type_param):
    name: str
    default_value: expr | None
