"""The interpreter: one node after the other, each value kept under itself."""

from collections.abc import Sequence
from typing import Any

from examples.tiny.ir import Block, Node, Value
from examples.tiny.ops import evaluate


def run(block: Block, arguments: Sequence[Any], values: dict[Value, Any]) -> list[Any]:
    """Run a block and return its outputs. `values` holds what was computed around it."""
    values.update(zip(block.inputs, arguments))
    for node in block.nodes:
        inputs = [values[value] for value in node.inputs]
        match node.kind:
            case "prim::Constant":
                results = [node.constant]
            case "prim::unchecked_cast":
                results = inputs
            case "prim::If":
                results = run(node.blocks[0 if inputs[0] else 1], [], values)
            case "prim::Loop":
                results = _loop(node, inputs, values)
            case kind:
                results = [evaluate(kind, inputs)]
        values.update(zip(node.outputs, results))
    return [values[value] for value in block.outputs]


def _loop(node: Node, inputs: list[Any], values: dict[Value, Any]) -> list[Any]:
    most, going_on, *carried = inputs
    round = 0
    while going_on and round < most:
        going_on, *carried = run(node.blocks[0], [round, *carried], values)
        round += 1
    return carried
