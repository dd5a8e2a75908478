"""The blocks of statements hold all statements of a function, and breaks are of the right loop."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minits.source import SourceFile
from minits.syntax import parse_function, tree
from minits.syntax.blocks import Block, blocks_of, has_break, with_blocks

NESTED = """
def f(x, xs):
    if x:
        for y in xs:
            with y as z:
                while z:
                    pass
                else:
                    x = 1
        else:
            x = 2
    elif xs:
        try:
            x = 3
        finally:
            x = 4
    else:
        del x
    return x
"""
LOOPS = [
    ("while c:\n        break", True),
    ("while c:\n        if d:\n            pass\n        else:\n            break", True),
    ("while c:\n        with d:\n            break", True),
    ("while c:\n        for x in xs:\n            break", False),
    ("while c:\n        continue", False),
]


def body_of(text: str) -> Block:
    return parse_function(SourceFile("f.py", text)).body


def all_in(block: Block) -> Iterator[tree.stmt]:
    for statement in block:
        yield statement
        for inner in blocks_of(statement).values():
            yield from all_in(inner)


def test_blocks_hold_all_statements() -> None:
    body = body_of(NESTED)
    walked = [node for each in body for node in tree.walk(each) if isinstance(node, tree.stmt)]
    assert list(all_in(body)) == walked


def test_changed_blocks() -> None:
    (loop,) = body_of(
        "def f(c):\n    while c:\n        a = 1\n        b = 2\n    else:\n        a = 3\n"
    )
    changed = with_blocks(loop, lambda block: block[-1:])
    assert isinstance(loop, tree.While) and isinstance(changed, tree.While)
    assert (changed.body, changed.orelse) == (loop.body[1:], loop.orelse)
    assert with_blocks(loop.body[0], lambda block: ()) is loop.body[0]


@pytest.mark.parametrize(("loop", "expected"), LOOPS)
def test_breaks_are_of_the_innermost_loop(loop: str, expected: bool) -> None:
    (statement,) = body_of(f"def f(c, d, xs):\n    {loop}\n")
    assert isinstance(statement, tree.While)
    assert has_break(statement.body) == expected
