"""The interpreter: one node after the other, each result kept under its value.

What computes a node gets its blocks first, as functions, and then its inputs. `prim::If` and
`prim::Loop` return a list, the others one result.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from examples.tiny.ir import Block, Value


def run(block: Block, values: dict[Value, Any], *arguments: Any) -> list[Any]:
    """Run a block and return its outputs. `values` has what was computed around it."""
    values.update(zip(block.inputs, arguments, strict=True))
    for node in block.nodes:
        bodies = [partial(run, inside, values) for inside in node.blocks]
        results = node.function(*bodies, *[values[value] for value in node.inputs])
        values.update(zip(node.outputs, results if node.blocks else [results]))
    return [values[value] for value in block.outputs]


def loop(body: Callable, most: int, going_on: bool, *carried: Any) -> list[Any]:
    round = 0
    while going_on and round < most:
        going_on, *carried = body(round, *carried)
        round += 1
    return carried
