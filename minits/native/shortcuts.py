"""Shortcuts: what C does itself where the call of torch's dispatcher costs more than the work.

    uint64_t call[] = {mts_pass_tensor(x), 0, a, b, 1};          x[a:b]
    if (mts_slice_view(pool, call)) { out[0].list = x; return 1; }

- A view that is only read is another tensor of the same memory. To torch it is no view: it would
  not count the writes to it.
- Small tensors are joined by copying, and a few rows multiplied with a weight. A library leaves
  these products to torch, which knows of autocast; those of a plan run where nothing observes.

The functions in C (`c/tensor_views.c`, `c/tensor_joins.c`, `c/products.c`) look at their tensors,
and call torch for those that they are not for. So they do in a call that may record gradients: the
second word of its pool is not set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import is_used, resolve, uses_of
from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node, Value
from minits.ir.points_to import JOINS, UNDECLARED
from minits.native.groups import KIND as GROUP
from minits.ops.properties import key_of, schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

VIEWS = {
    "aten::slice.Tensor": "mts_slice_view",
    "aten::select.int": "mts_select_view",
    "aten::unsqueeze": "mts_unsqueeze_view",
    "aten::squeeze.dim": "mts_squeeze_view",
    "aten::transpose.int": "mts_transpose_view",
    "aten::t": "mts_t_view",
    "aten::view": "mts_sizes_view",
}
"""The function in C of a view."""
NEGATING = ("aten::imag", "aten::_neg_view")
"""Operators whose results may have the negative bit: their memory has the negatives."""
_CAT, _LINEAR = "aten::cat", "aten::linear"
_TELL_VIEWS = frozenset(("aten::_version", "aten::_is_view", "aten::_base", "aten::is_leaf"))
_END = "INT64_MAX"
"""The end of a slice that has none."""


def may_take(graph: Graph, asks_python: bool) -> bool:
    """Return whether a graph may have shortcuts: only its inputs decide if gradients are recorded.

    asks_python: whether functions of Python are called, whose results may be anything
    """
    if asks_python or graph.nodes_of_kind(*NEGATING, "aten::requires_grad_"):
        return False
    modes = [node.input for node in graph.nodes_of_kind("aten::set_grad_enabled")]
    made = [node.inputs[-1] for node in graph.nodes_of_kind("aten::tensor")]
    return all(map(_leaves_off, modes)) and all(to_python(value) is False for value in made)


def _leaves_off(mode: Value) -> bool:
    """Return whether a mode is off, or one that was on before."""
    mode = resolve(mode)
    return to_python(mode) is False or mode.node.kind == "aten::is_grad_enabled"


def shortcut(printer: BlockPrinter, node: Node, key: str) -> tuple[list[str], str] | None:
    """Return the stack of a shortcut's call and the name of its function; None if there is none.

    key: the overload of the node
    """
    if not printer.function.takes_shortcuts:
        return None
    if key in VIEWS:
        if not _is_only_read(node.output):
            return None
        return _stack(printer, node, VIEWS[key])
    if key == _CAT or (key == _LINEAR and printer.function.has_python):
        return _stack(printer, node, "mts_cat_rows" if key == _CAT else "mts_linear_rows")
    return None


def _stack(printer: BlockPrinter, node: Node, function: str) -> tuple[list[str], str] | None:
    """Return numbers as they are, handles of tensors, and the addresses of lists."""
    passed = []
    for index, value in enumerate(node.inputs):
        if value.type == t.TENSOR:
            passed.append(f"mts_pass_tensor({printer.variable(value)})")
        elif value.type == t.INT:
            passed.append(f"(uint64_t){printer.read(value)}")
        elif value.type == t.NONE:
            passed.append(_END if function == "mts_slice_view" and index == 3 else "0")
        elif isinstance(value.type, t.ListType):
            passed.append(f"(uint64_t){printer.operand(value)}")
        else:
            return None
    return passed, function


def _is_only_read(value: Value) -> bool:
    """Return whether nothing writes to a tensor, nor gives it or a view of it to others."""
    return is_used(value) and all(_reads(use.user, use.offset) for use in uses_of(value))


def _reads(user: Node, index: int) -> bool:
    """Return whether a node only reads the tensor that is an operand, or an item of it."""
    if user.kind == GROUP:
        return True
    if user.kind == "prim::ListConstruct":
        return all(use.user.kind in JOINS for use in uses_of(user.output))
    schema = schema_of(user) if user.kind.startswith(("aten::", "prim::")) else None
    if schema is None or user.kind in UNDECLARED or user.kind in _TELL_VIEWS:
        return False
    if key_of(schema) in VIEWS and index == 0:
        return _is_only_read(user.output)
    return index < len(schema.arguments) and schema.arguments[index].alias is None
