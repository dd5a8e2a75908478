"""Operators that take a `Scalar` where torch's C interface has none, in terms of others.

Before:
    %y : Tensor = aten::lerp(%x, %end, %quarter)
After:
    %between : Tensor = aten::sub(%end, %x, %one)
    %part : Tensor = aten::mul(%between, %quarter)
    %y : Tensor = aten::add(%x, %part, %one)

What these others are in C stands in `tensor_operators.py`; activations, in `activations.py`. A
number that a tensor is asked for with `item()` is read as what the program converts it to.

Source: aten/src/ATen/native/native_functions.yaml; torch/_decomp/decompositions.py has the same
formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Value
from minits.native.activations import ACTIVATIONS, IS_BOOL, IS_NO_FLOAT
from minits.native.builder import Builder, Operand
from minits.native.c_types import is_number
from minits.native.tensor_operators import POWERS
from minits.ops.properties import key_of, schema_of
from minits.types import types as t
from minits.types.dtypes import DTYPE_CODES

Formula = Callable[..., Value | None]
"""A function of a builder and a node's inputs; None where it has no formula for these."""

DIFFERS = "mts_dtype({0}) != mts_dtype({1})"


def element(b: Builder, like: Value, number: Operand) -> Value:
    """Return a number as a tensor without dimensions that has the dtype of another one."""
    return b("aten::fill_", b("aten::new_empty", like, [], None, None, None, None), number)


def decompose(graph: Graph) -> None:
    """Replace the nodes that have a formula."""
    for node in list(graph.all_nodes()):
        if len(node.outputs) != 1 or not node.inputs:
            continue
        schema = schema_of(node)
        formula = None if schema is None else _formula(key_of(schema), node)
        found = formula(Builder(graph, node), *node.inputs) if formula else None
        if found is not None:
            node.output.replace_all_uses_with(found)
            node.destroy()
    for node in graph.nodes_of_kind("aten::item"):
        if not node.output.uses:
            node.destroy()


def records_otherwise(graph: Graph) -> bool:
    """Return whether a graph has operators that record other gradients than their formulas do.

    They keep an operand or their result for the gradient, which is an error once the program has
    written to it, as `v = F.elu(x, inplace=True); v.mul_(2)` does; or they have gradients of zero
    where the formula has none. Where gradients are recorded, C is not called.
    """
    for node in graph.all_nodes():
        schema = schema_of(node) if node.kind.startswith("aten::") else None
        key = "" if schema is None else key_of(schema)
        if key in POWERS and not _is_square(node.inputs[1]):
            return True
        if key in _PRODUCTS_AND_SUMS and to_python(node.inputs[3]) == 0:
            return True
        if key in _RECORDED_OTHERWISE:
            return True
    return False


def _formula(key: str, node: Node) -> Formula | None:
    """Return the formula of an operator; most are of numbers that are known to be real."""
    formula = FORMULAS.get(key)
    if formula is None or key in _OF_ANY_NUMBER:
        return formula
    is_any = any(is_number(value.type) or value.type == t.COMPLEX for value in node.inputs)
    return None if is_any else formula


# ---- New tensors ------------------------------------------------------------------------------


def _full(b: Builder, size: Value, number: Value, dtype: Value, *rest: Value) -> Value | None:
    if number.type not in _DTYPES and dtype.type == t.NONE:
        return None
    given: Operand = _dtype_of(number) if dtype.type == t.NONE else dtype
    return b("aten::fill_", b("aten::empty", size, given, *rest, None), number)


def _full_like(b: Builder, like: Value, number: Value, *rest: Value) -> Value:
    return b("aten::fill_", b("aten::empty_like", like, *rest), number)


def _new_full(b: Builder, like: Value, size: Value, number: Value, *rest: Value) -> Value:
    return b("aten::fill_", b("aten::new_empty", like, size, *rest), number)


def _scalar_tensor(b: Builder, number: Value, *rest: Value) -> Value:
    return b("aten::fill_", b("aten::empty", [], *rest, None), number)


