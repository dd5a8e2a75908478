"""One name for operators that have several.

Before:
    %y : Tensor = aten::absolute(%x)
    %z : Tensor = aten::rsub(%x, %y, %one)
    %b : bool = aten::__is__(%p, %q)          # of two bools
After:
    %y : Tensor = aten::abs(%x)
    %z : Tensor = aten::sub(%y, %x, %one)
    %b : bool = aten::eq(%p, %q)

Source: torch/csrc/jit/passes/normalize_ops.cpp.
"""

from __future__ import annotations

from minits.ir.copying import clone_node
from minits.ir.graph import Graph, Node
from minits.types import types as t

_OF_ROWS = {
    "absolute": "abs", "absolute_": "abs_", "arccos": "acos", "arccos_": "acos_",
    "arccosh": "acosh", "arccosh_": "acosh_", "arcsin": "asin", "arcsin_": "asin_",
    "arcsinh": "asinh", "arcsinh_": "asinh_", "arctan": "atan", "arctan2": "atan2",
    "arctan2_": "atan2_", "arctan_": "atan_", "arctanh": "atanh", "arctanh_": "atanh_",
    "clip": "clamp", "clip_": "clamp_", "divide": "div", "divide_": "div_", "fix": "trunc",
    "fix_": "trunc_", "greater": "gt", "greater_": "gt_", "greater_equal": "ge",
    "greater_equal_": "ge_", "less": "lt", "less_": "lt_", "less_equal": "le", "less_equal_": "le_",
    "multiply": "mul", "multiply_": "mul_", "negative": "neg", "negative_": "neg_",
    "not_equal": "ne", "not_equal_": "ne_", "special_digamma": "digamma", "special_erf": "erf",
    "special_erfc": "erfc", "special_erfinv": "erfinv", "special_exp2": "exp2",
    "special_expit": "sigmoid", "special_expm1": "expm1", "special_gammaln": "lgamma",
    "special_i0": "i0", "special_log1p": "log1p", "special_logit": "logit",
    "special_psi": "digamma", "special_round": "round", "special_sinc": "sinc",
    "special_xlogy": "xlogy", "subtract": "sub", "subtract_": "sub_", "true_divide": "div",
    "true_divide_": "div_",
}  # fmt: skip
"""The `aliases` of rows in `minits.kernels.scalar_ops`, and those of the in-place operators.

Written from the rows by `UPDATE=1 pytest tests/passes/test_normalize_ops.py`, which compares them:
each new graph is normalized, but no row is needed, or imported, before a program is called.
"""
_OF_OTHERS = {
    "adjoint": "mH", "concat": "cat", "concatenate": "cat", "det": "linalg_det", "ger": "outer",
    "inverse": "linalg_inv", "linalg_matmul": "matmul", "matrix_exp": "linalg_matrix_exp",
    "matrix_power": "linalg_matrix_power", "moveaxis": "movedim",
    "orgqr": "linalg_householder_product", "row_stack": "vstack", "special_gammainc": "igamma",
    "special_gammaincc": "igammac", "special_log_softmax": "log_softmax",
    "special_logsumexp": "logsumexp", "special_multigammaln": "mvlgamma",
    "special_polygamma": "polygamma", "special_softmax": "softmax", "swapaxes": "transpose",
    "swapaxes_": "transpose_", "swapdims": "transpose", "swapdims_": "transpose_",
}  # fmt: skip
"""The aliases of operators that have no row."""
ALIASES = {f"aten::{alias}": f"aten::{name}" for alias, name in {**_OF_ROWS, **_OF_OTHERS}.items()}
_NORMALIZED = frozenset((*ALIASES, "aten::rsub", "aten::__is__", "aten::__isnot__"))


def normalize_ops(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in graph.nodes_of_kind(*graph.kinds_with(_NORMALIZED.__contains__)):
        changed |= _normalize(node)
    return changed


def _normalize(node: Node) -> bool:
    kind = node.kind
    if kind == "aten::rsub" and _is_plain_subtraction(node):
        first, second = node.inputs[:2]
        subtraction = _replace(node, "aten::sub")
        subtraction.set_input(0, second)
        subtraction.set_input(1, first)
    elif kind in ALIASES:
        _replace(node, ALIASES[kind])
    elif kind in ("aten::__is__", "aten::__isnot__") and _are_bools(node):
        _replace(node, "aten::eq" if kind == "aten::__is__" else "aten::ne")
    else:
        return False
    return True


def _replace(node: Node, kind: str) -> Node:
    """Put a node of another kind in its place; its results are new values, with new numbers."""
    other = clone_node(node.graph, node).insert_before(node)
    other.set_kind(kind)
    for old, new in zip(node.outputs, other.outputs, strict=True):
        old.replace_all_uses_with(new)
    node.destroy()
    return other


def _is_plain_subtraction(node: Node) -> bool:
    """Return whether tensors are subtracted into a tensor of their own, not into `out`."""
    types = [value.type for value in node.inputs]
    return len(types) == 3 and types[:2] == [t.TENSOR, t.TENSOR]


def _are_bools(node: Node) -> bool:
    return all(value.type == t.BOOL for value in node.inputs)
