"""Where torch says that a tree node is.

CPython places an operation at its first parenthesis; torch's front end places it at its leftmost
operand, and some statements at their value. IR is compared with its ranges, so the places are
torch's; the end is CPython's.

Source: torch/jit/frontend.py (the `build_` methods) and tree.h (`mergeRanges`).
"""

from __future__ import annotations

from minits.source import SourceRange
from minits.syntax import tree


def origin(node: tree.Node) -> SourceRange:
    """Return the range that IR nodes emitted for `node` carry."""
    source, start, end = node.range
    leftmost = _start(node)
    return node.range if leftmost == start else SourceRange(source, leftmost, end)


def _start(node: tree.Node) -> int:
    while True:
        match node:
            case tree.BinOp(left=first) | tree.Compare(left=first):
                node = first
            case tree.Call(func=first) | tree.IfExp(body=first):
                node = first
            case tree.Attribute(value=first) | tree.Subscript(value=first):
                node = first
            case tree.BoolOp(values=(first, *_)) | tree.Assign(targets=(first, *_)):
                node = first
            case tree.AugAssign(target=first) | tree.AnnAssign(target=first):
                node = first
            case tree.Expr(value=first):
                node = first
            case _:
                return node.range.start


def between(first: tree.Node, last: tree.Node) -> SourceRange:
    """Return the range from the begin of `first` to the end of `last`."""
    return SourceRange(first.range.source, _start(first), last.range.end)
