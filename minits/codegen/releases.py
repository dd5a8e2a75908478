"""Delete variables at the last use of their tensors, so that the memory is free for what follows.

    h = torch_relu(x)                   h = torch_relu(x)
    y = torch_linear(h, w)              y = torch_linear(h, w)
                                        del h
    for i in range(n):                  for i in range(n):
        y = torch_mul(y, s)                 y = torch_mul(y, s)
                                        del s
    return torch_neg(y)                 return torch_neg(y)

Without that, a frame keeps all of them until it returns. It works on statements: what a variable
holds at a point is needed if a path from there reads the variable before assigning it. A variable
that is read on one side of an `if` alone is deleted where the other one begins. Before `return`
and `raise` nothing is deleted, as the frame ends.

Differs: torch's interpreter moves values out of registers at their last use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from minits.codegen.expressions import Location

Names = frozenset[str]
_NONE: Names = frozenset()


def with_releases(statements: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """Return the statements of a function, with `del` at the last uses of these variables."""
    return _Releases(names).block(statements, _NONE, _NONE)[0]


class _Releases:
    """`names` are the variables to delete; all sets of names below are of them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._read_first: dict[ast.stmt, Names] = {}
        """By loop: the variables that its body may read before it assigns them."""

    def block(
        self, statements: Sequence[ast.stmt], after: Names, at_break: Names
    ) -> tuple[list[ast.stmt], Names]:
        """Return statements with deletions, and the variables that are needed before them.

        after, at_break: the variables that are needed behind them, and where the loop is left
        """
        done: list[list[ast.stmt]] = []
        for statement in reversed(statements):
            made, after = self._statement(statement, after, at_break)
            done.append(made)
        return [each for made in reversed(done) for each in made], after

    def _statement(
        self, statement: ast.stmt, after: Names, at_break: Names
    ) -> tuple[list[ast.stmt], Names]:
        match statement:
            case ast.If():
                return self._if(statement, after, at_break)
            case ast.For() | ast.While():
                return self._loop(statement, after)
            case ast.Break():
                return [statement], at_break
            case ast.Return() | ast.Raise():
                return [statement], self._used(statement)[0]
        read, written = self._used(statement)
        dead = (read | written) - after
        return [statement, *_deletion(dead, statement)], (after - written) | read

    def _if(self, statement: ast.If, after: Names, at_break: Names) -> tuple[list[ast.stmt], Names]:
        read, _ = self._used(statement.test)
        then, needed_then = self.block(statement.body, after, at_break)
        otherwise, needed_otherwise = self.block(statement.orelse, after, at_break)
        before = read | needed_then | needed_otherwise
        statement.body = _beginning(before - needed_then, then, statement)
        statement.orelse = _beginning(before - needed_otherwise, otherwise, statement)
        return [statement], before

    def _loop(self, statement: ast.For | ast.While, after: Names) -> tuple[list[ast.stmt], Names]:
        """Return a loop, followed by the deletion of what only its trips need."""
        target = self._target(statement)
        at_head = after | (self._first_reads(statement) - target)
        statement.body, needed = self.block(statement.body, at_head, at_head)
        statement.body = _beginning(target - needed, statement.body, statement)
        read = self._used(statement.iter)[0] if isinstance(statement, ast.For) else _NONE
        dead = (at_head | read) - after
        return [statement, *_deletion(dead, statement)], at_head | read

    def _first_reads(self, loop: ast.For | ast.While) -> Names:
        """Return the variables that a body may read before it assigns them; found out once."""
        found = self._read_first.get(loop)
        if found is None:
            found = self._read_first[loop] = self._needed(loop.body, _NONE)
        return found

    def _needed(self, statements: Sequence[ast.stmt], after: Names) -> Names:
        """Return the variables that are needed before statements."""
        for statement in reversed(statements):
            match statement:
                case ast.If():
                    sides = statement.body, statement.orelse
                    needed = (self._needed(side, after) for side in sides)
                    after = self._used(statement.test)[0].union(*needed)
                case ast.For() | ast.While():
                    after |= self._first_reads(statement) - self._target(statement)
                    if isinstance(statement, ast.For):
                        after |= self._used(statement.iter)[0]
                case ast.Break() | ast.Return() | ast.Raise():
                    after = self._used(statement)[0]
                case _:
                    read, written = self._used(statement)
                    after = (after - written) | read
        return after

    def _target(self, loop: ast.For | ast.While) -> Names:
        """Return the variable of a loop; `_` is a number there."""
        return self._used(loop.target)[1] - {"_"} if isinstance(loop, ast.For) else _NONE

    def _used(self, tree: ast.AST) -> tuple[Names, Names]:
        """Return the variables that an expression or a simple statement reads, and assigns."""
        read, written = set[str](), set[str]()
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name):
                if node.id in self.names:
                    (read if isinstance(node.ctx, ast.Load) else written).add(node.id)
                continue
            for name in node._fields:
                field = getattr(node, name)
                if isinstance(field, ast.AST):
                    waiting.append(field)
                elif isinstance(field, list):
                    waiting += [each for each in field if isinstance(each, ast.AST)]
        return frozenset(read), frozenset(written)


def _beginning(dead: Names, body: list[ast.stmt], place: ast.stmt) -> list[ast.stmt]:
    """Return the statements of a branch, before which these variables are deleted."""
    if body and isinstance(body[-1], (ast.Return, ast.Raise)):
        return body
    return [*_deletion(dead, place), *body]


def _deletion(dead: Iterable[str], place: ast.stmt) -> list[ast.stmt]:
    """Return `del a, b` at the beginning of a statement's location; nothing for no names."""
    names = sorted(dead)
    if not names:
        return []
    location: Location = {
        "lineno": place.lineno,
        "col_offset": place.col_offset,
        "end_lineno": place.end_lineno,
        "end_col_offset": place.end_col_offset,
    }
    targets: list[ast.expr] = [ast.Name(name, ast.Del(), **location) for name in names]
    return [ast.Delete(targets, **location)]
