"""Rules of operators that move elements: tensors joined, expanded, and looked up in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from minits.ops.broadcasting import broadcast_shapes
from minits.passes.shape_propagation.rule_parts import Arguments, make, metas_in
from minits.records import replace
from minits.types.tensor_meta import TensorMeta


def cat(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    parts = [meta for meta in arguments["tensors"] if meta.shape != (0,)]
    shape = list(parts[0].shape)
    dim = arguments["dim"] % len(shape)
    shape[dim] = sum(meta.shape[dim] for meta in parts)
    return make(parts, _promoted(arguments["tensors"]), shape)


def broadcast_tensors(operator: Callable[..., Any], arguments: Arguments) -> list[TensorMeta]:
    parts: list[TensorMeta] = arguments["tensors"]
    shape = broadcast_shapes(*[meta.shape for meta in parts])
    return [_expanded(meta, shape) for meta in parts]


def _expanded(meta: TensorMeta, shape: tuple[int, ...]) -> TensorMeta:
    padding = len(shape) - meta.rank
    strides = [
        0 if size == 1 and size != whole else stride
        for size, stride, whole in zip(meta.shape, meta.strides, shape[padding:], strict=True)
    ]
    return replace(meta, shape=shape, strides=(*(0,) * padding, *strides))


def stack(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    parts = arguments["tensors"]
    shape = list(parts[0].shape)
    shape.insert(arguments["dim"] % (len(shape) + 1), len(parts))
    return make(parts, _promoted(parts), shape)


def _promoted(parts: Sequence[TensorMeta]) -> torch.dtype:
    dtype = parts[0].dtype
    for part in parts:
        dtype = torch.promote_types(dtype, part.dtype)
    return dtype


def embedding(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    weight, indices = metas_in(list(arguments.values()))
    return make([weight], weight.dtype, indices.shape + weight.shape[1:])


def gather(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    return make([arguments["self"]], arguments["self"].dtype, arguments["index"].shape)


def index_select(operator: Callable[..., Any], arguments: Arguments) -> TensorMeta:
    operand = arguments["self"]
    shape = list(operand.shape)
    if shape:
        shape[arguments["dim"]] = math.prod(arguments["index"].shape)
    return make([operand], operand.dtype, shape)
