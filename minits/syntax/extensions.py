"""What only the extended dialect has, written in statements of the language.

    for x in xs:                          searched = True
        if x > 0:                         for x in xs:
            break                             if x > 0:
    else:                  becomes                searched = False
        x = 0                                     break
                                          if searched:
                                              x = 0

The variable's name begins with `_searched`, and is one that the function does not use.
"""

from __future__ import annotations

from itertools import count

from minits.source import SourceRange
from minits.syntax import tree

Statements = tuple[tree.stmt, ...]


def without_extensions(definition: tree.FunctionDef) -> tree.FunctionDef:
    """Return a function that means the same, without the extended dialect's statements."""
    return _Rewriter(definition).rewrite(definition)


class _Rewriter:
    def __init__(self, definition: tree.FunctionDef) -> None:
        self._used = {node.id for node in tree.walk(definition) if isinstance(node, tree.Name)}
        self._used |= {node.arg for node in tree.walk(definition) if isinstance(node, tree.arg)}

    def rewrite(self, definition: tree.FunctionDef) -> tree.FunctionDef:
        loops = (tree.For, tree.While)
        if not any(isinstance(node, loops) and node.orelse for node in tree.walk(definition)):
            return definition
        return tree.replaced(definition, body=self._block(definition.body))

    def _block(self, block: Statements) -> Statements:
        return tuple(made for statement in block for made in self._statement(statement))

    def _statement(self, statement: tree.stmt) -> Statements:
        match statement:
            case tree.For() | tree.While() if statement.orelse:
                return self._loop_with_else(statement)
            case tree.For() | tree.While() | tree.With():
                return (tree.replaced(statement, body=self._block(statement.body)),)
            case tree.If(body=body, orelse=orelse):
                inner = {"body": self._block(body), "orelse": self._block(orelse)}
                return (tree.replaced(statement, **inner),)
        return (statement,)

    def _loop_with_else(self, loop: tree.For | tree.While) -> Statements:
        where, name = loop.range, self._new_name()
        body = _noting_breaks(self._block(loop.body), name)
        plain = tree.replaced(loop, body=body, orelse=())
        test = tree.If(where, tree.Name(where, name), self._block(loop.orelse), ())
        return (_assignment(where, name, True), plain, test)

    def _new_name(self) -> str:
        name = next(n for n in map("_searched{}".format, count()) if n not in self._used)
        self._used.add(name)
        return name


def _noting_breaks(block: Statements, name: str) -> Statements:
    """Before each break of the loop that has the block, make the variable false."""
    made: list[tree.stmt] = []
    for statement in block:
        match statement:
            case tree.Break():
                made += [_assignment(statement.range, name, False), statement]
            case tree.If(body=body, orelse=orelse):
                inner = {"body": _noting_breaks(body, name), "orelse": _noting_breaks(orelse, name)}
                made.append(tree.replaced(statement, **inner))
            case tree.With(body=body):
                made.append(tree.replaced(statement, body=_noting_breaks(body, name)))
            case _:  # a break in a loop within is that loop's own
                made.append(statement)
    return tuple(made)


def _assignment(where: SourceRange, name: str, value: bool) -> tree.Assign:
    return tree.Assign(where, (tree.Name(where, name),), tree.Constant(where, value, None), None)
