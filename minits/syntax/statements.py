"""The builder's methods for statements other than definitions."""

from __future__ import annotations

from typing import Any, NamedTuple

from minits.syntax import tree
from minits.syntax.builder_part import BuilderPart, end_of


class StatementBuilder(BuilderPart):
    """A part of `Builder`."""

    # ---- Blocks --------------------------------------------------------------------------------

    def _statements(self, children: list[Any]) -> tuple[tree.stmt, ...]:
        body: list[tree.stmt] = []
        for child in children:
            if child.__class__ is list:
                body += child
            elif child.__class__ is not int:
                body.append(child)
        return tuple(body)

    def simple_stmts(self, children: list[Any], start: int, end: int) -> list[tree.stmt]:
        newline = children[-1]
        statements = [child for child in children if child.__class__ is not int]
        comment = self.tokens.type_comments.get(newline - 1)
        if comment is not None and isinstance(statements[-1], tree.Assign):
            loc = self.at(statements[-1].range.start, self._end_of_line(newline))
            statements[-1] = tree.replaced(statements[-1], range=loc, type_comment=comment)
        return statements

    def _end_of_line(self, newline: int) -> int:
        """The end of a type comment: CPython makes it a part of its assignment."""
        return self.tokens.starts[newline]

    def block(self, children: list[Any], start: int, end: int) -> tuple[tree.stmt, ...]:
        return self._statements(children)

    # ---- Simple statements ---------------------------------------------------------------------

    def expr_stmt(self, children: list[Any], start: int, end: int) -> tree.Expr:
        return tree.Expr(self.at(start, end), children[0])

    def assign(self, children: list[Any], start: int, end: int) -> tree.Assign:
        *targets, value = children[::2]
        for target in targets:
            self._check_target(target)
        return tree.Assign(self.at(start, end), tuple(targets), value, None)

    def annassign(self, children: list[Any], start: int, end: int) -> tree.AnnAssign:
        """`x: T = value`. Raises `CompileError` where `x` is no name, attribute or item."""
        target, _, annotation = children[:3]
        if not isinstance(target, (tree.Name, tree.Attribute, tree.Subscript)):
            raise self.fault(start, end, "only a single target can be annotated")
        value = children[4] if len(children) == 5 else None
        simple = int(isinstance(target, tree.Name) and target.range.start == start)
        return tree.AnnAssign(self.at(start, end), target, annotation, value, simple)

    def augassign(self, children: list[Any], start: int, end: int) -> tree.AugAssign:
        """`x += value`. Raises `CompileError` where `x` is no name, attribute or item."""
        target, op, value = children
        if not isinstance(target, (tree.Name, tree.Attribute, tree.Subscript)):
            message = "unexpected expression on left-hand side of augmented assignment"
            if isinstance(target, (tree.Tuple, tree.List)):
                message = "augmented assignment can only have one LHS expression, not several"
            raise self.fault(start, end, message, "assign to a variable, an attribute or an item")
        return tree.AugAssign(self.at(start, end), target, self.token(op)[:-1], value)

    def _check_target(self, target: tree.expr) -> None:
        if isinstance(target, (tree.Tuple, tree.List)):
            for item in target.elts:
                self._check_target(item)
        elif isinstance(target, tree.Starred) and isinstance(target.value, tree.Constant):
            loc = target.range
            raise self.fault(loc.start, loc.end, "Cannot pack a tuple into a non-variable")
        elif isinstance(target, tree.Starred):
            self._check_target(target.value)
        elif not isinstance(target, (tree.Name, tree.Attribute, tree.Subscript)):
            loc = target.range
            fix = "compare with ==" if isinstance(target, tree.Compare) else None
            message = "unexpected expression on left-hand side of assignment"
            raise self.fault(loc.start, loc.end, f"{message}: it cannot be assigned to", fix)

    def return_stmt(self, children: list[Any], start: int, end: int) -> tree.Return:
        return tree.Return(self.at(start, end), children[1] if len(children) > 1 else None)

    def raise_stmt(self, children: list[Any], start: int, end: int) -> tree.Raise:
        parts = [child for child in children if child.__class__ is not int]
        first, second = (*parts, None, None)[:2]
        return tree.Raise(self.at(start, end), first, second)

    def assert_stmt(self, children: list[Any], start: int, end: int) -> tree.Assert:
        message = children[3] if len(children) > 3 else None
        return tree.Assert(self.at(start, end), children[1], message)

    def del_stmt(self, children: list[Any], start: int, end: int) -> tree.Delete:
        """`del x, y[0]`. Raises `CompileError` for what cannot be deleted, such as `*x`."""
        target = children[1]
        is_bare = isinstance(target, tree.Tuple) and self._char(target.range.start) != "("
        targets = target.elts if is_bare else (target,)
        for each in targets:
            if isinstance(each, tree.Starred):
                raise self.fault(each.range.start, each.range.end, "del takes no starred name")
            self._check_target(each)
        return tree.Delete(self.at(start, end), targets)

    def _char(self, offset: int) -> str:
        return self.source.text[offset]

    def pass_stmt(self, children: list[Any], start: int, end: int) -> tree.Pass:
        return tree.Pass(self.at(start, end))

    def break_stmt(self, children: list[Any], start: int, end: int) -> tree.Break:
        return tree.Break(self.at(start, end))

    def continue_stmt(self, children: list[Any], start: int, end: int) -> tree.Continue:
        return tree.Continue(self.at(start, end))

    def global_stmt(self, children: list[Any], start: int, end: int) -> tree.Global:
        return tree.Global(self.at(start, end), tuple(map(self.token, children[1::2])))

    def nonlocal_stmt(self, children: list[Any], start: int, end: int) -> tree.Nonlocal:
        return tree.Nonlocal(self.at(start, end), tuple(map(self.token, children[1::2])))

    def type_alias(self, children: list[Any], start: int, end: int) -> tree.TypeAlias:
        name, value = children[1], children[-1]
        tokens = self.tokens
        where = self.at(tokens.starts[name], tokens.ends[name])
        parameters = children[2] if len(children) == 5 else ()
        target = tree.Name(where, self.token(name))
        return tree.TypeAlias(self.at(start, end), target, parameters, value)

    # ---- Imports -------------------------------------------------------------------------------

    def import_name(self, children: list[Any], start: int, end: int) -> tree.Import:
        return tree.Import(self.at(start, end), tuple(children[1::2]))

    def dotted_as_name(self, children: list[Any], start: int, end: int) -> tree.alias:
        asname = self.token(children[2]) if len(children) == 3 else None
        return tree.alias(self.at(start, end), children[0], asname)

    def dotted_name(self, children: list[Any], start: int, end: int) -> str:
        return "".join(map(self.token, children))

    def import_from(self, children: list[Any], start: int, end: int) -> tree.ImportFrom:
        dots = sum(len(self.token(c)) for c in children if self.kind(c) in ("DOT", "ELLIPSIS"))
        names = [child for child in children if isinstance(child, str)]
        module = names[0] if names else None
        return tree.ImportFrom(self.at(start, end), module, children[-1], dots)

    def import_targets(self, children: list[Any], start: int, end: int) -> tuple[tree.alias, ...]:
        if self.kind(children[0]) == "STAR":
            return (tree.alias(self.at(start, end), "*", None),)
        return tuple(child for child in children if child.__class__ is not int)

    def import_as_name(self, children: list[Any], start: int, end: int) -> tree.alias:
        asname = self.token(children[2]) if len(children) == 3 else None
        return tree.alias(self.at(start, end), self.token(children[0]), asname)

    # ---- Control flow --------------------------------------------------------------------------

    def if_stmt(self, children: list[Any], start: int, end: int) -> tree.If:
        _, test, _, body = children[:4]
        orelse = children[4] if len(children) == 5 else ()
        if isinstance(orelse, tree.If):
            orelse = (orelse,)
        return tree.If(self.at(start, end_of(orelse or body)), test, body, orelse)

    def elif_block(self, children: list[Any], start: int, end: int) -> tree.If:
        return self.if_stmt(children, start, end)

    def else_block(self, children: list[Any], start: int, end: int) -> tuple[tree.stmt, ...]:
        body: tuple[tree.stmt, ...] = children[2]
        return body

    def while_stmt(self, children: list[Any], start: int, end: int) -> tree.While:
        _, test, _, body = children[:4]
        orelse = children[4] if len(children) == 5 else ()
        return tree.While(self.at(start, end_of(orelse or body)), test, body, orelse)

    def for_stmt(self, children: list[Any], start: int, end: int) -> tree.For:
        _, target, _, iterated, colon, body = children[:6]
        orelse = children[6] if len(children) == 7 else ()
        self._check_target(target)
        where = self.at(start, end_of(orelse or body))
        comment = self.tokens.type_comments.get(colon)
        return tree.For(where, target, iterated, body, orelse, comment)

    def with_stmt(self, children: list[Any], start: int, end: int) -> tree.With:
        body, colon = children[-1], children[-2]
        items = tuple(child for child in children if isinstance(child, tree.withitem))
        comment = self.tokens.type_comments.get(colon)
        return tree.With(self.at(start, end_of(body)), items, body, comment)

    def with_item(self, children: list[Any], start: int, end: int) -> tree.withitem:
        target = children[2] if len(children) == 3 else None
        return tree.withitem(self.at(start, end), children[0], target)

    def async_stmt(self, children: list[Any], start: int, end: int) -> tree.stmt:
        inner = children[1]
        fields = {name: getattr(inner, name) for name in type(inner).__match_args__}
        cls: Any = {
            tree.For: tree.AsyncFor,
            tree.With: tree.AsyncWith,
            tree.FunctionDef: tree.AsyncFunctionDef,
        }[type(inner)]
        made: tree.stmt = cls(**{**fields, "range": self.at(start, inner.range.end)})
        return made

    def try_stmt(self, children: list[Any], start: int, end: int) -> tree.Try | tree.TryStar:
        """`try` with its handlers. Raises `CompileError` where `except` and `except*` are mixed."""
        body = children[2]
        handlers = tuple(c.handler for c in children if isinstance(c, _Handler))
        starred = {c.starred for c in children if isinstance(c, _Handler)}
        if len(starred) > 1:
            raise self.fault(start, start + 3, "except and except* cannot be mixed")
        final = next((c.body for c in children if isinstance(c, _Finally)), ())
        orelse = next((c for c in children[3:] if c.__class__ is tuple), ())
        last = final or orelse or (handlers or body)
        cls: Any = tree.TryStar if True in starred else tree.Try
        made: tree.Try = cls(self.at(start, end_of(last)), body, handlers, orelse, final)
        return made

    def except_block(self, children: list[Any], start: int, end: int) -> _Handler:
        body = children[-1]
        starred = self.kind(children[1]) == "STAR"
        parts = children[2:-2] if starred else children[1:-2]
        type_ = parts[0] if parts else None
        name = self.token(parts[2]) if len(parts) == 3 else None
        where = self.at(start, end_of(body))
        return _Handler(tree.ExceptHandler(where, type_, name, body), starred)

    def finally_block(self, children: list[Any], start: int, end: int) -> _Finally:
        return _Finally(children[2])


class _Handler(NamedTuple):
    handler: tree.ExceptHandler
    starred: bool


class _Finally(NamedTuple):
    body: tuple[tree.stmt, ...]
