"""One pass.

Before:
    %1 : Tensor = aten::exp(%0)
    %2 : Tensor = aten::relu(%0)
    return (%2)
After:
    %1 : Tensor = aten::relu(%0)
    return (%1)

Differs: minits and torch also keep what has an effect, and drop outputs of If and Loop.
"""

from examples.tiny.ir import Block, Value


def remove_dead_code(graph: Block) -> None:
    """Remove nodes whose outputs nobody uses. All operators of the language are pure."""
    _sweep(graph, set())


def _sweep(block: Block, used: set[Value]) -> None:
    """Walk from the end to the start, so that each use is seen before what it uses."""
    used.update(block.outputs)
    for node in reversed([*block.nodes]):
        if not used.intersection(node.outputs):
            block.nodes.remove(node)
            continue
        for inside in node.blocks:
            _sweep(inside, used)
        used.update(node.inputs)
