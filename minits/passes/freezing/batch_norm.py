"""Fold batch norms into the convolution or linear layer before them.

Before (all of these are constants but %x):
    %y : Tensor = aten::conv2d(%x, %w, %b, %stride, %padding, %dilation, %groups)
    %z : Tensor = aten::batch_norm(%y, %gamma, %beta, %mean, %var, %false, %momentum, %eps, %cudnn)
After (every use of %z now uses %y):
    %w_fused_bn : Float(...) = prim::Constant[value=<Tensor>]()     # w * gamma / sqrt(var + eps)
    %b_fused_bn : Float(...) = prim::Constant[value=<Tensor>]()
    %y : Tensor = aten::conv2d(%x, %w_fused_bn, %b_fused_bn, %stride, %padding, %dilation, %groups)

Results differ by roundings. After a linear layer the features must be as many as the layer's, or
one; of more dimensions than two, batch norm means another one than the last: the layer is folded
unless the graph checks that there are more.

Needs and keeps: a verified graph. What is not read any more is left to `dce`.
Source: torch/csrc/jit/passes/frozen_conv_folding.cpp (`FoldFrozenConvBatchnorm`), fold_conv_bn.cpp,
frozen_linear_folding.cpp, fold_linear_bn.cpp.
Differs: torch folds a linear layer that others read, too, and before batch norms of images.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node
from minits.passes.freezing.weights import (
    BIAS,
    WEIGHT,
    Layer,
    convolution_before,
    linear_before,
    tensor_or,
)


def fold_batch_norm_into_convolutions(graph: Graph) -> bool:
    """Fold batch norms into the convolution before them. Return whether the graph changed."""
    return _fold(graph, is_linear=False)


def fold_batch_norm_into_linears(graph: Graph) -> bool:
    """Fold batch norms into the linear layer before them. Return whether the graph changed."""
    return _fold(graph, is_linear=True)


class _Norm(NamedTuple):
    """The constants of a batch norm."""

    scale: Tensor
    shift: Tensor
    mean: Tensor

    @classmethod
    def of(cls, node: Node) -> _Norm | None:
        """Return the scale and shift of a batch norm; None without statistics."""
        mean, variance = to_python(node.inputs[3]), to_python(node.inputs[4])
        if not (isinstance(mean, Tensor) and isinstance(variance, Tensor)):
            return None
        if to_python(node.inputs[5]) is not False:
            return None
        weight = tensor_or(node.inputs[1], torch.ones_like(mean))
        shift = tensor_or(node.inputs[2], torch.zeros_like(mean))
        return cls(weight * torch.rsqrt(variance + to_python(node.inputs[7])), shift, mean)


def _fold(graph: Graph, is_linear: bool) -> bool:
    changed = False
    for node in graph.nodes_of_kind("aten::batch_norm"):
        layer = linear_before(node) if is_linear else convolution_before(node)
        norm = None if layer is None else _Norm.of(node)
        if layer is None or norm is None or (is_linear and not _fits(layer, norm)):
            continue
        _replace_weights(layer, norm)
        node.output.replace_all_uses_with(layer.node.output)
        changed = True
    return changed


def _fits(layer: Layer, norm: _Norm) -> bool:
    """Return whether the features of a linear layer are those of a batch norm, as far as known."""
    features = norm.mean.size(0)
    return features == 1 or (features == layer.weight.size(0) and _may_be_a_matrix(layer.node))


def _may_be_a_matrix(linear: Node) -> bool:
    """Return whether the graph does not check that a result has more than two dimensions."""
    ranks = [use.user for use in linear.output.uses if use.user.kind == "aten::dim"]
    checks = [use.user for rank in ranks for use in rank.output.uses if use.user.kind == "aten::ne"]
    return not checks or any(to_python(check.inputs[1]) == 2 for check in checks)


def _replace_weights(layer: Layer, norm: _Norm) -> None:
    bias = torch.zeros_like(norm.mean) if layer.bias is None else layer.bias
    dtype = _dtype_of_bias(layer, bias)
    sizes = [-1] + [1] * (layer.weight.dim() - 1)
    new_weight = layer.weight * norm.scale.reshape(sizes)
    new_bias = (bias - norm.mean) * norm.scale + norm.shift
    layer.replace(WEIGHT, new_weight.to(layer.weight.dtype), "_fused_bn")
    layer.replace(BIAS, new_bias.to(dtype), "_fused_bn")


def _dtype_of_bias(layer: Layer, bias: Tensor) -> torch.dtype:
    """Return the dtype of the new bias; on a GPU that of half-precision weights."""
    is_half = layer.weight.dtype in (torch.float16, torch.bfloat16)
    is_made = layer.bias is None and layer.weight.is_cuda
    return layer.weight.dtype if is_made and is_half else bias.dtype
