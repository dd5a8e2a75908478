"""The nodes of statements and their parts, and the roots of trees."""

from __future__ import annotations

from minits.syntax.tree.expressions import arguments, expr, keyword
from minits.syntax.tree.node import Node, node
from minits.syntax.tree.patterns import pattern

# ---- Roots ---------------------------------------------------------------------------------------


@node
class Module(Node):
    body: tuple[stmt, ...]


@node
class Expression(Node):
    body: expr


# ---- Statements ----------------------------------------------------------------------------------


@node
class stmt(Node):
    """A statement."""


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


# ---- Parts ---------------------------------------------------------------------------------------


@node
class ExceptHandler(Node):
    type: expr | None
    name: str | None
    body: tuple[stmt, ...]


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


# ---- Type parameters (PEP 695) -------------------------------------------------------------------


@node
class type_param(Node):
    """A type parameter of a function, class or alias."""


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
