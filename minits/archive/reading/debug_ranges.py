"""The ranges of a program that an archive's code stands for, read from `code/....py.debug_pkl`.

The nodes of a loaded graph get the ranges that they had where it was saved, so that graphs, errors
and tracebacks show the program and not the archive. The record is a help and no more: one that is
missing or damaged says nothing, and the ranges are those in the archive's code.

Source: torch/csrc/jit/serialization/source_range_serialization.cpp
(`ConcreteSourceRangeUnpickler`, `SourceRangeDeserializer`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import ListOf
from minits.archive.pickling.reader import read_pickle
from minits.frontend.values.function import CompiledFunction
from minits.identity import Identity
from minits.ir.graph import Graph
from minits.ir.named_devices import Moved, move_devices
from minits.source import SourceFile, SourceRange
from minits.types.types import Type

_FORMAT = "FORMAT_WITH_STRING_TABLE"
_LONGEST_SOURCE = 2**26
"""In characters: a source may name one text any number of times."""
_FILE = re.compile(r".*\.py|<.*>", re.DOTALL)


class RangeTable:
    """The ranges of one code record: from `starts[n]` on, its code stands for `ranges[n]`."""

    def __init__(self, starts: list[int], ranges: list[SourceRange]) -> None:
        self.starts, self.ranges = starts, ranges

    def original(self, loc: SourceRange) -> SourceRange:
        """Return the program's range for a range of the code; the latter if there is none."""
        index = bisect_right(self.starts, loc.start) - 1
        return self.ranges[index] if index >= 0 else loc


NO_RANGES = RangeTable([], [])


def read_ranges(container: Container, record: str) -> RangeTable:
    """Return the ranges of a code record: none if they are not there, or damaged."""
    name = f"{record}.debug_pkl"
    if name not in container:
        return NO_RANGES
    try:
        found = read_pickle(container.read(name), name, container.limits)
        return _Reader().read(found)
    except (ArchiveError, ValueError, TypeError, IndexError):
        return NO_RANGES


class _Reader:
    """Unpacks the values of a record; a malformed one raises `ValueError` or the like."""

    def __init__(self) -> None:
        self.texts: tuple[Any, ...] = ()
        self.sources: dict[Identity, SourceFile] = {}

    def read(self, found: Any) -> RangeTable:
        """Return the ranges of an unpickled record. Raises ValueError if it is malformed."""
        records = found
        if found[0] == _FORMAT:
            _, self.texts, records = found
        starts, ranges = [], []
        for offset, mapped, *_ in records:
            starts.append(_whole(offset))
            ranges.append(self._range(*mapped))
        if starts != sorted(starts):
            raise ValueError("the ranges are in no order")
        return RangeTable(starts, ranges)

    def _range(self, source: Any, start: Any, end: Any) -> SourceRange:
        file = self.sources.get(Identity(source))
        if file is None:
            file = self.sources[Identity(source)] = self._source(*source)
        begin, finish = (_characters(file.text, _whole(offset)) for offset in (start, end))
        return SourceRange(file, begin, max(begin, finish))

    def _source(self, lines: Any, filename: Any, first_line: Any) -> SourceFile:
        """Older archives hold the text and the name themselves.

        Python opens the file to show its lines, so a name that is not that of a program is dropped.
        """
        if isinstance(lines, ListOf):
            parts = [self._text(number) for number in lines.items]
            if sum(map(len, parts)) > _LONGEST_SOURCE:
                raise ValueError("the source is too long")
            lines = "".join(parts)
            filename = self._text(filename)
        if not isinstance(lines, str):
            raise ValueError("the source is no text")
        is_file = isinstance(filename, str) and _FILE.fullmatch(filename)
        return SourceFile(filename if is_file else "<unknown>", lines, max(1, _whole(first_line)))

    def _text(self, number: Any) -> str:
        text = self.texts[_whole(number)]
        if not isinstance(text, str):
            raise ValueError("this is no text")
        return text


def _whole(number: Any) -> int:
    if not isinstance(number, int) or number < 0:
        raise ValueError("this is no position")
    return number


def _characters(text: str, offset: int) -> int:
    """Return the number of characters in the first `offset` bytes of a text."""
    if text.isascii():
        return min(offset, len(text))
    return len(text.encode("utf-8", "surrogateescape")[:offset].decode("utf-8", "ignore"))


class ArchiveFunction(CompiledFunction):
    """A function whose graph gets source ranges of the program it was saved from."""

    is_of_archive = True
    ranges = NO_RANGES
    moved: Moved | None = None
    """Tells the devices that stand in place of those that the code names."""
    limited: Callable[[Type, str, int], Type] | None = None
    """Checks the size of a type, given its record and offset."""

    def limit_type(self, type: Type, loc: SourceRange | None) -> None:
        """Raise `ArchiveError` for a type with more parts than the limits allow."""
        loc = self.definition.range if loc is None else loc
        if self.limited is not None:
            self.limited(type, loc.source.filename, loc.start)

    def after_definition(self, graph: Graph) -> None:
        _relocate(graph, self.definition.range.source, self.ranges)
        if self.moved is not None:
            move_devices(graph, self.moved)


def _relocate(graph: Graph, code: SourceFile, ranges: RangeTable) -> None:
    for node in graph.all_nodes():
        if node.range is not None and node.range.source is code:
            node.range = ranges.original(node.range)
        inner = node.get("Subgraph")
        if inner is not None:
            _relocate(inner, code, ranges)
