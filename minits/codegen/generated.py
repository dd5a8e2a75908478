"""Attributes that generated functions carry besides their code."""

from __future__ import annotations

from minits.source import SourceRange

Stack = tuple[tuple[str, SourceRange | None], ...]
"""The functions that were inlined into each other at a node, the outermost first."""
STACKS = "__minits_stacks__"
"""The global of generated code that holds the source range of every node, with its stack."""
EVALUATED = "evaluated"
"""The attribute of a generated function that tells which names are functions of which nodes."""