def _tensor(kind: str) -> Formula:
    """Return the formula of a tensor on a device that the program computes: it is moved there."""

    def formula(
        b: Builder, data: Value, dtype: Value, device: Value, *requires_grad: Value
    ) -> Value | None:
        if to_python(device) is not NOT_CONSTANT or any(to_python(x) for x in requires_grad):
            return None
        made = b(kind, data, dtype, None, *requires_grad)
        return b("aten::to", made, None, None, device, None, False, False, None)

    return formula


def _tensor_of_number(b: Builder, number: Value) -> Value | None:
    if number.type not in _DTYPES:
        return None
    dtype = DTYPE_CODES[torch.float64] if number.type == t.FLOAT else _dtype_of(number)
    return b("aten::fill_", b("aten::empty", [], dtype, None, None, None, None), number)


def _arange(b: Builder, *inputs: Value) -> Value | None:
    """Counted by the CPU, and moved to the device that the program computes."""
    *numbers, dtype, layout, device, pin_memory = inputs
    if to_python(device) is not NOT_CONSTANT:
        return None
    counted = b("aten::arange", *numbers, dtype, layout, None, pin_memory)
    return b("aten::to", counted, None, None, device, None, False, False, None)


_DTYPES: dict[t.Type, int | None] = {
    t.FLOAT: None,
    t.INT: DTYPE_CODES[torch.int64],
    t.BOOL: DTYPE_CODES[torch.bool],
}
"""The dtype of a tensor of numbers; None for the default one."""


def _dtype_of(number: Value) -> int | None:
    return _DTYPES.get(number.type)


def _square(suffix: str = "") -> Formula:
    """Return the formula of `x ** 2`; a tensor of exponents takes a logarithm for each element."""

    def formula(b: Builder, x: Value, exponent: Value) -> Value | None:
        return b(f"aten::square{suffix}", x) if _is_square(exponent) else None

    return formula


def _is_square(exponent: Value) -> bool:
    content = to_python(exponent)
    return type(content) is int and content == 2


def _power_of_number(b: Builder, number: Value, exponent: Value) -> Value:
    """Return a power whose elements lie in rows, however those of the exponents do."""
    return b("aten::pow", number, b("aten::contiguous", exponent, 0))


# ---- Products and sums ------------------------------------------------------------------------


def _scaled(b: Builder, x: Value, number: Value) -> Value:
    return x if to_python(number) == 1 else b("aten::mul", x, element(b, x, number))


def _plus_product(product: str) -> Formula:
    """Return the formula of `beta * x + alpha * product(a, b)`."""

    def formula(
        b: Builder, x: Value, first: Value, second: Value, beta: Value, alpha: Value
    ) -> Value | None:
        if to_python(beta) is NOT_CONSTANT:
            return None  # if it is 0, x has no part in the result, not even its NaN
        if product != "aten::outer":
            b.raise_if(f"{DIFFERS} || {IS_BOOL}")
        elif t.FLOAT in (beta.type, alpha.type):
            b.raise_if(IS_NO_FLOAT.replace("!= 2", "< 2"))
        computed = _scaled(b, b(product, first, second), alpha)
        other = b("aten::expand_as", x, computed)
        is_outer = product == "aten::outer"  # whose elements lie as those of x
        if to_python(beta) == 0:
            return b("aten::where", _false(b), other, computed) if is_outer else computed
        terms = computed, _scaled(b, other, beta)
        return b("aten::add", *(reversed(terms) if is_outer else terms), 1)

    return formula


def _false(b: Builder) -> Value:
    return b("aten::zeros", [], DTYPE_CODES[torch.bool], None, None, None)


def _plus(operator: str) -> Formula:
    """Return the formula of `x + value * operator(a, b)`."""

    def formula(b: Builder, x: Value, first: Value, second: Value, value: Value) -> Value:
        kinds = [f"mts_category(mts_dtype({{{{{place}}}}})) < {{}}" for place in (0, 1, 2)]
        of_what = (4, 2, 2) if operator == "aten::div" else (1, 1, 1)
        pairs = zip(kinds, of_what, strict=True)
        b.raise_if(" && ".join([each.format(most) for each, most in pairs]))
        if to_python(value) == 1:
            return b("aten::add", x, b(operator, first, second), 1)
        part = b(operator, first, second)
        factor = element(b, b("aten::add", x, part, 1), value)
        return b("aten::add", x, b("aten::mul", part, factor), 1)

    return formula


