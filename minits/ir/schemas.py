"""The schema of a node: the overload of its operator that takes the types of its inputs.

Source: torch/csrc/jit/ir/ir.cpp (`Node::maybeOperator`).
"""

from __future__ import annotations

from minits.ir.graph import Node
from minits.ops.registry import schema_for
from minits.ops.schema import Schema


def schema_of(node: Node) -> Schema | None:
    """Return the node's schema, or None where it is no registered operator."""
    return schema_for(node.kind, [value.type for value in node.inputs])
