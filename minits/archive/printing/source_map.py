"""The source map of printed code: from its parts to ranges of the program.

    x0 = torch.add(torch.neg(x), y)     model.py:7, x = -x + y
                   ^^^^^^^^^^^^         model.py:7, -x

A place holds from its offset to that of the next one.

Source: torch/csrc/jit/serialization/source_range_serialization.h (`TaggedRange`),
python_print.cpp (`TaggedStringStream`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from minits.ir.graph import Node, Value
from minits.source import SourceRange


class Place(NamedTuple):
    """A range of the program, which printed code from the character `offset` on stands for."""

    offset: int
    range: SourceRange


class PlacedText(NamedTuple):
    """Printed code and its places, in order."""

    text: str
    places: tuple[Place, ...] = ()


def joined(parts: Iterable[PlacedText]) -> PlacedText:
    texts: list[str] = []
    places: list[Place] = []
    length = 0
    for text, own in parts:
        places += [Place(length + place.offset, place.range) for place in own]
        texts.append(text)
        length += len(text)
    return PlacedText("".join(texts), tuple(places))


class Statement(NamedTuple):
    """A line of code: where its text begins, and the node that it was printed for."""

    offset: int
    text: str
    node: Node


def places_of(statements: Iterable[Statement], texts: Mapping[Value, str]) -> tuple[Place, ...]:
    """Return the places of statements.

    texts: the expressions of the values that were not assigned but written where they are used.
    """
    return tuple(place for statement in statements for place in _places(*statement, texts))


def _places(offset: int, text: str, node: Node, texts: Mapping[Value, str]) -> Iterator[Place]:
    """The operands are written in order: each is looked for after the one before."""
    if node.range is not None:
        yield Place(offset, node.range)
    behind = 0
    for value in node.inputs:
        begin = text.find(texts[value], behind) if value in texts else -1
        if begin < 0 or not value.node.inputs:
            continue
        yield from _places(offset + begin, texts[value], value.node, texts)
        behind = begin + len(texts[value])
        if node.range is not None:
            yield Place(offset + behind, node.range)
