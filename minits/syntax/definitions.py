"""The builder's methods for functions, classes, their parameters and decorators."""

from __future__ import annotations

from typing import Any, NamedTuple

from minits.syntax import tree
from minits.syntax.builder_part import end_of
from minits.syntax.calls import CallBuilder


class Parameter(NamedTuple):
    """`kind` is arg, vararg, kwarg, star (a bare `*`) or slash."""

    kind: str
    arg: tree.arg | None = None
    default: tree.expr | None = None


class DefinitionBuilder(CallBuilder):
    """A part of `Builder`."""

    # ---- Functions -----------------------------------------------------------------------------

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
        """Sort parameters by what they take. `closing` is the token of the bracket after them.

        Raises `CompileError`.
        """
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
                    loc = arg.range
                    message = f"'{arg.arg}' has no default, but a parameter before it has one"
                    raise self.fault(loc.start, loc.end, message)
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

    # ---- Classes, decorators, type parameters -----------------------------------------------

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
