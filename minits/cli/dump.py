"""A syntax tree as text, one node a line."""

from __future__ import annotations

from typing import Any

from minits.syntax import tree


def dump_tree(node: tree.Node) -> str:
    """Return the tree as indented lines: class, simple fields, `line:column`."""
    lines: list[str] = []
    _dump(node, 0, "", lines)
    return "\n".join(lines)


def _dump(node: tree.Node, level: int, label: str, lines: list[str]) -> None:
    names = [name for name in type(node).__match_args__ if name != "range"]
    simple = {name: getattr(node, name) for name in names if not _is_nested(getattr(node, name))}
    shown = " ".join(
        f"{name}={value!r}" for name, value in simple.items() if value not in (None, ())
    )
    line, column = node.range.begin
    head = f"{'  ' * level}{label}{type(node).__name__}"
    lines.append(f"{head} {shown}".rstrip() + f"  @{line}:{column + 1}")
    for name in names:
        value = getattr(node, name)
        if isinstance(value, tree.Node):
            _dump(value, level + 1, f"{name}: ", lines)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, tree.Node):
                    _dump(item, level + 1, f"{name}: ", lines)


def _is_nested(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(isinstance(item, tree.Node) for item in value)
    return isinstance(value, tree.Node)
