"""Annotations as a file would write them, with the names that it has."""

from __future__ import annotations

import builtins
import io
import linecache
import re
import tokenize
from functools import lru_cache


def spelled(annotation: str, filename: str) -> str:
    """Return the text of a type with the names that a file has: `list[int]` without `List`."""
    lacking = set(_NAMES) - _names_of(filename)
    optional = re.fullmatch(r"Optional\[(.+)\]", annotation)
    if optional is not None and "Optional" in lacking:
        annotation = f"{optional[1]} | None"
    for name in lacking & {"List", "Dict", "Tuple"}:
        annotation = re.sub(rf"\b{name}\b", name.lower(), annotation)
    if "Tensor" in lacking:
        annotation = re.sub(r"(?<!\.)\bTensor\b", "torch.Tensor", annotation)
    return annotation


def known_in(annotation: str, filename: str) -> bool:
    """Return whether a file has all names of an annotation; builtins count as known."""
    words = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", annotation)) - set(vars(builtins))
    return words <= _names_of(filename)


def _names_of(filename: str) -> frozenset[str]:
    """Return the names in a file's code: none of comments and strings, nor `b` of `a.b`."""
    return _names_in("".join(linecache.getlines(filename)))


@lru_cache(maxsize=32)
def _names_in(text: str) -> frozenset[str]:
    found: set[str] = set()
    last = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and last != ".":
                found.add(token.string)
            last = token.string
    except (SyntaxError, tokenize.TokenError):  # what comes before a fault counts
        pass
    return frozenset(found)


_NAMES = ("List", "Dict", "Tuple", "Optional", "Tensor")
