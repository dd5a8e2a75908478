"""Lists and dicts that several attributes have, or that are in several lists, dicts and tuples.

    self.rows = [[1], self.row]          the list of the first slot, `rows`, has at place 1 the one
                                         that is the second slot, `row`

The library makes each slot of its constant (`state.py`), and lets the second place have the first
one's list then (`mts_share`), so that what a method appends to one is in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from minits.native_build.tables import array

Path = tuple[int, ...]
"""The way to a value: the number of a slot, and those of `items` in each `mts_list` from there."""
_WORDS_OF_ENTRY = 3
"""A dict has a key, a value and a hash for each entry."""


def shared_places(values: Sequence[Any]) -> list[tuple[Path, Path]]:
    """Return the places where a list or dict is met again, each after the one where it was first.

    values: those of all slots
    """
    first: dict[int, Path] = {}
    found: list[tuple[Path, Path]] = []

    def walk(value: Any, path: Path) -> None:
        if isinstance(value, (list, dict)):
            known = first.setdefault(id(value), path)
            if known is not path:
                found.append((known, path))
                return
        for number, item in _items(value):
            walk(item, (*path, number))

    for number, value in enumerate(values):
        walk(value, (number,))
    return found


def _items(value: Any) -> Iterator[tuple[int, Any]]:
    """Yield the items of a list or a tuple, or the values of a dict, with their places in C."""
    if isinstance(value, dict):
        for number, item in enumerate(value.values()):
            yield _WORDS_OF_ENTRY * number + 1, item
    elif isinstance(value, (list, tuple)):
        yield from enumerate(value)


def sharing_tables(places: Sequence[tuple[Path, Path]]) -> list[str]:
    """Return the tables of places by which `mts_share` (`c/models.c`) goes, if there are any."""
    if not places:
        return []
    lines = [
        f"static const int64_t mts_{which}_{number}[] = {{{', '.join(map(str, path))}, -1}};"
        for number, pair in enumerate(places)
        for which, path in zip(("first", "second"), pair, strict=True)
    ]
    rows = [f"{{mts_first_{number}, mts_second_{number}}}" for number in range(len(places))]
    return [*lines, *array("mts_shared_places mts_shared", rows)]
