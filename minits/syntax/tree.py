"""The syntax tree: CPython's `ast`, as classes with slots that carry their source range.

Classes and fields are those of the standard library's `ast` (Python 3.12; `default_value` of type
parameters is 3.13's), so that whoever knows one knows the other, with three simplifications:
sequences are tuples, operators are their symbols (`BinOp.op == "+"`, `Compare.ops == ("is not",)`),
and names carry no `ctx`.

Source: https://docs.python.org/3/library/ast.html, the abstract grammar.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

from typing_extensions import dataclass_transform

from minits.source import SourceRange

C = typing.TypeVar("C", bound=type)


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: C) -> C:
    """Return a class with a slot for each annotated field and a constructor that takes them all.

    This is `dataclass(slots=True, eq=False)` in a tenth of its time: for the ninety classes of this
    module, dataclasses took a third of what the import of minits takes.
    """
    own = tuple(vars(cls).get("__annotations__", ()))
    names = (*getattr(cls, "__match_args__", ()), *own)
    members = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
    members |= {"__slots__": own, "__match_args__": names, "__init__": _constructor(names)}
    return type(cls)(cls.__name__, cls.__bases__, members)


@cache
def _constructor(names: tuple[str, ...]) -> Any:
    scope: dict[str, Any] = {}
    body = "".join(f" self.{name} = {name}\n" for name in names)
    exec(f"def __init__(self, {', '.join(names)}):\n{body}", scope)
    return scope["__init__"]


@node
class Node:
    """Something in a source text; `range` says where."""

    range: SourceRange

    def __repr__(self) -> str:
        values = [f"{name}={getattr(self, name)!r}" for name in self.__match_args__]
        return f"{type(self).__name__}({', '.join(values)})"


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


N = typing.TypeVar("N", bound=Node)


def replaced(original: N, **changes: Any) -> N:
    """Return a copy of a node with some fields changed."""
    names: tuple[str, ...] = original.__match_args__
    values = {name: getattr(original, name) for name in names}
    return type(original)(**{**values, **changes})


def with_signed_numbers(root: N) -> N:
    """Return a tree in which `-1` is one constant, as for torch's parser of texts in strings."""
    if isinstance(root, UnaryOp) and root.op == "-" and isinstance(root.operand, Constant):
        number = root.operand.value
        if isinstance(number, (int, float, complex)) and not isinstance(number, bool):
            return replaced(root.operand, value=-number)  # type: ignore[return-value]
    names: tuple[str, ...] = root.__match_args__
    changes: dict[str, Any] = {}
    for name in names[1:]:  # all but the range
        value = getattr(root, name)
        if isinstance(value, Node):
            signed = with_signed_numbers(value)
            if signed is not value:
                changes[name] = signed
        elif type(value) is tuple:
            items = [with_signed_numbers(x) if isinstance(x, Node) else x for x in value]
            if any(new is not old for new, old in zip(items, value, strict=True)):
                changes[name] = tuple(items)
    return replaced(root, **changes) if changes else root


def children(parent: Node) -> Iterator[Node]:
    """The nodes directly below `parent`, in the order of its fields."""
    names: tuple[str, ...] = parent.__match_args__
    for name in names[1:]:  # all but the range
        value = getattr(parent, name)
        if value.__class__ is tuple:
            for item in value:
                if isinstance(item, Node):
                    yield item
        elif isinstance(value, Node):
            yield value


def walk(root: Node) -> Iterator[Node]:
    """`root` and all nodes below it, in pre-order."""
    stack = [root]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(list(children(here))))
