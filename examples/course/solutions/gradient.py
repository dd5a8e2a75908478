"""The gradient of a graph, as a graph: the chain rule, from the last operator to the first.

Each value has an adjoint, the derivative of the loss by it. That of the result is given: it is the
last input. An operator hands the adjoint of its result on to its operands, by the rule of its kind.
"""

from collections.abc import Callable

from minits.ir.graph import Graph, Node, Value
from minits.passes.user_passes import graph_pass
from minits.types.types import INT, NONE, TENSOR, ListType


@graph_pass("gradient")
def differentiate(graph: Graph) -> bool:
    *inputs, given = graph.inputs
    adjoints = {graph.outputs[0]: given}
    for node in reversed([*graph.nodes]):
        if node.kind in RULES and node.output in adjoints:
            found = RULES[node.kind](graph, adjoints[node.output], node)
            for operand, gradient in zip(node.inputs, found):
                if operand.type == TENSOR:
                    gradient = summed_to(graph, gradient, operand)
                    if operand in adjoints:  # used more than once: the sum over all uses
                        gradient = plus(graph, adjoints[operand], gradient)
                    adjoints[operand] = gradient
    results = [adjoints.get(value) or zeros(graph, value) for value in inputs]
    graph.block.end.remove_all_inputs()
    for result in results:
        graph.block.add_output(result)
    return True


# ---- The rules: from the gradient of the result to those of the operands -------------------------


def of_add(graph: Graph, g: Value, node: Node) -> list[Value]:
    return [g, times(graph, g, node.inputs[2])]


def of_mul(graph: Graph, g: Value, node: Node) -> list[Value]:
    x, y = node.inputs
    return [times(graph, g, y), times(graph, g, x)]


def of_neg(graph: Graph, g: Value, node: Node) -> list[Value]:
    return [graph.emit("aten::neg", [g]).output]


def of_exp(graph: Graph, g: Value, node: Node) -> list[Value]:
    return [times(graph, g, node.output)]


def of_tanh(graph: Graph, g: Value, node: Node) -> list[Value]:
    """`g * (1 - y * y)`, as `g - g * y * y`."""
    y = node.output
    product = times(graph, times(graph, g, y), y)
    return [graph.emit("aten::sub", [g, product, one(graph)]).output]


RULES: dict[str, Callable[[Graph, Value, Node], list[Value]]] = {
    "aten::add": of_add,
    "aten::mul": of_mul,
    "aten::neg": of_neg,
    "aten::exp": of_exp,
    "aten::tanh": of_tanh,
}


# ---- What the rules are made of ------------------------------------------------------------------


def one(graph: Graph) -> Value:
    return graph.emit("prim::Constant", types=[INT]).set_attr("value", "i", 1).output


def plus(graph: Graph, x: Value, y: Value) -> Value:
    return graph.emit("aten::add", [x, y, one(graph)]).output


def times(graph: Graph, x: Value, y: Value) -> Value:
    return graph.emit("aten::mul", [x, y]).output


def summed_to(graph: Graph, gradient: Value, operand: Value) -> Value:
    """Return the sum over the dimensions in which an operand was broadcast."""
    size = graph.emit("aten::size", [operand], [ListType(INT)]).output
    return graph.emit("aten::sum_to_size", [gradient, size]).output


def zeros(graph: Graph, value: Value) -> Value:
    """Return the gradient of a value that the result does not depend on."""
    none = graph.emit("prim::Constant", types=[NONE]).output
    return graph.emit("aten::zeros_like", [value, *[none] * 5]).output
