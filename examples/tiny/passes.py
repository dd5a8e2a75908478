"""One pass.

Before:
    %1 : Tensor = aten::tanh(%0)
    %2 : Tensor = aten::relu(%0)
    return (%2)
After:
    %1 : Tensor = aten::relu(%0)
    return (%1)

Differs: minits and torch also keep what has an effect, and drop outputs of If and Loop.
"""

from examples.tiny.ir import Block, Value


def remove_dead_code(block: Block, used: set[Value]) -> Block:
    """Remove nodes whose outputs nobody uses. All operators of the language are pure.

    `used` has the values that are used after the block. The walk is from the end to the start: each
    use is seen before what it uses.
    """
    used.update(block.outputs)
    for node in reversed(block.nodes):
        if not used.isdisjoint(node.outputs):
            used.update(node.inputs)
            for inside in node.blocks:
                remove_dead_code(inside, used)
    block.nodes = [node for node in block.nodes if not used.isdisjoint(node.outputs)]
    return block
