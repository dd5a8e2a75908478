"""The source map of printed code: from its parts to ranges of the program.

    x0 = torch.add(torch.neg(x), y)     model.py:7, x = -x + y
                   ^^^^^^^^^^^^         model.py:7, -x

A range holds from its offset to that of the next one.

Source: torch/csrc/jit/serialization/source_range_serialization.h (`TaggedRange`),
python_print.cpp (`TaggedStringStream`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from minits.ir.graph import Node, Value
from minits.source import SourceRange


class MappedRange(NamedTuple):
    """A range of the program, which printed code from the character `offset` on stands for."""

    offset: int
    range: SourceRange


class MappedText(NamedTuple):
    """Printed code and its ranges, in order."""

    text: str
    ranges: tuple[MappedRange, ...] = ()


def joined(parts: Iterable[MappedText]) -> MappedText:
    texts: list[str] = []
    ranges: list[MappedRange] = []
    length = 0
    for text, own in parts:
        ranges += [MappedRange(length + mapped.offset, mapped.range) for mapped in own]
        texts.append(text)
        length += len(text)
    return MappedText("".join(texts), tuple(ranges))


class Statement(NamedTuple):
    """A line of code: where its text begins, and the node that it was printed for."""

    offset: int
    text: str
    node: Node


def mapped_ranges(
    statements: Iterable[Statement], texts: Mapping[Value, str]
) -> tuple[MappedRange, ...]:
    """Return the ranges of statements.

    texts: the expressions of the values that were not assigned but written where they are used.
    """
    return tuple(mapped for statement in statements for mapped in _ranges_of(*statement, texts))


def _ranges_of(
    offset: int, text: str, node: Node, texts: Mapping[Value, str]
) -> Iterator[MappedRange]:
    """The operands are written in order: each is looked for after the one before."""
    if node.range is not None:
        yield MappedRange(offset, node.range)
    behind = 0
    for value in node.inputs:
        begin = text.find(texts[value], behind) if value in texts else -1
        if begin < 0 or not value.node.inputs:
            continue
        yield from _ranges_of(offset + begin, texts[value], value.node, texts)
        behind = begin + len(texts[value])
        if node.range is not None:
            yield MappedRange(offset + behind, node.range)
