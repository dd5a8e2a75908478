"""Copies of values in lists and dicts of their own."""

from __future__ import annotations

from typing import Any


def copied(content: Any) -> Any:
    """Return a value in lists and dicts of its own; tensors and objects stay."""
    if isinstance(content, list):
        return [copied(item) for item in content]
    if isinstance(content, dict):
        return {key: copied(item) for key, item in content.items()}
    if isinstance(content, tuple):
        items = [copied(item) for item in content]
        return type(content)._make(items) if hasattr(content, "_make") else tuple(items)
    return content
