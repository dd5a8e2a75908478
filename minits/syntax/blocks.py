"""The blocks of a statement: the sequences of statements that are its fields.

if c:             body = (x = 1,)
    x = 1
else:             orelse = (x = 2,)
    x = 2
"""

from __future__ import annotations

from collections.abc import Callable

from minits.syntax import tree

Block = tuple[tree.stmt, ...]


def blocks_of(statement: tree.stmt) -> dict[str, Block]:
    """Return the blocks of a statement that are not empty, by the names of their fields."""
    names: tuple[str, ...] = statement.__match_args__
    fields = {name: getattr(statement, name) for name in names}
    return {
        name: value
        for name, value in fields.items()
        if value.__class__ is tuple and value and isinstance(value[0], tree.stmt)
    }


def with_blocks(statement: tree.stmt, change: Callable[[Block], Block]) -> tree.stmt:
    """Return a statement with its blocks changed; one that has none as it is."""
    changed = {name: change(block) for name, block in blocks_of(statement).items()}
    return tree.replaced(statement, **changed) if changed else statement


def has_break(body: Block) -> bool:
    """Return whether a block leaves the loop that has it; breaks of loops within are their own."""
    return any(
        isinstance(each, tree.Break)
        or (not is_loop(each) and any(map(has_break, blocks_of(each).values())))
        for each in body
    )


def is_loop(statement: tree.stmt) -> bool:
    """Return whether `break` and `continue` in its body are of this statement."""
    return isinstance(statement, (tree.For, tree.While))
