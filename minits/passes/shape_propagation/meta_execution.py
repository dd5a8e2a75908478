"""Results of operators on tensor metadata: by rule, or by running the operator on meta tensors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import torch

from minits.ir.graph import Node
from minits.ops.evaluate import evaluator
from minits.ops.schema import Schema
from minits.passes.shape_propagation.data_dependent_rules import DATA_DEPENDENT
from minits.passes.shape_propagation.rule_parts import NoRule, device_of, metas_in
from minits.passes.shape_propagation.rules import RULES
from minits.records import replace
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta, can_require_grad, meta_of

_OF_DEVICE = frozenset("prim::device prim::is_cuda prim::is_meta prim::is_cpu".split())
_MOVES_VALUES = frozenset(
    "prim::ListConstruct prim::ListUnpack prim::DictConstruct prim::TupleConstruct "
    "prim::TupleUnpack prim::TupleIndex aten::__getitem__".split()
)


def result_of(node: Node, schema: Schema | None, inputs: list[Any], certain: bool = True) -> Any:
    """Return an operator's results, with metadata for tensors. Raises what the operator raises.

    Sizes that data decide are examples, which are not `certain`.
    """
    if node.kind in _OF_DEVICE:
        return _device_property(node.kind, inputs[0].device)
    operator = evaluator(node)
    if node.kind in _MOVES_VALUES:
        return operator(*inputs)
    if not certain and node.kind in DATA_DEPENDENT and schema is not None:
        names = [argument.name for argument in schema.arguments]
        with suppress(NoRule):
            return DATA_DEPENDENT[node.kind](operator, dict(zip(names, inputs, strict=False)))
    rule = RULES.get(node.kind)
    if (
        rule is not None
        and schema is not None
        and any(_holds_tensors(value.type) for value in node.outputs)
    ):
        names = [argument.name for argument in schema.arguments]
        return rule(operator, dict(zip(names, inputs, strict=False)))
    operands = list(metas_in(inputs))
    names = [argument.name for argument in schema.arguments] if schema is not None else []
    device = _result_device(node, names, inputs, operands)
    requires_grad = any(meta.requires_grad for meta in operands) and node.kind != "aten::detach"
    made = [_meta(value) for value in inputs]
    if "device" in names:
        made[names.index("device")] = torch.device("meta")
    return _metas_of(operator(*made), device, requires_grad)


def _device_property(kind: str, device: torch.device) -> Any:
    if kind == "prim::device":
        return device
    return device.type == kind.removeprefix("prim::is_")


def _result_device(
    node: Node, names: list[str], inputs: list[Any], operands: list[TensorMeta]
) -> torch.device:
    if "device" in names and inputs[names.index("device")] is not None:
        return torch.device(inputs[names.index("device")])
    if node.kind in ("aten::to", "aten::type_as") and len(operands) == 2:
        return operands[1].device
    if node.kind in ("aten::cpu", "aten::cuda"):
        raise LookupError(node.kind)
    if node.kind.startswith("aten::index") and operands:
        return operands[0].device
    return device_of(operands)


def _meta(value: Any) -> Any:
    if isinstance(value, TensorMeta):
        return torch.empty_strided(value.shape, value.strides, dtype=value.dtype, device="meta")
    if type(value) in (list, tuple):
        return type(value)(map(_meta, value))
    return value


def _metas_of(value: Any, device: torch.device, requires_grad: bool) -> Any:
    if isinstance(value, torch.Tensor):
        meta = meta_of(value)
        requires_grad = requires_grad and can_require_grad(meta.dtype)
        if value.device.type != "meta":
            device = value.device
        return replace(meta, device=device, requires_grad=requires_grad)
    if type(value) in (list, tuple):
        return type(value)(_metas_of(item, device, requires_grad) for item in value)
    return value


def _holds_tensors(type: t.Type) -> bool:
    return t.TENSOR in (type, getattr(type, "element", None))
