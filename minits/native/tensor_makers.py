"""Tensors that are made of numbers: filled with one, counted, of the items of lists.

mts_list *positions = mts_arange_i64(pool, 0, n, 1, -1);       torch.arange(n)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from minits.codegen.integer_bounds import operator_key
from minits.codegen.uses import resolve
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import NotNative, is_number
from minits.native.scalars import LETTERS, is_scalar, scalar
from minits.native.sites import told_values
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_DEEPEST = 8
"""Dimensions of a tensor that is made of lists."""


_RANGES = ("aten::arange", "aten::arange.start", "aten::arange.start_step")


def maker_of(node: Node) -> Callable[[BlockPrinter, Node], None] | None:
    """Return the function that prints a node which makes a tensor of numbers; None for others."""
    if node.kind == "aten::arange":  # those with out= are calls of torch's
        return _print_arange if operator_key(node) in _RANGES else None
    if node.kind == "aten::fill_" and is_scalar(resolve(node.inputs[1]).type):
        return _print_fill
    if node.kind == "prim::tolist":
        return _print_list
    if node.kind in ("aten::tensor", "aten::as_tensor") and node.inputs[0].type != t.TENSOR:
        return _print_tensor
    return None


def _print_fill(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::fill_(x, number)`, whose result is `x`."""
    target, number = map(resolve, node.inputs)
    printer.show(node)
    name = printer.variable(target)
    printer.keep(number)  # which an error is computed from
    given = scalar(printer, number)
    call = printer.function.names.new("call")
    printer.line(f"uint64_t {call}[2] = {{mts_pass_tensor({name})}};")
    printer.leave_if(f"mts_fill({call}, {given})", node)
    printer.take_tensor(node.output, f"{call}[0]")


def _print_arange(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::arange(end)`, with a start and a step or without. Raises `NotNative`."""
    *numbers, dtype, layout, device, pin_memory = map(resolve, node.inputs)
    _check_place(node, device, layout, pin_memory)
    if any(value.type not in (t.INT, t.FLOAT) and not is_number(value.type) for value in numbers):
        raise NotNative(node, node.kind)
    printer.show(node)
    names = [printer.variable(value) for value in numbers]
    dynamic = [name for name, value in zip(names, numbers, strict=True) if is_number(value.type)]
    for name in dynamic:
        printer.leave_if(f"mts_number_kind({name}) == 'c'", node)
    texts = {
        suffix: _ends([
            read.format(name) if name in dynamic else name for name in names
        ])
        for suffix, read in (("i64", "{}->items[1].i"), ("f64", "mts_number_to_float({})"))
    }  # fmt: skip
    printer.leave_if(f"mts_is_no_range({texts['f64']})", node)
    code = _dtype(printer, dtype)
    i64, f64 = [f"mts_arange_{x}(pool, {text}, {code})" for x, text in texts.items()]
    if any(value.type == t.FLOAT for value in numbers):
        printer.make(node.output, f64)
        return
    is_float = " || ".join([f"mts_number_kind({name}) == 'f'" for name in dynamic])
    printer.make(node.output, f"{is_float} ? {f64} : {i64}" if dynamic else i64)


def _ends(texts: list[str]) -> str:
    """Return the start, the end and the step of a range, of which the end may be all there is."""
    start = ["0"] if len(texts) == 1 else []
    step = ["1"] if len(texts) < 3 else []
    return ", ".join([*start, *texts, *step])


def _print_tensor(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::tensor(data, dtype, device, requires_grad)` of a number or of lists, or
    `aten::as_tensor`, which has no `requires_grad`. Raises `NotNative`."""
    data, dtype, device, *requires_grad = map(resolve, node.inputs)
    _check_place(node, device)
    needs = [to_python(value) for value in requires_grad]
    if NOT_CONSTANT in needs:
        raise NotNative(node, node.kind)
    element, depth = data.type, 0
    while isinstance(element, t.ListType):
        element, depth = element.element, depth + 1
    if depth and element in (t.COMPLEX, t.OptionalType(t.COMPLEX)):  # the latter: boxes of them
        raise NotNative(node, f"{node.kind} of {data.type.annotation}")
    if element not in LETTERS and (depth or not is_scalar(element)):
        printer.leave(node)  # torch.tensor makes tensors of nothing else
        return
    if depth > _DEEPEST:
        raise NotNative(node, f"{node.kind} of {data.type.annotation}")
    printer.show(node)
    name = printer.variable(data)
    if depth != 1 or True in needs:
        for value in told_values(node, has_handles=True):
            printer.keep(value)  # which an error is computed from
    code = _dtype(printer, dtype)
    if depth > 1:
        printer.leave_if(f"mts_is_ragged({name}, {depth})", node)
    if depth:
        made = f"mts_tensor_of_numbers(pool, {name}, {depth}, '{LETTERS[element]}', {code})"
    else:
        number = scalar(printer, data)
        kind = number.rpartition(", ")[2]
        call = printer.function.names.new("call")
        printer.line(f"uint64_t {call}[2] = {{mts_empty_of_kind({kind})}};")
        printer.leave_if(f"mts_fill({call}, {number})", node)
        made = f"mts_tensor_as(pool, {call}[0], {code}, {kind})"
    printer.make(node.output, made)
    if True in needs:
        printer.leave_if(f"mts_require_grad({printer.function.names.of(node.output)})", node)


def _print_list(printer: BlockPrinter, node: Node) -> None:
    """Print `tensor.tolist()`, of the type that is expected. Raises `NotNative` for complex."""
    tensor, element, depth = node.inputs[0], node.output.type, 0
    while isinstance(element, t.ListType):
        element, depth = element.element, depth + 1
    if element not in LETTERS:
        raise NotNative(node, node.kind)
    printer.show(node)
    name, letter = printer.variable(tensor), LETTERS[element]
    printer.leave_if(f"mts_is_no_list({name}, {depth}, '{letter}')", node)
    if depth:
        printer.make(node.output, f"mts_list_of_tensor(pool, {name}, {depth}, '{letter}')")
    else:
        read = {"f": "float", "i": "int", "b": "bool"}[letter]
        printer.finish(node.output, f"mts_item_{read}({name})", reads=True)


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
