"""The functions of nodes that replace in-place operators, and of the operators they replace.

    F.elu(a)                    saves `a` for the gradient
    F.elu(a, inplace=True)      saves its result: `a` is overwritten

Where the two save different tensors, the replacement writes to a copy, so that changing what the
program has saved, and that alone, is an error.
"""

from __future__ import annotations

from minits.ir.in_place import is_marked, lying_as_written
from minits.ops.evaluate import Operation, evaluator, evaluator_for
from minits.ops.properties import NodeLike, schema_for

SAVE_THEIR_RESULT = frozenset(f"aten::{name}" for name in "elu celu selu leaky_relu rrelu".split())
"""Operators that save their result for the gradient where they write it to their input, and the
input where they do not."""


def writes_to_copy(node: NodeLike) -> bool:
    """Return whether a node is marked, and its replacement writes to a copy."""
    return is_marked(node) and node.kind in SAVE_THEIR_RESULT


def replacement(node: NodeLike) -> Operation:
    """Return the function of a marked node. Raises LookupError."""
    if not writes_to_copy(node):
        return lying_as_written(evaluator(node))
    write = in_place_form(node)
    return lying_as_written(lambda written, *arguments: write(written.clone(), *arguments))


def in_place_form(node: NodeLike) -> Operation:
    """Return the operator that a marked node replaced. Raises LookupError."""
    schema = schema_for(f"{node.kind}_", node)
    if schema is None:
        raise LookupError(f"{node.kind}_")
    return evaluator_for(schema)
