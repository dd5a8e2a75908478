"""The Python function of a node, as generated code calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.ir.in_place import is_marked
from minits.ir.in_place_forms import replacement
from minits.ops.evaluate import evaluator
from minits.ops.properties import NodeLike


def function_of(node: NodeLike) -> Callable[..., Any]:
    """Return a function from a node's inputs to its outputs. Raises LookupError."""
    return replacement(node) if is_marked(node) else evaluator(node)
