"""Groups of elementwise operators that could be one kernel each, as an attribute `group`.

From the last operator upwards, a group takes in what its operators read, as long as it can run as
one: no way may lead out of it and back. Groups that are known are crossed as a whole, since all of
one runs at once. What reads or gives a tensor that somebody writes to stays by itself.
"""

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node
from minits.passes.user_passes import graph_pass

KINDS = ("aten::add", "aten::mul", "aten::relu", "aten::sigmoid")


@graph_pass("label-groups")
def label_groups(graph: Graph) -> bool:
    aliases = AliasAnalysis(graph)
    free = [
        node
        for node in graph.nodes_of_kind(*KINDS)
        if not any(aliases.is_written(value) for value in (*node.inputs, node.output))
    ]
    groups: list[set[Node]] = []
    while free:
        group = grown(free[-1], free, groups)
        free = [node for node in free if node not in group]
        groups.insert(0, group)
    kernels = [group for group in groups if len(group) > 1]
    for number, group in enumerate(kernels):
        for node in group:
            node.set_attr("group", "i", number)
    return bool(kernels)


def grown(seed: Node, free: list[Node], groups: list[set[Node]]) -> set[Node]:
    """Return the group that ends with an operator, of those that are in no group yet."""
    group, waiting = {seed}, [seed]
    while waiting:
        for value in waiting.pop().inputs:
            other = value.node
            is_new = other in free and other not in group and other.block is seed.block
            if is_new and runs_as_one({*group, other}, groups):
                group.add(other)
                waiting.append(other)
    return group


def runs_as_one(group: set[Node], groups: list[set[Node]]) -> bool:
    """Return whether no way leads out of a group and back into it."""
    seen, waiting = set(group), list(group)
    while waiting:
        node = waiting.pop()
        for user in users(node):
            if user in group and node not in group:
                return False
            whole = next((each for each in groups if user in each), {user})
            waiting += whole - seen
            seen |= whole
    return True


def users(node: Node) -> list[Node]:
    """Return the nodes of the same block that read what a node gives, or have a block that does."""
    found = []
    for value in node.outputs:
        for user, _ in value.uses:
            while user.block is not node.block:
                assert user.block is not None and user.block.owning_node is not None
                user = user.block.owning_node
            found.append(user)
    return found
