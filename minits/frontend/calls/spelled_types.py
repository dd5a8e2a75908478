"""Annotations as a file would write them, with the names that it has."""

from __future__ import annotations

import builtins
import linecache
import re


def spelled(annotation: str, filename: str) -> str:
    """Return the text of a type with the names that a file has: `list[int]` without `List`."""
    text = "".join(linecache.getlines(filename))
    lacking = {name for name in _NAMES if re.search(rf"\b{name}\b", text) is None}
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
    text = "".join(linecache.getlines(filename))
    words = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", annotation)) - set(vars(builtins))
    return all(re.search(rf"\b{word}\b", text) for word in words)


_NAMES = ("List", "Dict", "Tuple", "Optional", "Tensor")