def _variance(name: str) -> Formula:
    def formula(
        b: Builder, x: Value, dim: Value, correction: Value, keepdim: Value
    ) -> Value | None:
        number = to_python(correction)
        if number is not None and number not in (0, 1):
            return None
        return b(name, x, dim, number != 0, keepdim)

    return formula


def _lerp(b: Builder, start: Value, end: Value, weight: Value) -> Value | None:
    content = to_python(weight)
    if content is NOT_CONSTANT:
        return None
    b.raise_if(f"{DIFFERS} || {IS_NO_FLOAT}")
    if abs(content) < 0.5:
        between = b("aten::sub", end, start, 1)
        return b("aten::add", start, b("aten::mul", between, weight), 1)
    between = b("aten::sub", start, end, 1)  # the result's elements lie as those of the start
    return b("aten::add", b("aten::mul", between, 1 - content), end, 1)


def _root_of_squares(b: Builder, x: Value, dim: Value, keepdim: Value) -> Value:
    """Return the norm that torch takes where no order is told: of one or two dimensions, or all.

    The other operator, which takes any dimensions, warns that it is deprecated.
    """
    dims = to_python(dim)
    if dim.node.kind == "prim::ListConstruct":
        dims = list(dim.node.inputs)
    if dims is None or (isinstance(dims, list) and len(dims) in (1, 2)):
        return b("aten::linalg_norm", x, None, dim, keepdim, None)
    return b("aten::frobenius_norm", x, dim, keepdim)


def _norm(b: Builder, x: Value, p: Value, dim: Value, keepdim: Value) -> Value | None:
    order = 2 if p.type == t.NONE else to_python(p)
    if order == 1:
        b.raise_if(IS_NO_FLOAT.replace("!= 2", "< 2"))
        return b("aten::sum", b("aten::abs", x), dim, keepdim, None)
    return _root_of_squares(b, x, dim, keepdim) if order == 2 else None


