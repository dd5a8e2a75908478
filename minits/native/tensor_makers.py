"""Tensors that are made of numbers: filled with one, counted, of the items of lists.

mts_list *positions = mts_arange_i64(pool, 0, n, 1, -1);       torch.arange(n)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from minits.codegen.uses import resolve
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import NotNative
from minits.native.scalars import LETTERS, is_scalar, scalar
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_DEEPEST = 8
"""Dimensions of a tensor that is made of lists."""


def maker_of(node: Node) -> Callable[[BlockPrinter, Node], None] | None:
    """Return the function that prints a node which makes a tensor of numbers; None for others."""
    if node.kind == "aten::arange":
        return _print_arange
    if node.kind == "aten::fill_" and is_scalar(resolve(node.inputs[1]).type):
        return _print_fill
    if node.kind == "aten::tensor" and isinstance(node.inputs[0].type, t.ListType):
        return _print_tensor
    return None


def _print_fill(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::fill_(x, number)`, whose result is `x`."""
    target, number = map(resolve, node.inputs)
    printer.show(node)
    name = printer.variable(target)
    printer.variable(number)  # which an error is computed from
    given = scalar(printer, number)
    call = printer.function.names.new("call")
    printer.line(f"uint64_t {call}[2] = {{mts_pass_tensor({name})}};")
    printer.leave_if(f"mts_fill({call}, {given})", node)
    printer.take_tensor(node.output, f"{call}[0]")


def _print_arange(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::arange(end)`, with a start and a step or without. Raises `NotNative`."""
    *numbers, dtype, layout, device, pin_memory = map(resolve, node.inputs)
    _check_place(node, device, layout, pin_memory)
    types = {value.type for value in numbers}
    if not types <= {t.INT, t.FLOAT}:
        raise NotNative(node, node.kind)
    printer.show(node)
    texts = [printer.variable(value) for value in numbers]
    if len(texts) == 1:
        texts.insert(0, "0")
    if len(texts) == 2:
        texts.append("1")
    printer.leave_if(f"mts_is_no_range({', '.join(texts)})", node)
    suffix = "i64" if types == {t.INT} else "f64"
    code = _dtype(printer, dtype)
    printer.make(node.output, f"mts_arange_{suffix}(pool, {', '.join(texts)}, {code})")


def _print_tensor(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::tensor(list, dtype, device, requires_grad)`. Raises `NotNative`."""
    data, dtype, device, requires_grad = map(resolve, node.inputs)
    _check_place(node, device)
    if to_python(requires_grad) is not False:
        raise NotNative(node, node.kind)
    element, depth = data.type, 0
    while isinstance(element, t.ListType):
        element, depth = element.element, depth + 1
    if element not in LETTERS or depth > _DEEPEST:
        raise NotNative(node, f"{node.kind} of {data.type.annotation}")
    printer.show(node)
    name = printer.variable(data)
    if depth > 1:
        printer.leave_if(f"mts_is_ragged({name}, {depth})", node)
    code = _dtype(printer, dtype)
    items = f"{name}, {depth}, '{LETTERS[element]}', {code}"
    printer.make(node.output, f"mts_tensor_of_numbers(pool, {items})")


def _check_place(node: Node, device: Value, *others: Value) -> None:
    """Check that a tensor is to be one of the CPU. Raises `NotNative`."""
    content = to_python(device)
    on_cpu = content is None or (isinstance(content, torch.device) and content.type == "cpu")
    if content is NOT_CONSTANT or not on_cpu or any(to_python(each) for each in others):
        raise NotNative(node, node.kind)


def _dtype(printer: BlockPrinter, dtype: Value) -> str:
    """Return the number of a dtype, below 0 for the one that new tensors have."""
    if dtype.type == t.NONE:
        return "-1"
    if dtype.type != t.INT:
        raise NotNative(dtype.node, dtype.type.annotation)
    return printer.read(dtype)
