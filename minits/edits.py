"""Edits: changes of a source text that mend a fault.

    x = 2y          the replacement of the characters `2y` by `2 * y`
    xs = []         the insertion of `: List[int]` at the empty range behind `xs`

`minits.cures` applies them to texts. The words are those of ruff, which tells safe edits from
unsafe ones in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

from minits.source import SourceRange


class Replacement(NamedTuple):
    """The text that takes the place of a range: an insertion if the range is empty."""

    range: SourceRange
    text: str


class Edit(NamedTuple):
    """Replacements that mend a fault when all of them are made; their ranges do not overlap.

    A safe edit keeps what the program does when Python runs it; an unsafe one is a guess at what
    was meant.
    """

    replacements: tuple[Replacement, ...]
    is_safe: bool = True

    @property
    def applicability(self) -> str:
        """ruff's word for how far the edit can be trusted."""
        return "safe" if self.is_safe else "unsafe"


def replacing(range: SourceRange, text: str, *, is_safe: bool = True) -> Edit:
    """Return the edit that puts a text in the place of a range."""
    return Edit((Replacement(range, text),), is_safe)


def inserting(
    range: SourceRange, *, before: str = "", after: str = "", is_safe: bool = True
) -> Edit:
    """Return the edit that writes texts before and after a range."""
    source, start, end = range
    texts = ((SourceRange(source, start, start), before), (SourceRange(source, end, end), after))
    return Edit(tuple(Replacement(*each) for each in texts if each[1]), is_safe)
