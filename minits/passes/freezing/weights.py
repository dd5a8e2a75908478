"""The constants of convolutions and linear layers: reading them, and putting others in their place.

Source: torch/csrc/jit/passes/frozen_conv_folding.cpp (`nonConstantParameters`,
`supportedConvNode`).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Node, Value

_CONVOLUTIONS = ("aten::conv1d", "aten::conv2d", "aten::conv3d")
WEIGHT, BIAS = 1, 2
"""The indices of weight and bias among the arguments of convolutions and linear layers."""


class Layer(NamedTuple):
    """A convolution or linear layer, with its weight, and its bias if it has one."""

    node: Node
    weight: Tensor
    bias: Tensor | None

    def replace(self, index: int, tensor: Tensor, suffix: str) -> None:
        """Put a constant in the place of an argument; it is named after that."""
        old = self.node.inputs[index]
        with self.node.graph.inserting_at(self.node):
            made = insert_constant(self.node.graph, tensor)
        made.set_name(f"{old.name}{suffix}")
        for index, value in enumerate(self.node.inputs):
            if value is old:
                self.node.set_input(index, made)


def convolution_before(node: Node) -> Layer | None:
    """Return the convolution whose result only `node` reads, if all is constant but the data."""
    made = node.inputs[0].node
    is_transposed = made.kind == "aten::_convolution" and to_python(made.inputs[6]) is not False
    if made.kind not in (*_CONVOLUTIONS, "aten::_convolution") or is_transposed:
        return None
    return _layer(made, node)


def linear_before(node: Node) -> Layer | None:
    """Return the linear layer whose result only `node` reads, if all is constant but the data.

    Others may ask for its rank: the check of a batch norm does.
    """
    made = node.inputs[0].node
    return _layer(made, node, "aten::dim") if made.kind == "aten::linear" else None


def _layer(made: Node, reader: Node, other_reader: str = "") -> Layer | None:
    others = [use.user for use in made.output.uses if use.user.kind != other_reader]
    if len(others) > 1 or not (is_constant_layer(made) and is_constant_layer(reader)):
        return None
    weight, bias = to_python(made.inputs[WEIGHT]), to_python(made.inputs[BIAS])
    return Layer(made, weight, bias) if isinstance(weight, Tensor) else None


def is_constant_layer(node: Node) -> bool:
    """Return whether all inputs of a node but the first are constants."""
    return all(value.node.kind == "prim::Constant" for value in node.inputs[1:])


def tensor_or(value: Value, default: Tensor) -> Tensor:
    """Return the tensor that a constant holds, `default` where it is None."""
    found = to_python(value)
    return found if isinstance(found, Tensor) else default


def is_floating(tensor: Tensor) -> bool:
    """Return whether sums and products with a tensor are those of floats."""
    return tensor.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64)
