"""Fold sums and products with constants into the convolution before them.

Before (%w, %b and %scale, of one element or one for each channel, are constants):
    %y : Tensor = aten::conv2d(%x, %w, %b, %stride, %padding, %dilation, %groups)
    %z : Tensor = aten::mul(%y, %scale)
After (every use of %z now uses %y):
    %w_fused_mul : Float(...) = prim::Constant[value=<Tensor>]()
    %b_fused_mul : Float(...) = prim::Constant[value=<Tensor>]()
    %y : Tensor = aten::conv2d(%x, %w_fused_mul, %b_fused_mul, %stride, %padding, %dilation, ...)

`add` and `sub` change the bias alone. Results differ by roundings.

Needs and keeps: a verified graph. What is not read any more is left to `dce`.
Source: torch/csrc/jit/passes/frozen_conv_folding.cpp (`FoldFrozenConvAddOrSub`,
`FoldFrozenConvMulOrDiv`).
Differs: torch takes an operand of shape [1, channels] for one of channels, though it belongs to the
last dimension of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node
from minits.passes.freezing.weights import BIAS, WEIGHT, Layer, convolution_before, is_floating

_SUMS: dict[str, Callable[..., Tensor]] = {"aten::add": torch.add, "aten::sub": torch.sub}
_PRODUCTS: dict[str, Callable[..., Tensor]] = {"aten::mul": torch.mul, "aten::div": torch.div}


def fold_sums_into_convolutions(graph: Graph) -> bool:
    """Fold sums with constants into the convolution before them. Return whether it changed."""
    return _fold(graph, _SUMS, _fold_sum)


def fold_products_into_convolutions(graph: Graph) -> bool:
    """Fold products with constants into the convolution before them. Return whether it changed."""
    return _fold(graph, _PRODUCTS, _fold_product)


def _fold(graph: Graph, kinds: Any, fold: Callable[[Node, Layer, Any], None]) -> bool:
    changed = False
    for node in graph.nodes_of_kind(*kinds):
        layer = convolution_before(node)
        if layer is None or not _fits(node, layer):
            continue
        fold(node, layer, to_python(node.inputs[1]))
        node.output.replace_all_uses_with(layer.node.output)
        changed = True
    return changed


def _fits(node: Node, layer: Layer) -> bool:
    """Return whether the operand is of one element for each channel, and changes no dtype."""
    other, weight = to_python(node.inputs[1]), layer.weight
    if not is_floating(weight) or (node.kind in _PRODUCTS and len(node.inputs) != 2):
        return False
    if isinstance(other, Tensor):
        return _broadcasts(other, weight) and _keeps_dtype(other, weight)
    return isinstance(other, (int, float))


def _broadcasts(other: Tensor, weight: Tensor) -> bool:
    ones = [1] * (weight.dim() - 2)
    is_of_channels = list(other.shape) == [1, weight.size(0), *ones]
    return is_of_channels or (other.numel() == 1 and other.dim() <= weight.dim())


def _keeps_dtype(other: Tensor, weight: Tensor) -> bool:
    if other.is_floating_point():
        return True
    return bool(torch.promote_types(other.dtype, weight.dtype) == weight.dtype)


def _fold_sum(node: Node, layer: Layer, other: Any) -> None:
    shape = [layer.weight.size(0)]
    operand = _of_shape(other, shape, layer.weight)
    bias = layer.bias
    if bias is None:
        bias = torch.zeros_like(operand, dtype=layer.weight.dtype)
    alpha = to_python(node.inputs[2])
    made = _SUMS[node.kind](bias, operand, alpha=alpha)
    layer.replace(BIAS, made.to(bias.dtype), _suffix(node))


def _fold_product(node: Node, layer: Layer, other: Any) -> None:
    function = _PRODUCTS[node.kind]
    weight, bias, channels = layer.weight, layer.bias, layer.weight.size(0)
    operand = _of_shape(other, [channels] + [1] * (weight.dim() - 1), weight)
    layer.replace(WEIGHT, function(weight, operand).to(weight.dtype), _suffix(node))
    if bias is not None:
        operand = _of_shape(other, [channels], bias)
        layer.replace(BIAS, function(bias, operand).to(bias.dtype), _suffix(node))


def _suffix(node: Node) -> str:
    return f"_fused_{node.kind.removeprefix('aten::')}"


def _of_shape(other: Any, shape: list[int], like: Tensor) -> Tensor:
    """Return an operand with one element for each channel, in this shape."""
    if not isinstance(other, Tensor):
        return torch.full(shape, other, dtype=like.dtype, device=like.device)
    return other.reshape(1).expand(shape) if other.numel() == 1 else other.reshape(shape)
