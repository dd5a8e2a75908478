"""The builder's methods for statements, definitions and their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.syntax.patterns import end_of

if TYPE_CHECKING:
    from minits.diagnostics import CompileError
    from minits.syntax.lexer import Tokens


class Parameter(NamedTuple):
    """`kind` is arg, vararg, kwarg, star (a bare `*`) or slash."""

    kind: str
    arg: tree.arg | None = None
    default: tree.expr | None = None


class StatementBuilder:
    """A part of `Builder`."""

    source: SourceFile
    tokens: Tokens

    if TYPE_CHECKING:

        def at(self, start: int, end: int) -> SourceRange: ...
        def token(self, index: int) -> str: ...
        def kind(self, child: Any) -> str | None: ...
        def fault(
            self, start: int, end: int, message: str, fix: str | None = None
        ) -> CompileError: ...
        def split_arguments(
            self, given: list[Any], opening: int, end: int
        ) -> tuple[tuple[tree.expr, ...], tuple[tree.keyword, ...]]: ...

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
            where = self.at(statements[-1].range.start, self._end_of_line(newline))
            statements[-1] = tree.replaced(statements[-1], range=where, type_comment=comment)
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
        target, _, annotation = children[:3]
        if not isinstance(target, (tree.Name, tree.Attribute, tree.Subscript)):
            raise self.fault(start, end, "only a single target can be annotated")
        value = children[4] if len(children) == 5 else None
        simple = int(isinstance(target, tree.Name) and target.range.start == start)
        return tree.AnnAssign(self.at(start, end), target, annotation, value, simple)

    def augassign(self, children: list[Any], start: int, end: int) -> tree.AugAssign:
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
            where = target.range
            raise self.fault(where.start, where.end, "Cannot pack a tuple into a non-variable")
        elif isinstance(target, tree.Starred):
            self._check_target(target.value)
        elif not isinstance(target, (tree.Name, tree.Attribute, tree.Subscript)):
            where = target.range
            fix = "compare with ==" if isinstance(target, tree.Compare) else None
            message = "unexpected expression on left-hand side of assignment"
            raise self.fault(where.start, where.end, f"{message}: it cannot be assigned to", fix)

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

    # ---- Definitions ---------------------------------------------------------------------------

    def funcdef(self, children: list[Any], start: int, end: int) -> tree.FunctionDef:
        name, body, colon = children[1], children[-1], children[-2]
        type_params = children[2] if children[2].__class__ is tuple else ()
        opening = 3 if type_params else 2
        parameters, closing = children[opening + 1], children[opening + 2]
        returns = children[opening + 4] if self.kind(children[opening + 3]) == "ARROW" else None
        begin = self.tokens.starts[children[opening]] + 1
        stop = self.tokens.starts[closing]
        arguments = self.arguments_of(parameters, begin, stop, closing)
        comments = self.tokens.type_comments
        return tree.FunctionDef(
            self.at(start, end_of(body)),
            self.token(name),
            arguments,
            body,
            (),
            returns,
            comments.get(colon, comments.get(colon + 1)),
            type_params,
        )

    def parameters(self, children: list[Any], start: int, end: int) -> list[Any]:
        return children

    def lambda_parameters(self, children: list[Any], start: int, end: int) -> list[Any]:
        return children

    def parameter(self, children: list[Any], start: int, end: int) -> Parameter:
        marker = self.token(children[0])
        kinds = {"*": "vararg", "**": "kwarg"}
        if marker == "/":
            return Parameter("slash")
        if marker == "*" and len(children) == 1:
            return Parameter("star")
        rest = children[1:] if marker in kinds else children
        annotation = default = None
        for position in range(1, len(rest), 2):
            if self.kind(rest[position]) == "COLON":
                annotation = rest[position + 1]
            else:
                default = rest[position + 1]
        begin = self.tokens.starts[rest[0]]
        stop = self.tokens.ends[rest[0]]
        if annotation is not None:
            stop = end if default is None else self._end_before(rest[-2])
        arg = tree.arg(self.at(begin, stop), self.token(rest[0]), annotation, None)
        return Parameter(kinds.get(marker, "arg"), arg, default)

    def lambda_parameter(self, children: list[Any], start: int, end: int) -> Parameter:
        return self.parameter(children, start, end)

    def _end_before(self, token: int) -> int:
        return self.tokens.ends[token - 1]

    def arguments_of(
        self, children: list[Any], start: int, end: int, closing: int | None = None
    ) -> tree.arguments:
        """Sort parameters by what they take. `closing` is the token of the bracket after them."""
        lists: dict[str, list[tree.arg]] = {"posonly": [], "args": [], "kwonly": []}
        defaults: list[tree.expr] = []
        kw_defaults: list[tree.expr | None] = []
        vararg = kwarg = None
        section = "args"
        self._check_markers(children, start, end)
        for position, parameter in enumerate(children):
            if parameter.__class__ is int:
                continue
            if kwarg is not None:
                raise self.fault(start, end, "no parameter may follow **kwargs")
            kind, arg, default = parameter
            if kind == "slash":
                lists["posonly"], lists["args"] = lists["args"], []
                continue
            if kind == "star":
                section = "kwonly"
                continue
            arg = self._with_comment(arg, children, position, closing)
            if kind == "vararg":
                vararg, section = arg, "kwonly"
            elif kind == "kwarg":
                kwarg = arg
            elif section == "kwonly":
                lists["kwonly"].append(arg)
                kw_defaults.append(default)
            else:
                lists["args"].append(arg)
                if default is not None:
                    defaults.append(default)
                elif defaults:
                    where = arg.range
                    message = f"'{arg.arg}' has no default, but a parameter before it has one"
                    raise self.fault(where.start, where.end, message)
        return tree.arguments(
            self.at(start, max(start, end)), tuple(lists["posonly"]), tuple(lists["args"]), vararg,
            tuple(lists["kwonly"]), tuple(kw_defaults), kwarg, tuple(defaults),
        )  # fmt: skip

    def _check_markers(self, children: list[Any], start: int, end: int) -> None:
        """`/` comes once, after a parameter and before `*`; after a bare `*` comes a name."""
        kinds = [child.kind for child in children if child.__class__ is not int]
        stars = [number for number, kind in enumerate(kinds) if kind in ("star", "vararg")]
        slashes = [number for number, kind in enumerate(kinds) if kind == "slash"]
        if len(stars) > 1 or len(slashes) > 1:
            raise self.fault(start, end, "'*' and '/' may stand among parameters only once")
        if slashes and (slashes[0] == 0 or (stars and stars[0] < slashes[0])):
            raise self.fault(start, end, "'/' comes after a parameter and before '*'")
        if "star" in kinds and kinds[stars[0] + 1 : stars[0] + 2] != ["arg"]:
            raise self.fault(start, end, "a bare '*' must be followed by a parameter", "remove it")

    def _with_comment(
        self, arg: tree.arg, children: list[Any], position: int, closing: int | None
    ) -> tree.arg:
        """Attach the `# type:` comment after a parameter, or after its comma."""
        comments = self.tokens.type_comments
        if not comments or closing is None:
            return arg
        if position + 1 < len(children):
            comma = children[position + 1]
            comment = comments.get(comma, comments.get(comma - 1))
        else:
            comment = comments.get(closing - 1)
        return arg if comment is None else tree.replaced(arg, type_comment=comment)

    def classdef(self, children: list[Any], start: int, end: int) -> tree.ClassDef:
        name, body = children[1], children[-1]
        type_params = children[2] if children[2].__class__ is tuple else ()
        given = next((child for child in children if child.__class__ is list), [])
        bases, keywords = self.split_arguments(given, start, end)
        where = self.at(start, end_of(body))
        return tree.ClassDef(where, self.token(name), bases, keywords, body, (), type_params)

    def decorated(self, children: list[Any], start: int, end: int) -> tree.stmt:
        *decorators, definition = children
        made: tree.stmt = tree.replaced(definition, decorator_list=tuple(decorators))
        return made

    def decorator(self, children: list[Any], start: int, end: int) -> tree.expr:
        expression: tree.expr = children[1]
        return expression

    def type_params(self, children: list[Any], start: int, end: int) -> tuple[tree.type_param, ...]:
        return tuple(child for child in children if child.__class__ is not int)

    def type_param(self, children: list[Any], start: int, end: int) -> tree.type_param:
        where = self.at(start, end)
        bound = default = None
        for position, child in enumerate(children[:-1]):
            if self.kind(child) == "COLON":
                bound = children[position + 1]
            elif self.kind(child) == "EQUAL":
                default = children[position + 1]
        match self.kind(children[0]):
            case "STAR":
                return tree.TypeVarTuple(where, self.token(children[1]), default)
            case "DOUBLESTAR":
                return tree.ParamSpec(where, self.token(children[1]), default)
        return tree.TypeVar(where, self.token(children[0]), bound, default)


class _Handler(NamedTuple):
    handler: tree.ExceptHandler
    starred: bool


class _Finally(NamedTuple):
    body: tuple[tree.stmt, ...]
