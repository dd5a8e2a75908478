"""Files of C whose paragraphs are each a function, with the comment before it.

Texts of C are given the paragraphs that they name, and those that these name, nothing else: the
mathematics of kernels (`c_math`), the helpers of programs as C (`minits/native/c`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path


def paragraphs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of a file without `.c`, and a paragraph of it, for all in a folder."""
    for path in sorted(folder.glob("*.c")):
        for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
            yield path.stem, paragraph


def defined_in(paragraph: str) -> str | None:
    """Return the name of what a paragraph defines: `mts_sin_f64`."""
    for called in (r"\(", ""):  # a function, whose type may have such a name as well, or a value
        defined = re.search(rf"^(?!//)[^\n(=]*?\b(mts_\w+){called}", paragraph, re.MULTILINE)
        if defined is not None:
            return defined[1]
    return None


def with_those_named(
    names: Iterable[str],
    definitions: Mapping[str, str],
    named_in: Callable[[str], Iterable[str]],
) -> list[str]:
    """Return the definitions of these names, after those that they name themselves, once each.

    `named_in` finds names in C text, which has no comments then. Raises KeyError for a name without
    a definition.
    """
    needed: dict[str, str] = {}

    def need(name: str) -> None:
        if name not in needed:
            text = definitions[name]
            for other in named_in(re.sub(r"//.*", "", text)):
                if other != name:
                    need(other)
            needed[name] = text

    for name in names:
        need(name)
    return [*needed.values()]
