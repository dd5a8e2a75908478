"""The fastest way from Python to a tensor operator.

torch's generated bindings (`torch.add`, `Tensor.add_`, `torch._C._nn.linear`) take half the time of
`torch.ops.aten.add.Tensor`. They choose the overload again from the Python arguments, and find the
same one, provided that dtypes, devices, layouts and memory formats, which IR writes as numbers, are
handed over as Python objects. What torch warns of in a binding becomes a warning of Python's, else
it is written to stderr. A call for which that cannot be known goes through the operator table
(`minits.ops.evaluate`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from minits import torch_internals as internals
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.ops.registry import is_lasting, kept_by_operator, schemas_for
from minits.ops.schema import Argument, Schema
from minits.types import types as t
from minits.types.dtypes import DTYPES, LAYOUTS, MEMORY_FORMATS

_NAMESPACES = (
    internals.FUNCTIONS, internals.NN, internals.LINALG, internals.SPECIAL, internals.FFT,
)  # fmt: skip
_AS_NUMBERS = {"ScalarType": DTYPES, "Layout": LAYOUTS, "MemoryFormat": MEMORY_FORMATS}
_PLAIN = frozenset(
    "Tensor number int float bool str Device List[Tensor] List[int] List[float] List[bool] "
    "List[number]".split()
)
_REFUSED = frozenset(
    "tensor as_tensor len dim_ size stride __getitem__ norm_except_dim data requires_grad_ "
    "backward is_leaf output_nr _version retain_grad stft istft set_ resize_ item_ "
    "slice index _index_put_impl_ unique_dim quantize_per_tensor qscheme "
    "promote_types result_type can_cast range sparse_coo_tensor sparse_compressed_tensor "
    "sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor randint_like".split()
)
"""Names whose binding is another function, or reads its arguments differently.

