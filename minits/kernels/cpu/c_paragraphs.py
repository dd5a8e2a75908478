"""Files of C whose paragraphs are each a function, with the comment before it.

Texts of C are given the paragraphs that they name, and those that these name, nothing else: the
mathematics of kernels (`c_math`), the helpers of programs as C (`minits/native/c`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_COMMENT = re.compile(r"//.*")
_BETWEEN = re.compile(r"\n\s*\n")
_FUNCTION = re.compile(r"^(?!//)[^\n(=]*?\b(mts_\w+)\(", re.MULTILINE)
"""The head of a function, whose type may have such a name as well."""
_VALUE = re.compile(r"^(?!//)[^\n(=]*?\b(mts_\w+)", re.MULTILINE)


def paragraphs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of a file without `.c`, and a paragraph of it, for all in a folder."""
    for path in sorted(folder.glob("*.c")):
        for paragraph in paragraphs_of(path):
            yield path.stem, paragraph


def paragraphs_of(path: Path) -> list[str]:
    """Return the paragraphs of a file."""
    return _BETWEEN.split(path.read_text(encoding="utf-8").strip())


def defined_in(paragraph: str) -> str | None:
    """Return the name of what a paragraph defines: `mts_sin_f64`."""
    defined = _FUNCTION.search(paragraph) or _VALUE.search(paragraph)
    return None if defined is None else defined[1]


def with_those_named(
    names: Iterable[str],
    definition_of: Callable[[str], str | None],
    named_in: Callable[[str], Iterable[str]],
) -> list[str]:
    """Return the definitions of these names, after those that they name themselves, once each.

    definition_of: gives the definition of a name, and nothing for a name that needs none
    named_in: finds names in C text, which has no comments then
    """
    needed: dict[str, str] = {}

    def need(name: str) -> None:
        text = None if name in needed else definition_of(name)
        if not text:
            return
        for other in named_in(_COMMENT.sub("", text)):
            if other != name:
                need(other)
        needed[name] = text

    for name in names:
        need(name)
    return [*needed.values()]
