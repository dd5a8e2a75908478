"""SSA: each value is made once, by a node or as the input of a block. A graph is a block."""

from collections.abc import Iterator
from dataclasses import make_dataclass

Value = make_dataclass("Value", ["type"], eq=False)
"""What nodes and blocks take and give. It is equal to itself alone."""

Node = make_dataclass("Node", ["kind", "function", "inputs", "outputs", "blocks"], eq=False)
"""One operation: its name, what computes it, the values that it takes and gives, and its blocks.

`prim::If` has two blocks, `prim::Loop` has one, and all others have none.
"""


class Block(make_dataclass("Block", ["inputs", "nodes", "outputs"], eq=False)):
    """The values that a block is given, its nodes in order, and the values that it gives out."""

    def __str__(self) -> str:
        return "\n".join(_lines(self, {}, "graph", "return")) + "\n"


def _lines(block: Block, names: dict[Value, str], head: str, end: str) -> Iterator[str]:
    yield f"{head}({_declared(block.inputs, names)}):"
    for node in block.nodes:
        inputs = ", ".join(names[value] for value in node.inputs)
        yield f"  {_declared(node.outputs, names)} = {node.kind}({inputs})"
        for number, inside in enumerate(node.blocks):
            yield from (f"    {line}" for line in _lines(inside, names, f"block{number}", "->"))
    yield f"  {end} ({', '.join(names[value] for value in block.outputs)})"


def _declared(values: list[Value], names: dict[Value, str]) -> str:
    """Return values with their types. Each gets the next number as its name."""
    return ", ".join(f"{names.setdefault(each, f'%{len(names)}')} : {each.type}" for each in values)
