"""The source ranges that torch gives to tree nodes.

To CPython an operation begins at its first parenthesis; to torch's front end at its leftmost
operand, and some statements at their value. IR is compared with its ranges, so they begin where
torch's do; the end is CPython's.

Source: torch/jit/frontend.py (the `build_` methods) and tree.h (`mergeRanges`).
"""

from __future__ import annotations

from minits.source import SourceRange
from minits.syntax import tree


def origin(node: tree.Node) -> SourceRange:
    """Return the range that IR nodes emitted for `node` carry."""
    if node.__class__ not in _LEFTMOST:
        return node.range
    source, start, end = node.range
    if not source.text.startswith("(", start):
        return node.range  # the leftmost operand begins there, too
    return SourceRange(source, _start(node), end)


_LEFTMOST: dict[type[tree.Node], str] = {
    tree.BinOp: "left",
    tree.Compare: "left",
    tree.Call: "func",
    tree.IfExp: "body",
    tree.Attribute: "value",
    tree.Subscript: "value",
    tree.BoolOp: "values",
    tree.Assign: "targets",
    tree.AugAssign: "target",
    tree.AnnAssign: "target",
    tree.Expr: "value",
}
"""The field of a node with which its text begins; of several, the first one's."""


def _start(node: tree.Node) -> int:
    while True:
        field = _LEFTMOST.get(node.__class__)
        if field is None:
            return node.range.start
        first = getattr(node, field)
        node = first[0] if first.__class__ is tuple else first


def between(first: tree.Node, last: tree.Node) -> SourceRange:
    """Return the range from the begin of `first` to the end of `last`."""
    return SourceRange(first.range.source, _start(first), last.range.end)
