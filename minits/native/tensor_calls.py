"""Calls of torch's operators: arguments on a stack of 64-bit numbers, in their place the results.

    uint64_t call[] = {mts_pass_tensor(x), -1, 0};
    if (mts_call("aten::softmax", "int", call)) { out[0].list = x; return 1; }
    mts_list *y = mts_tensor_of(pool, (void *)call[0]);
    if (!y) return MTS_NO_MEMORY;

A call takes over what it is passed. If it raises, Python asks the operator again, for its error.

Source: torch/csrc/stable/stableivalue_conversions.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.codegen.integer_bounds import operator_key
from minits.codegen.uses import is_used
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.activations import ACTIVATIONS, Activation
from minits.native.c_types import NotNative, c_type, is_number
from minits.native.expressions import filled
from minits.native.scalars import has_known_kind, scalar
from minits.native.shortcuts import shortcut
from minits.native.sites import told_values
from minits.native.tensor_makers import maker_of
from minits.native.tensor_operators import POWERS, SPELLINGS, SUMS, Spelling, Sum
from minits.ops.properties import schema_of
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.torch_internals import is_dispatched
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_COMPARING = {"aten::__is__": "mts_is_one", "aten::__isnot__": "!mts_is_one"}
_WITHOUT_TENSORS = frozenset(("prim::tolist", "aten::promote_types", "aten::can_cast"))
"""Operators that ask torch, though their operands or results may be no tensors."""
_PADDING = "aten::_pad_packed_sequence"
_IN_A_NUMBER = (t.INT, t.BOOL, t.DEVICE)
"""Types of arguments whose values are the numbers that are passed."""


def asks_torch(node: Node) -> bool:
    """Return whether a node is an operator of torch, also where it has no tensors."""
    namespace = node.kind.partition("::")[0]
    return node.kind in _WITHOUT_TENSORS or namespace not in ("aten", "prim", "native")


def is_call(node: Node) -> bool:
    """Return whether a node is an operator of tensors."""
    values = [*node.inputs, *node.outputs]
    return asks_torch(node) or any(t.TENSOR in _parts(value.type) for value in values)


def mutates(node: Node) -> bool:
    """Return whether a node is an operator of tensors that writes to an argument."""
    schema = schema_of(node) if node.kind.startswith("aten::") and is_call(node) else None
    if schema is None:
        return False
    return any(each.alias is not None and each.alias.is_write for each in schema.arguments)


def print_call(printer: BlockPrinter, node: Node) -> None:
    """Print an operator of tensors. Raises `NotNative`."""
    if (print_maker := maker_of(node)) is not None:
        print_maker(printer, node)
        return
    if node.kind in _COMPARING and all(value.type == t.TENSOR for value in node.inputs):
        texts = [printer.read(value) for value in node.inputs]
        printer.finish(node.output, f"{_COMPARING[node.kind]}({', '.join(texts)})")
        return
    schema = schema_of(node)
    if schema is None:
        raise NotNative(node, node.kind)
    for output in filter(is_used, node.outputs):
        c_type(output)
    printer.show(node)
    for value in told_values(node, has_handles=True):
        printer.keep(value)  # which an error is computed from
    key = operator_key(node) or node.kind
    if (found := shortcut(printer, node, key)) is not None:
        passed, name = found
        printer.function.has_shortcuts = True
        _print_stack(printer, node, passed, f"{name}(pool, {{0}})", schema)
        return
    if key in ACTIVATIONS:
        _print_activation(printer, node, ACTIVATIONS[key], schema)
        return
    if key == _PADDING:
        _print_padding(printer, node, schema)
        return
    if key in SUMS:
        _print_sum(printer, node, SUMS[key])
        return
    spelling = SPELLINGS.get(key) or Spelling(schema.name, schema.overload, ())
    if not is_dispatched(spelling.name, spelling.overload):
        raise NotNative(node, key)
    if key in POWERS and _may_be_root(node.inputs[1]):
        if to_python(node.inputs[1]) is NOT_CONSTANT or schema.overload != "Tensor_Scalar":
            raise NotNative(node, key)
        passed = [_passed_tensor(printer, node.inputs[0])]
        _print_stack(printer, node, [*passed, "0"], "mts_root({0})", schema)
        return
    numbers = [node.inputs[index] for index in spelling.scalars]
    _check_kinds(node, spelling, numbers)
    are_ints = all(value.type == t.INT for value in numbers)
    if spelling.raises is not None and (are_ints or not spelling.of_ints):
        operands = [printer.variable(value) for value in node.inputs[:3]]
        printer.leave_if(filled(spelling.raises, operands), node)
    has_floats = any(value.type == t.FLOAT for value in numbers)
    how = "float" if has_floats and spelling.passed == "number" else spelling.passed
    types = [each.type for each in _called(spelling, schema).arguments]
    passed = [
        _passed_number(printer, node, value, type, how)
        if index in spelling.scalars
        else _passed(printer, node, value, type)
        for index, (value, type) in enumerate(zip(node.inputs, types, strict=False))
    ]
    called = f'mts_call("{spelling.name}", "{spelling.overload}", {{0}})'
    _print_stack(printer, node, passed, called, schema)


def _check_kinds(node: Node, spelling: Spelling, numbers: Sequence[Value]) -> None:
    """Check that numbers are of types for which the call is known to be the same.

    A number whose type is known only when the program runs is passed if it is the only one, and
    nothing hangs on its type. Raises `NotNative`.
    """
    given = [value for value in numbers if value.type not in (t.NONE, t.TENSOR)]
    is_one = len(given) < 2 or spelling.passed != "number"
    if not has_known_kind(given) and not (is_one and spelling.raises is None):
        raise NotNative(node, f"{operator_key(node)} of number")


def _may_be_root(exponent: Value) -> bool:
    """Return whether an exponent may be 0.5: of some dtypes that is a square root, and of others
    not, which differ for -inf and -0.0."""
    return exponent.type == t.FLOAT and to_python(exponent) in (0.5, NOT_CONSTANT)


def _called(spelling: Spelling, schema: Schema) -> Schema:
    """Return the schema of what is called, which is another one where it takes tensors."""
    if not spelling.scalars:
        return schema
    found = [each for each in schemas_for(spelling.name) if each.overload == spelling.overload]
    return found[0]


def _print_sum(printer: BlockPrinter, node: Node, sum: Sum) -> None:
    """Print a sum or difference, whose second operand may be a number. Raises `NotNative`."""
    first, second, *rest = node.inputs
    alpha = to_python(rest[0]) if rest else 1
    if alpha is NOT_CONSTANT or isinstance(alpha, complex):
        raise NotNative(node, node.kind)
    if alpha != 1 and second.type != t.TENSOR:
        raise NotNative(node, node.kind)
    if sum.is_difference and is_number(second.type):  # torch takes no bool from a tensor
        printer.leave_if(f"mts_number_kind({printer.variable(second)}) == 'b'", node)
    passed = [_passed_tensor(printer, first), _passed_number(printer, node, second, t.NUMBER)]
    if sum.is_reversed:
        passed.reverse()
    if isinstance(alpha, float) and second.type == t.TENSOR:
        are_ints = [f"mts_category(mts_dtype({printer.variable(x)})) < 2" for x in (first, second)]
        printer.leave_if(" && ".join(are_ints), node)
    is_difference = "true" if sum.is_difference else "false"
    called = f"{sum.function}({{0}}, {float(alpha)}, {is_difference})"
    schema = schema_of(node)
    assert schema is not None
    _print_stack(printer, node, passed, called, schema)


def _print_activation(
    printer: BlockPrinter, node: Node, activation: Activation, schema: Schema
) -> None:
    """Print an activation. Raises `NotNative` for numbers whose type is known at run time only."""
    first, *numbers = node.inputs
    if not has_known_kind(numbers):
        raise NotNative(node, f"{operator_key(node)} of number")
    operands = [printer.variable(value) for value in node.inputs]
    printer.leave_if(filled(activation.raises, operands), node)
    printer.function.has_shortcuts |= printer.function.takes_shortcuts
    texts = [
        scalar(printer, value) if activation.has_kinds else printer.read(value) for value in numbers
    ]
    called = f"{activation.function}(pool, {{0}}, {', '.join(texts)})"
    if activation.is_in_place:
        called += f" || mts_put_into({operands[0]}, {{0}})"
    _print_stack(printer, node, [_passed_tensor(printer, first)], called, schema)


def _print_padding(printer: BlockPrinter, node: Node, schema: Schema) -> None:
    """Print what pads a packed sequence. Raises `NotNative`, as `_print_activation`."""
    data, batch_sizes, batch_first, padding, length = node.inputs
    if not has_known_kind([padding]):
        raise NotNative(node, f"{operator_key(node)} of number")
    operands = [printer.variable(value) for value in (data, batch_sizes)]
    total = printer.variable(length)
    printer.leave_if(f"mts_is_no_packing({', '.join([*operands, total])})", node)
    given = [*operands, *map(printer.read, (batch_first, padding)), total]
    _print_stack(printer, node, ["0"], f"mts_pad_packed({{0}}, {', '.join(given)})", schema)


def _print_stack(
    printer: BlockPrinter, node: Node, passed: list[str], called: str, schema: Schema
) -> None:
    """Print the arguments, a call, and what takes its results over."""
    function = printer.function
    name = function.names.new("call")
    count = max(len(passed), len(node.outputs), 1)
    printer.line(f"uint64_t {name}[{count}] = {{{', '.join(passed)}}};")
    printer.leave_if(called.replace("{0}", name), node)
    function.has_lists = True
    for index, (output, returned) in enumerate(zip(node.outputs, schema.returns, strict=True)):
        _take(printer, output, returned.type, f"{name}[{index}]")


def _take(printer: BlockPrinter, output: Value, type: t.Type, text: str) -> None:
    """Print what takes a result over. Raises `NotNative`."""
    if type == t.TENSOR:
        printer.take_tensor(output, text)
    elif isinstance(type, t.ListType) and type.element in (t.TENSOR, t.INT, t.FLOAT):
        letter = "t" if type.element == t.TENSOR else "n"
        printer.make(output, f"mts_taken_list(pool, {text}, '{letter}')")
    elif type == t.FLOAT:
        printer.finish(output, f"mts_taken_float({text})")
    elif type == t.BOOL:
        printer.finish(output, f"(bool){text}")
    elif type == t.INT:
        printer.finish(output, f"(int64_t){text}")
    else:
        raise NotNative(output.node, type.annotation)


# ---- Arguments --------------------------------------------------------------------------------


def _passed(printer: BlockPrinter, node: Node, value: Value, type: t.Type) -> str:
    """Return the expression of an argument of an operator. Raises `NotNative`."""
    if isinstance(type, t.OptionalType):
        return _passed_optional(printer, node, value, type.element)
    if type == t.TENSOR:
        return _passed_tensor(printer, value)
    if type in _IN_A_NUMBER and value.type == type:
        return printer.read(value)
    if type == t.FLOAT and value.type == t.FLOAT:
        return f"mts_pass_float({printer.read(value)})"
    if type == t.STR and value.type == t.STR:
        return f"mts_pass_text({printer.read(value)})"
    if isinstance(type, t.ListType) and isinstance(value.type, t.ListType):
        return f"mts_pass_list({printer.operand(value)}, '{_letter_of(value, type.element)}')"
    raise NotNative(node, f"{operator_key(node)} of {type.annotation}")


def _passed_optional(printer: BlockPrinter, node: Node, value: Value, element: t.Type) -> str:
    if value.type == t.NONE:
        return "0"
    if not isinstance(value.type, t.OptionalType):
        return f"mts_pass_given({_passed(printer, node, value, element)})"
    name = printer.variable(value)
    if element == t.TENSOR:
        given = f"mts_pass_tensor({name})"
    elif element in _IN_A_NUMBER or element == t.FLOAT:
        given = f"{name}->items[0].i"
    elif element == t.STR:
        given = f"mts_pass_text({name})"
    elif isinstance(element, t.ListType):
        given = f"mts_pass_list({name}, '{_letter_of(value, element.element)}')"
    else:
        raise NotNative(value.node, value.type.annotation)
    return f"{name} ? mts_pass_given({given}) : 0"


def _letter_of(value: Value, element: t.Type) -> str:
    """Return the letter by which C is told how the items of a list are passed."""
    if element == t.TENSOR:
        return "t"
    if element == t.OptionalType(t.TENSOR):
        return "o"
    if element == t.STR:
        return "s"
    if element in (t.INT, t.FLOAT, t.BOOL):
        return "n"
    raise NotNative(value.node, value.type.annotation)


def _passed_tensor(printer: BlockPrinter, value: Value) -> str:
    if value.type != t.TENSOR:
        raise NotNative(value.node, value.type.annotation)
    return f"mts_pass_tensor({printer.variable(value)})"


def _passed_number(
    printer: BlockPrinter, node: Node, value: Value, type: t.Type, how: str = "number"
) -> str:
    """Return the expression of a number as a tensor, or of a tensor as such."""
    if value.type == t.TENSOR:
        return _passed_tensor(printer, value)
    if value.type == t.NONE:
        return "0"
    number = scalar(printer, value, as_float=how == "float")
    like = next((each for each in _partners(node) if each.type == t.TENSOR), None)
    if like is None:
        text = f"mts_pass_number({number})"
    else:
        text = f"mts_pass_scalar({printer.variable(like)}, {number})"
    return f"mts_pass_given({text})" if isinstance(type, t.OptionalType) else text


def _partners(node: Node) -> list[Value]:
    """Return the values whose dtype a number of an operator goes by."""
    return node.inputs[1:3] if node.kind == "aten::where" else node.inputs


def _parts(type: t.Type) -> tuple[t.Type, ...]:
    """Return a type and those of which it is made."""
    inner = getattr(type, "element", None)
    return (type,) if inner is None else (type, *_parts(inner))
