"""The builder's methods for calls and their arguments; the bases of a class are arguments, too."""

from __future__ import annotations

from typing import Any, NamedTuple

from minits.syntax import tree
from minits.syntax.builder_part import BuilderPart


class _Generator(NamedTuple):
    """A generator expression without brackets of its own, as the only argument of a call."""

    node: tree.GeneratorExp


class CallBuilder(BuilderPart):
    """A part of `Builder`."""

    def call(self, children: list[Any], start: int, end: int) -> tree.Call:
        function, opening, given, _ = children
        args, keywords = self.split_arguments(given, self.tokens.starts[opening], end)
        return tree.Call(self.at(start, end), function, args, keywords)

    def arguments(self, children: list[Any], start: int, end: int) -> list[Any]:
        return children[::2]

    def split_arguments(
        self, given: list[Any], opening: int, end: int
    ) -> tuple[tuple[tree.expr, ...], tuple[tree.keyword, ...]]:
        """Return positional and keyword arguments; a lone generator has the call's brackets.

        Raises `CompileError`.
        """
        args: list[tree.expr] = []
        keywords: list[tree.keyword] = []
        for argument in given:
            if isinstance(argument, tree.keyword):
                keywords.append(argument)
                continue
            if isinstance(argument, _Generator):
                if len(given) > 1:
                    loc = argument.node.range
                    fix = "put parentheses around it"
                    raise self.fault(loc.start, loc.end, "a generator beside arguments", fix)
                argument = tree.replaced(argument.node, range=self.at(opening, end))
            elif keywords and (
                not isinstance(argument, tree.Starred) or any(k.arg is None for k in keywords)
            ):
                loc = argument.range
                message = "a positional argument after a keyword argument"
                raise self.fault(loc.start, loc.end, message)
            args.append(argument)
        return tuple(args), tuple(keywords)

    def keyword_argument(self, children: list[Any], start: int, end: int) -> tree.keyword:
        """`name=value`. Raises `CompileError` where no name stands before the `=`."""
        name, _, value = children
        if not isinstance(name, tree.Name):
            raise self.fault(start, end, "'=' here needs a name before it", "compare with ==")
        return tree.keyword(self.at(start, end), name.id, value)

    def star_argument(self, children: list[Any], start: int, end: int) -> tree.Starred:
        return tree.Starred(self.at(start, end), children[1])

    def double_star_argument(self, children: list[Any], start: int, end: int) -> tree.keyword:
        return tree.keyword(self.at(start, end), None, children[1])

    def generator_argument(self, children: list[Any], start: int, end: int) -> _Generator:
        element, generators = children
        return _Generator(tree.GeneratorExp(self.at(start, end), element, generators))
