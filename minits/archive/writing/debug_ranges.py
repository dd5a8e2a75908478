"""The ranges of the program that code stands for, as `code/....py.debug_pkl` holds them.

    ("FORMAT_WITH_STRING_TABLE",
     ("", "model.py", "def f(x):\\n", "    return -x\\n"),   the texts
     ((14, (([2, 3], 1, 7), 14, 23), 0), ...))             offset in the code, range, its number

A range is a source, its begin and its end; a source is its lines, its file name (both as numbers of
texts) and the number of its first line. All positions count bytes. Neighbours have other ranges.

Source: torch/csrc/jit/serialization/source_range_serialization.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.archive.pickling.writer import (
    APPENDS,
    EMPTY_LIST,
    MARK,
    REDUCE,
    TUPLE,
    PickleWriter,
)
from minits.archive.printing.source_map import MappedRange
from minits.source import SourceFile, SourceRange

_FORMAT = "FORMAT_WITH_STRING_TABLE"


def pickle_ranges(ranges: Sequence[MappedRange]) -> bytes:
    """Return the pickled ranges of one file."""
    return _RangePickler().pickle(ranges)


class _RangePickler:
    def __init__(self) -> None:
        self.out = PickleWriter()
        self.texts = {"": 0}
        self.sources: dict[SourceFile, list[int]] = {}
        self.ranges: dict[SourceRange, int] = {}

    def pickle(self, ranges: Sequence[MappedRange]) -> bytes:
        for mapped in ranges:
            self._collect(mapped.range.source)
        self.out.string(_FORMAT)
        self.out.op(MARK)
        for text in self.texts:
            self.out.string(text)
        self.out.op(TUPLE + MARK)
        for offset, loc in _without_repetitions(ranges):
            self.out.integer(offset)
            self._range(loc)
            self.out.integer(self.ranges.setdefault(loc, len(self.ranges)))
            self.out.tuple_of(3)
        self.out.op(TUPLE)
        self.out.tuple_of(3)
        return self.out.finish()

    def _collect(self, source: SourceFile) -> None:
        if source not in self.sources:
            lines = source.text.splitlines(keepends=True)
            self.sources[source] = [self._number(text) for text in [*lines, source.filename]]

    def _number(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _range(self, loc: SourceRange) -> None:
        self._source(loc.source)
        self.out.integer(_bytes_before(loc.source, loc.start))
        self.out.integer(_bytes_before(loc.source, loc.end))
        self.out.tuple_of(3)

    def _source(self, source: SourceFile) -> None:
        if self.out.recall(source):
            return
        *lines, filename = self.sources[source]
        self.out.global_("torch.jit._pickle", "build_intlist")
        self.out.op(MARK + EMPTY_LIST + MARK)
        for number in lines:
            self.out.integer(number)
        self.out.op(APPENDS + TUPLE + REDUCE)
        self.out.integer(filename)
        self.out.integer(source.first_line)
        self.out.tuple_of(3)
        self.out.remember(source)


def _without_repetitions(ranges: Sequence[MappedRange]) -> Iterator[MappedRange]:
    before = None
    for mapped in ranges:
        if mapped.range != before:
            yield mapped
        before = mapped.range


def _bytes_before(source: SourceFile, offset: int) -> int:
    before = source.text[:offset]
    return len(before) if before.isascii() else len(before.encode("utf-8", "surrogatepass"))
