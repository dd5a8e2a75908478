"""The functions that the parser calls as it reduces: one for each rule of the grammar or alias.

A method gets the children (nodes, or the indices of tokens), and the offsets at which the whole
begins and ends. Parentheses belong to the offsets of what is around them, not to a node's own
range, as in CPython.
"""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.builder_part import Sequence
from minits.syntax.definitions import DefinitionBuilder
from minits.syntax.literals import BadLiteral, number_value
from minits.syntax.patterns import PatternBuilder
from minits.syntax.statements import StatementBuilder

_PRECEDENCE = {
    "|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6,
    "@": 6,
}  # fmt: skip


_new = tuple.__new__  # what a NamedTuple's own constructor calls; these are made by the thousand


class Builder(StatementBuilder, DefinitionBuilder, PatternBuilder):
    """Builds the nodes of one text."""

    # ---- Roots ---------------------------------------------------------------------------------

    def module(self, children: list[Any], start: int, end: int) -> tree.Module:
        return tree.Module(self.at(0, len(self.text_of_source)), self._statements(children))

    def expression_only(self, children: list[Any], start: int, end: int) -> tree.expr:
        expression: tree.expr = children[0]
        return expression

    def field(self, children: list[Any], start: int, end: int) -> tree.expr:
        expression: tree.expr = children[0]
        return expression

    # ---- Names and literals --------------------------------------------------------------------

    def name(self, children: list[Any], start: int, end: int) -> tree.Name:
        word = normalize("NFKC", self.text_of_source[start:end])
        return tree.Name(_new(SourceRange, (self.source, start, end)), word)

    def number(self, children: list[Any], start: int, end: int) -> tree.Constant:
        """A number. Raises `CompileError` for one that Python refuses, such as `012`."""
        try:
            value = number_value(self.text_of_source[start:end])
        except BadLiteral as why:
            raise self.fault(start, end, str(why)) from None
        return tree.Constant(_new(SourceRange, (self.source, start, end)), value, None)

    def none(self, children: list[Any], start: int, end: int) -> tree.Constant:
        return tree.Constant(self.at(start, end), None, None)

    def true(self, children: list[Any], start: int, end: int) -> tree.Constant:
        return tree.Constant(self.at(start, end), True, None)

    def false(self, children: list[Any], start: int, end: int) -> tree.Constant:
        return tree.Constant(self.at(start, end), False, None)

    def ellipsis(self, children: list[Any], start: int, end: int) -> tree.Constant:
        return tree.Constant(self.at(start, end), Ellipsis, None)

    # ---- Operators -----------------------------------------------------------------------------

    def disjunction(self, children: list[Any], start: int, end: int) -> tree.BoolOp:
        return tree.BoolOp(self.at(start, end), "or", tuple(children[::2]))

    def conjunction(self, children: list[Any], start: int, end: int) -> tree.BoolOp:
        return tree.BoolOp(self.at(start, end), "and", tuple(children[::2]))

    def not_test(self, children: list[Any], start: int, end: int) -> tree.UnaryOp:
        return tree.UnaryOp(self.at(start, end), "not", children[1])

    def unary_op(self, children: list[Any], start: int, end: int) -> tree.UnaryOp:
        return tree.UnaryOp(self.at(start, end), self.token(children[0]), children[1])

    def power_op(self, children: list[Any], start: int, end: int) -> tree.BinOp:
        return tree.BinOp(self.at(start, end), children[0], "**", children[2])

    def comparison(self, children: list[Any], start: int, end: int) -> tree.Compare:
        ops: list[str] = []
        operands: list[tree.expr] = []
        previous_is_token = False
        for child in children:
            is_token = child.__class__ is int
            if is_token and previous_is_token:  # `not in`, `is not`
                ops[-1] += f" {self.token(child)}"
            elif is_token:
                ops.append(self.token(child))
            else:
                operands.append(child)
            previous_is_token = is_token
        return tree.Compare(self.at(start, end), operands[0], tuple(ops), tuple(operands[1:]))

    def bitwise(self, row: list[Any], start: int, end: int) -> tree.expr:
        """Put precedence into a row of operands and operators: all bind to the left.

        An operand begins with the token after the operator before it, and ends with the token
        before the next operator; its own range would leave out its parentheses.
        """
        operands: list[tuple[tree.expr, int]] = [(row[0], start)]
        pending: list[str] = []
        for position in range(1, len(row), 2):
            op = self.token(row[position])
            before = self.tokens.ends[row[position] - 1]
            while pending and _PRECEDENCE[pending[-1]] >= _PRECEDENCE[op]:
                self._combine(operands, pending, before)
            pending.append(op)
            operands.append((row[position + 1], self.tokens.starts[row[position] + 1]))
        while pending:
            self._combine(operands, pending, end)
        return operands[0][0]

    def _combine(self, operands: list[tuple[tree.expr, int]], pending: list[str], end: int) -> None:
        right, _ = operands.pop()
        left, start = operands.pop()
        node = tree.BinOp(self.at(start, end), left, pending.pop(), right)
        operands.append((node, start))

    def conditional(self, children: list[Any], start: int, end: int) -> tree.IfExp:
        body, _, test, _, orelse = children
        return tree.IfExp(self.at(start, end), test, body, orelse)

    def walrus(self, children: list[Any], start: int, end: int) -> tree.NamedExpr:
        """`x := value`. Raises `CompileError` where `x` is no name."""
        target, _, value = children
        if not isinstance(target, tree.Name):
            raise self.fault(start, end, "the target of := must be a name")
        return tree.NamedExpr(self.at(start, end), target, value)

    def await_expr(self, children: list[Any], start: int, end: int) -> tree.Await:
        return tree.Await(self.at(start, end), children[1])

    def yield_expr(self, children: list[Any], start: int, end: int) -> tree.Yield:
        return tree.Yield(self.at(start, end), children[1] if len(children) > 1 else None)

    def yield_from(self, children: list[Any], start: int, end: int) -> tree.YieldFrom:
        return tree.YieldFrom(self.at(start, end), children[2])

    def lambda_expr(self, children: list[Any], start: int, end: int) -> tree.Lambda:
        _, parameters, _, body = children
        return tree.Lambda(self.at(start, end), self.arguments_of(parameters, start, end), body)

    # ---- Primaries -----------------------------------------------------------------------------

    def attribute(self, children: list[Any], start: int, end: int) -> tree.Attribute:
        base, _, name = children
        return tree.Attribute(_new(SourceRange, (self.source, start, end)), base, self.token(name))

    def subscript(self, children: list[Any], start: int, end: int) -> tree.Subscript:
        return tree.Subscript(self.at(start, end), children[0], children[2])

    def slices(self, children: list[Any], start: int, end: int) -> tree.expr:
        if len(children) == 1 and not isinstance(children[0], tree.Starred):
            only: tree.expr = children[0]
            return only
        return tree.Tuple(self.at(start, end), tuple(children[::2]))

    def slice_bounds(self, children: list[Any], start: int, end: int) -> tree.Slice:
        bounds: list[tree.expr | None] = [None, None, None]
        position = 0
        for child in children:
            if child.__class__ is int:
                position += 1
            else:
                bounds[position] = child
        return tree.Slice(self.at(start, end), *bounds)

    # ---- Sequences and brackets ----------------------------------------------------------------

    def star_expressions(self, children: list[Any], start: int, end: int) -> tree.Tuple:
        return tree.Tuple(self.at(start, end), tuple(children[::2]))

    def star_named_expressions(self, children: list[Any], start: int, end: int) -> Sequence:
        return Sequence(tuple(children[::2]))

    def star_expression(self, children: list[Any], start: int, end: int) -> tree.Starred:
        return tree.Starred(self.at(start, end), children[1])

    def starred_target(self, children: list[Any], start: int, end: int) -> tree.Starred:
        return tree.Starred(self.at(start, end), children[1])

    def star_targets(self, children: list[Any], start: int, end: int) -> tree.Tuple:
        return self.star_expressions(children, start, end)

    def group(self, children: list[Any], start: int, end: int) -> tree.expr:
        """`(x)`, `()`, `(x, y)`, `(x for x in y)`. Raises `CompileError` for `(*x)`."""
        where = self.at(start, end)
        if len(children) == 2:
            return tree.Tuple(where, ())
        if len(children) == 4:
            return tree.GeneratorExp(where, children[1], children[2])
        inner = children[1]
        if inner.__class__ is Sequence:
            return tree.Tuple(where, inner.items)
        if isinstance(inner, tree.Starred):
            raise self.fault(start, end, "a starred expression cannot stand here alone")
        expression: tree.expr = inner
        return expression

    def list_display(self, children: list[Any], start: int, end: int) -> tree.expr:
        where = self.at(start, end)
        if len(children) == 4:
            return tree.ListComp(where, children[1], children[2])
        return tree.List(where, _items(children[1]) if len(children) == 3 else ())

    def dict_or_set(self, children: list[Any], start: int, end: int) -> tree.Dict:
        return tree.Dict(self.at(start, end), (), ())

    def set_display(self, children: list[Any], start: int, end: int) -> tree.Set:
        return tree.Set(self.at(start, end), _items(children[1]))

    def set_comp(self, children: list[Any], start: int, end: int) -> tree.SetComp:
        return tree.SetComp(self.at(start, end), children[1], children[2])

    def dict_display(self, children: list[Any], start: int, end: int) -> tree.Dict:
        entries = [child for child in children if child.__class__ is tuple]
        keys = tuple(key for key, _ in entries)
        return tree.Dict(self.at(start, end), keys, tuple(value for _, value in entries))

    def key_value(self, children: list[Any], start: int, end: int) -> Any:
        return children[0], children[2]

    def double_star_item(self, children: list[Any], start: int, end: int) -> Any:
        return None, children[1]

    def dict_comp(self, children: list[Any], start: int, end: int) -> tree.DictComp:
        _, key, _, value, generators, _ = children
        return tree.DictComp(self.at(start, end), key, value, generators)

    # ---- Comprehensions ------------------------------------------------------------------------

    def comp_for(self, children: list[Any], start: int, end: int) -> Any:
        """All `for` and `if` of a comprehension. Raises `CompileError` if an `if` comes first."""
        generators: list[tree.comprehension] = []
        for clause in children:
            if isinstance(clause, tree.comprehension):
                generators.append(clause)
            elif not generators:
                raise self.fault(start, end, "a comprehension begins with `for`")
            else:
                last = generators[-1]
                generators[-1] = tree.replaced(last, ifs=(*last.ifs, clause))
        return tuple(generators)

    def comp_for_clause(self, children: list[Any], start: int, end: int) -> tree.comprehension:
        is_async = int(len(children) == 5)
        _, target, _, iterated = children[is_async:]
        return tree.comprehension(self.at(start, end), target, iterated, (), is_async)

    def comp_if(self, children: list[Any], start: int, end: int) -> tree.expr:
        test: tree.expr = children[1]
        return test


def _items(inner: Any) -> tuple[tree.expr, ...]:
    return inner.items if inner.__class__ is Sequence else (inner,)