def _einsum(b: Builder, *inputs: Value) -> Value | None:
    """Return the formula of `torch.einsum(x, [0, 1], y, [1, 2], [0, 2])`, of known lists."""
    tensors, lists = inputs[: len(inputs) // 2 * 2 : 2], inputs[1::2]
    result = inputs[-1:] if len(inputs) % 2 else ()
    found = [_subscripts(each) for each in (*lists, *result)]
    if any(value.type != t.TENSOR for value in tensors) or None in found:
        return None
    equation = ",".join([str(each) for each in found[: len(lists)]])
    equation += f"->{found[-1]}" if result else ""
    given = b("prim::ListConstruct", *tensors, type=t.ListType(t.TENSOR))
    return b("aten::einsum", equation, given, None)


def _subscripts(value: Value) -> str | None:
    """Return the letters of the dimensions that a list of ints names; None for another value."""
    items = to_python(value)
    if value.node.kind == "prim::ListConstruct":
        items = [to_python(each) for each in value.node.inputs]
    if not isinstance(items, list) or not all(type(x) is int and 0 <= x < 52 for x in items):
        return None
    return "".join([ascii_letters[(x + 26) % 52] for x in items])


def _norm_of_all(b: Builder, x: Value, p: Value) -> Value | None:
    return b("aten::linalg_norm", x, None, None, False, None) if to_python(p) == 2 else None


def _vector_norm(
    b: Builder, x: Value, order: Value, dim: Value, keepdim: Value, dtype: Value
) -> Value | None:
    power = to_python(order)
    if power not in (1, 2) or dtype.type != t.NONE:
        return None
    if power == 1:
        b.raise_if(IS_NO_FLOAT.replace("!= 2", "< 2"))
        return b("aten::sum", b("aten::abs", x), dim, keepdim, None)
    return _root_of_squares(b, x, dim, keepdim)


def _rrelu(
    b: Builder, x: Value, lower: Value, upper: Value, training: Value, generator: Value
) -> Value | None:
    """Return the formula of a leaky relu whose slope is drawn in training only; the elements of its
    result lie row by row."""
    bounds = [to_python(each) for each in (lower, upper)]
    if to_python(training) is not False or NOT_CONSTANT in bounds:
        return None
    return b("aten::leaky_relu", b("aten::contiguous", x, 0), sum(map(float, bounds)) / 2)


# ---- Sums into given tensors, and single numbers into many places ----------------------------


def _sum_into(kind: str) -> Formula:
    """Return the formula of `torch.add(x, y, alpha, out=out)`: a product with 1 goes there."""

    def formula(b: Builder, x: Value, y: Value, alpha: Value, out: Value) -> Value:
        found = b(kind, x, y, alpha)
        one = b("aten::fill_", b("aten::new_empty", found, [], None, None, None, None), 1)
        return b("aten::mul", found, one, out)

    return formula


def _copied_into(kind: str) -> Formula:
    """Return the formula of `torch.rsub(x, y, out=out)`: `out` has to be of the same dtype."""

    def formula(b: Builder, *inputs: Value) -> Value:
        *operands, out = inputs
        return b("aten::detach_copy", b(kind, *operands), out)

    return formula


def _scatter(kind: str) -> Formula:
    def formula(b: Builder, x: Value, dim: Value, index: Value, number: Value) -> Value:
        size = b("aten::size", index, type=t.ListType(t.INT))
        numbers = b("aten::new_empty", x, size, None, None, None, None)
        return b(kind, x, dim, index, b("aten::fill_", numbers, number))

    return formula


def _index_add(is_in_place: bool) -> Formula:
    """Return the formula of adding rows to those that an index names: a scatter of the last
    dimension, to which the index is expanded."""

    def formula(
        b: Builder, x: Value, dim: Value, index: Value, source: Value, alpha: Value
    ) -> Value | None:
        at = to_python(dim)
        if at is NOT_CONSTANT or to_python(alpha) is NOT_CONSTANT:
            return None
        b.raise_if(f"mts_adds_no_index({{0}}, {at}, {{1}}, {{2}})")
        result = x if is_in_place else b("aten::clone", x, _CONTIGUOUS)
        to_int64 = (DTYPE_CODES[torch.int64], None, None, None, False, False, None)
        added = b("aten::transpose", source, at, -1)
        places = b("aten::expand_as", b("aten::to", index, *to_int64), added)
        if to_python(alpha) != 1:
            added = b("aten::mul", added, element(b, source, alpha))
        b("aten::scatter_add_", b("aten::transpose", result, at, -1), -1, places, added)
        return result

    return formula


_CONTIGUOUS = 0
"""The number of `torch.contiguous_format`."""


def _filled(b: Builder, x: Value, number: Value) -> Value:
    return b("aten::fill_", b("aten::empty_like", x, None, None, None, None, None), number)


def _to(
    b: Builder, x: Value, device: Value, dtype: Value, non_blocking: Value, copy: Value
) -> Value:
    return b("aten::to", x, dtype, None, device, None, non_blocking, copy, None)


def _to_dtype(b: Builder, x: Value, dtype: Value, non_blocking: Value, copy: Value) -> Value:
    return b("aten::to", x, dtype, None, None, None, non_blocking, copy, None)


def _as(kind: str) -> Formula:
    """Return the formula of an operator of one tensor that has another name for the dispatcher."""

    def formula(b: Builder, x: Value) -> Value:
        return b(kind, x)

    return formula


def _cpu(b: Builder, x: Value) -> Value:
    return b("aten::to", x, None, None, torch.device("cpu"), None, False, False, None)


# ---- Numbers of tensors -----------------------------------------------------------------------


def _of_item(kind: str) -> Formula:
    """Return the formula of `float(x.item())`, which reads the tensor itself.

    That of `int(x.item())` is another number beyond 32 bits.
    """

    def formula(b: Builder, number: Value) -> Value | None:
        if number.node.kind != "aten::item":
            return None
        return b(kind, number.node.inputs[0], type=_NUMBERS[kind])

    return formula


_NUMBERS = {"aten::Float": t.FLOAT, "aten::Bool": t.BOOL}

FORMULAS: dict[str, Formula] = {
    "aten::full": _full,
    "aten::full_like": _full_like,
    "aten::new_full": _new_full,
    "aten::scalar_tensor": _scalar_tensor,
    **{
        f"{kind}{overload}": _tensor(kind)
        for kind in ("aten::tensor", "aten::as_tensor")
        for overload in (
            ".int",
            ".float",
            ".bool",
            ".complex",
            "" if kind == "aten::tensor" else ".list",
        )
    },
    "aten::arange": _arange,
    "aten::arange.start": _arange,
    "aten::arange.start_step": _arange,
    "aten::pow.Tensor_Scalar": _square(),
    "aten::pow_.Scalar": _square("_"),
    "aten::pow.Scalar": _power_of_number,
    "prim::NumToTensor.Scalar": _tensor_of_number,
    "prim::NumToTensor.bool": _tensor_of_number,
    "aten::rrelu": _rrelu,
    "aten::addmm": _plus_product("aten::mm"),
    "aten::addmv": _plus_product("aten::mv"),
    "aten::addr": _plus_product("aten::outer"),
    "aten::baddbmm": _plus_product("aten::bmm"),
    "aten::addcmul": _plus("aten::mul"),
    "aten::addcdiv": _plus("aten::div"),
    "aten::std.correction": _variance("aten::std"),
    "aten::var.correction": _variance("aten::var"),
    "aten::lerp.Scalar": _lerp,
    "aten::norm.ScalarOpt_dim": _norm,
    "aten::norm.Scalar": _norm_of_all,
    "aten::linalg_vector_norm": _vector_norm,
    "aten::add.out": _sum_into("aten::add"),
    "aten::sub.out": _sum_into("aten::sub"),
    "aten::rsub.Tensor_out": _copied_into("aten::rsub"),
    "aten::mul.Scalar_out": _copied_into("aten::mul"),
    "aten::div.Scalar_out": _copied_into("aten::div"),
    "aten::einsum.sublist": _einsum,
    "prim::abs": _as("aten::abs"),
    "prim::data": _as("aten::data"),
    "aten::scatter.value": _scatter("aten::scatter"),
    "aten::scatter_.value": _scatter("aten::scatter_"),
    "aten::index_add": _index_add(is_in_place=False),
    "aten::index_add_": _index_add(is_in_place=True),
    "aten::fill.Scalar": _filled,
    "aten::to.prim_Device": _to,
    "aten::to.prim_dtype": _to_dtype,
    "aten::cpu": _cpu,
    "aten::Float.Scalar": _of_item("aten::Float"),
    "aten::Bool.Scalar": _of_item("aten::Bool"),
}
"""By overload, or by operator."""
_PRODUCTS_AND_SUMS = ("aten::addmm", "aten::addmv", "aten::baddbmm")
_RECORDED_OTHERWISE = frozenset((
    *ACTIVATIONS, "aten::rrelu", "aten::addcdiv", "aten::norm.ScalarOpt_dim",
    "aten::linalg_vector_norm", "aten::fill.Scalar", "aten::index_add", "aten::index_add_",
    "aten::_pad_packed_sequence",
))  # fmt: skip
"""By `records_otherwise`; products and sums only where x has no part in the result."""
_OF_ANY_NUMBER = frozenset((
    "aten::full", "aten::full_like", "aten::new_full", "aten::fill.Scalar", "aten::scatter.value",
    "aten::scatter_.value", "aten::tensor.complex", "aten::as_tensor.complex",
    "aten::mul.Scalar_out", "aten::div.Scalar_out", "aten::Float.Scalar", "aten::Bool.Scalar",
    "aten::pow.Scalar",
))  # fmt: skip
