"""Numbers in texts: torch's own parser reads `-1` as one constant, Python's as a negation of 1."""

from __future__ import annotations

from typing import Any, TypeVar

from minits.syntax import tree

N = TypeVar("N", bound=tree.Node)


def with_signed_numbers(root: N) -> N:
    """Return a tree in which `-1` is one constant."""
    if (
        isinstance(root, tree.UnaryOp)
        and root.op == "-"
        and isinstance(root.operand, tree.Constant)
    ):
        number = root.operand.value
        if isinstance(number, (int, float, complex)) and not isinstance(number, bool):
            return tree.replaced(root.operand, value=-number)  # type: ignore[return-value]
    names: tuple[str, ...] = root.__match_args__
    changes: dict[str, Any] = {}
    for name in names[1:]:  # all but the range
        value = getattr(root, name)
        if isinstance(value, tree.Node):
            signed = with_signed_numbers(value)
            if signed is not value:
                changes[name] = signed
        elif type(value) is tuple:
            items = [with_signed_numbers(x) if isinstance(x, tree.Node) else x for x in value]
            if any(new is not old for new, old in zip(items, value, strict=True)):
                changes[name] = tuple(items)
    return tree.replaced(root, **changes) if changes else root