`randint_like` is one of those that cut its result off from gradients: its operator does not."""
_REFUSED_OVERLOADS = frozenset(
    "aten::bernoulli.Tensor aten::to.dtype_layout aten::max.unary_out aten::min.unary_out "
    "aten::linspace.Tensor_Tensor aten::linspace.Tensor_Scalar aten::linspace.Scalar_Tensor "
    "aten::logspace.Tensor_Tensor aten::logspace.Tensor_Scalar aten::logspace.Scalar_Tensor".split()
)
"""Overloads that the binding of their name does not accept, or cuts off from gradients."""


class TorchCall(NamedTuple):
    """A call `function(*positional, **keywords)`; arguments are values or Python objects.

    `makes_list` says that the binding returns a tuple where the operator returns a list.
    """

    name: str
    function: Callable[..., Any]
    positional: list[Any]
    keywords: dict[str, Any]
    makes_list: bool


class Literal(NamedTuple):
    """An argument whose value is known when the code is generated: a Python object."""

    value: Any


class FromNumber(NamedTuple):
    """A dtype, which is the number `value` of `table` at run time."""

    table: dict[int, Any]
    value: Value


def torch_call(node: Node, schema: Schema) -> TorchCall | None:
    """Return the call of a binding that is the same as the node, or None."""
    function = _binding(schema.name, schema.overload, _is_method(schema))
    if function is None or _is_refused(schema) or len(node.inputs) != len(schema.arguments):
        return None
    arguments = [_argument(*pair) for pair in zip(schema.arguments, node.inputs, strict=True)]
    if any(argument is NOT_CONSTANT for argument in arguments):
        return None
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for formal, actual in zip(schema.arguments, arguments, strict=True):
        if formal.kwarg_only or _is_by_name(schema, formal):
            keywords[formal.name] = actual
        else:
            positional.append(actual)
    keywords = {name: value for name, value in keywords.items() if value is not _DEFAULT}
    while positional and positional[-1] is _DEFAULT:
        positional.pop()
    if _DEFAULT in positional:
        positional = [
            value if value is not _DEFAULT else Literal(formal.default)
            for formal, value in zip(schema.arguments, positional, strict=False)
        ]
    makes_list = len(schema.returns) == 1 and isinstance(schema.returns[0].type, t.ListType)
    short = schema.name.removeprefix("aten::")
    return TorchCall(f"torch_{short}", function, positional, keywords, makes_list)


def _is_refused(schema: Schema) -> bool:
    """Return whether several results go to arguments, or lists are among several results."""
    lists = any(isinstance(result.type, t.ListType) for result in schema.returns)
    outs = [a.name for a in schema.arguments if a.kwarg_only and a.alias and a.alias.is_write]
    return schema.is_vararg or outs not in ([], ["out"]) or (lists and len(schema.returns) > 1)


def _is_by_name(schema: Schema, formal: Argument) -> bool:
    """Return whether the binding takes a parameter by name only.

    A positional `alpha` would select a deprecated overload with another order of parameters.
    """
    if "MemoryFormat" in (formal.real_type or ""):
        return True
    name = schema.name.removeprefix("aten::").rstrip("_")
    return formal.name == "alpha" and name in ("add", "sub", "subtract", "rsub")


_DEFAULT = object()


def _argument(formal: Argument, actual: Value) -> Any:
    """Return the value, or a literal, or `_DEFAULT`.

    `NOT_CONSTANT` says that it cannot be handed over.
    """
    content = to_python(actual)
    known = content is not NOT_CONSTANT and formal.has_default
    if known and formal.name != "reduction" and _same(content, formal.default):
        return _DEFAULT  # of `reduction`, some bindings have another default than the schema
    if content is None and formal.has_default and formal.default is not None:
        return NOT_CONSTANT  # the binding takes None for its own default
    real = formal.real_type or ""
    if real.startswith("Optional["):
        real = real[len("Optional[") : -1]
    table = _AS_NUMBERS.get(real)
    if table is not None:
        if content is None:
            return Literal(None)
        if content is NOT_CONSTANT and actual.node.kind == "prim::dtype":
            return FromNumber(table, actual)
        is_known = isinstance(content, int) and content in table
        return Literal(table[content]) if is_known else NOT_CONSTANT
    is_plain = real in _PLAIN or (real == "List[Optional[Tensor]]" and _has_no_none(actual))
    return actual if is_plain else NOT_CONSTANT


def _has_no_none(tensors: Value) -> bool:
    """Return whether a list is made of tensors alone: bindings take no list with None."""
    made = tensors.node
    return made.kind == "prim::ListConstruct" and all(x.type == t.TENSOR for x in made.inputs)


def _same(content: Any, default: Any) -> bool:
    return type(content) is type(default) and bool(content == default)


def _is_method(schema: Schema) -> bool:
    return bool(schema.arguments) and schema.arguments[0].type == t.TENSOR


@kept_by_operator
def _binding(name: str, overload: str, may_be_method: bool) -> Callable[..., Any] | None:
    namespace, _, short = name.partition("::")
    if namespace != "aten" or short in _REFUSED:
        return None
    if not is_lasting(name):
        return None  # an overload that torch's bindings do not know
    full = f"{name}.{overload}" if overload else name
    if full in _REFUSED_OVERLOADS or not internals.has_kernel(full):
        return None
    if "out" in overload.split("_") and _is_generated(name, overload):
        return None
    if _takes_tensors_or_numbers(name, overload):
        return None
    for location in _NAMESPACES:
        found: Callable[..., Any] | None = getattr(location, short, None)
        if found is not None:
            return found
    if may_be_method and not short.startswith("__"):
        method = getattr(internals.TENSOR_BASE, short, None)
        return method if callable(method) else None
    return None


def _is_generated(name: str, overload: str) -> bool:
    """Return whether torch has made an overload with `out=` that its bindings do not know."""
    found = internals.operation(name, overload)
    return found is None or torch.Tag.generated in found[2]


def _takes_tensors_or_numbers(name: str, overload: str) -> bool:
    """Return whether an overload takes a list of tensors where another one takes one of numbers.

    The binding takes an empty list for numbers: `_foreach_clamp_min_(xs, [])` is `.ScalarList`
    there, which reads past the end of its list.
    """
    of_overload = {schema.overload: _lists(schema) for schema in schemas_for(name)}
    own = of_overload[overload]
    return any(
        {own[place], other[place]} == {"List[Tensor]", "List[number]"}
        for other in of_overload.values()
        for place in own.keys() & other.keys()
    )


def _lists(schema: Schema) -> dict[int, str]:
    """Return the types of the parameters that are lists, by their places."""
    texts = [argument.real_type or "" for argument in schema.arguments]
    return {place: text for place, text in enumerate(texts) if text.startswith("List[")}
