"""The `else` of a loop, written with a variable and an if.

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

from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.blocks import Block, is_loop, with_blocks
from minits.syntax.extensions.fresh_names import FreshNames


def without_loop_else(definition: tree.FunctionDef, names: FreshNames) -> tree.FunctionDef:
    """Return a function that means the same, whose loops have no `else`."""
    loops = (tree.For, tree.While)
    if not any(isinstance(node, loops) and node.orelse for node in tree.walk(definition)):
        return definition
    return tree.replaced(definition, body=_Rewriter(names).block(definition.body))


class _Rewriter:
    def __init__(self, names: FreshNames) -> None:
        self._names = names

    def block(self, block: Block) -> Block:
        return tuple(made for statement in block for made in self._statement(statement))

    def _statement(self, statement: tree.stmt) -> Block:
        if isinstance(statement, (tree.For, tree.While)) and statement.orelse:
            return self._loop_with_else(statement)
        return (with_blocks(statement, self.block),)

    def _loop_with_else(self, loop: tree.For | tree.While) -> Block:
        loc, name = loop.range, self._names.new("_searched")
        body = _noting_breaks(self.block(loop.body), name)
        plain = tree.replaced(loop, body=body, orelse=())
        test = tree.If(loc, tree.Name(loc, name), self.block(loop.orelse), ())
        return (_assignment(loc, name, True), plain, test)


def _noting_breaks(block: Block, name: str) -> Block:
    """Before each break of the loop that has the block, make the variable false."""
    made: list[tree.stmt] = []
    for statement in block:
        if isinstance(statement, tree.Break):
            made += [_assignment(statement.range, name, False), statement]
        elif is_loop(statement):  # a break in a loop within is that loop's own
            made.append(statement)
        else:
            made.append(with_blocks(statement, lambda inner: _noting_breaks(inner, name)))
    return tuple(made)


def _assignment(loc: SourceRange, name: str, value: bool) -> tree.Assign:
    return tree.Assign(loc, (tree.Name(loc, name),), tree.Constant(loc, value, None), None)
