"""The canonical text of graphs and code: what two implementations must agree on, and no more.

Three levels, each a function of the fullest text, so that one recorded text serves all:

    names       %y.1 : int = aten::add(%x.1, %2) # functions/add.py:5:11
    ranges      %1 : int = aten::add(%0, %2) # functions/add.py:5:11
    structure   %1 : int = aten::add(%0, %2)

Made independent of the place and the process: file names (relative to the cases, or to the folder
that holds torch) and the numbers of `___torch_mangle_7` (counted by first appearance).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

LEVELS = ("structure", "ranges", "names")

_STRING = r'"(?:\\.|[^"\\])*"'
_VALUE = r"%[\w.]+"
_RANGE = r" # (?:(?P<file>[^\n]*?):(?P<place>\d+:\d+))$"
_GRAPH_TOKEN = re.compile(f"(?P<string>{_STRING})|(?P<value>{_VALUE})|(?P<range>{_RANGE})", re.M)
_MANGLE = re.compile(r"___torch_mangle_(\d+)")
_INNER_GRAPH = re.compile(r"(?m)^(?=with prim::\w+ = graph\()")

Rewrite = Callable[[re.Match[str]], str]


def at_level(text: str, level: str) -> str:
    """`text`, a graph printed in full, reduced to what `level` compares."""
    if level == "names":
        return text
    text = number_values(text)
    return strip_ranges(text) if level == "structure" else text


def number_values(text: str) -> str:
    """Rename the values of each graph %0, %1, ... in the order in which its text names them."""
    return "".join(map(_number, _INNER_GRAPH.split(text)))


def _number(text: str) -> str:
    numbers: dict[str, str] = {}

    def rename(match: re.Match[str]) -> str:
        name = match["value"]
        return numbers.setdefault(name, f"%{len(numbers)}") if name else match[0]

    return _GRAPH_TOKEN.sub(rename, text)


def strip_ranges(text: str) -> str:
    """Drop the source range that ends a line."""
    return _GRAPH_TOKEN.sub(lambda match: "" if match["range"] else match[0], text)


def mask_foreign_ranges(text: str, prefix: str = "torch/") -> str:
    """Hide the line numbers within torch's own files, which another torch has elsewhere."""

    def mask(match: re.Match[str]) -> str:
        hidden = match["range"] and match["file"].startswith(prefix)
        return f" # {match['file']}" if hidden else match[0]

    return _GRAPH_TOKEN.sub(mask, text)


class Normaliser:
    """Rewrites the texts of one observation: places and mangled names."""

    def __init__(self, roots: dict[Path, str]) -> None:
        """`roots`: folders, and what to print in their stead."""
        self._roots = {
            f"{spelling}/": prefix
            for folder, prefix in roots.items()
            for spelling in (folder, folder.resolve())
        }
        self._mangles: dict[str, str] = {}

    def graph(self, text: str) -> str:
        def relocate(match: re.Match[str]) -> str:
            if not match["range"]:
                return match[0]
            return f" # {self.file(match['file'])}:{match['place']}"

        return self.names(_GRAPH_TOKEN.sub(relocate, text)).rstrip()

    def file(self, name: str) -> str:
        for folder, prefix in self._roots.items():
            if name.startswith(folder):
                return prefix + name[len(folder) :]
        return name

    def names(self, text: str) -> str:
        """Number torch's mangled names by first appearance."""

        def renumber(match: re.Match[str]) -> str:
            number = self._mangles.setdefault(match[1], str(len(self._mangles)))
            return f"___torch_mangle_{number}"

        return _MANGLE.sub(renumber, text)
