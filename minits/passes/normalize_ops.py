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
from minits.ir.walks import rewrite
from minits.types import types as t

_PLAIN_AND_IN_PLACE = {
    "absolute": "abs", "clip": "clamp", "arccos": "acos", "arcsin": "asin", "arctan": "atan",
    "arctan2": "atan2", "arccosh": "acosh", "arcsinh": "asinh", "arctanh": "atanh",
    "fix": "trunc", "negative": "neg", "subtract": "sub", "greater_equal": "ge", "greater": "gt",
    "less_equal": "le", "less": "lt", "not_equal": "ne", "divide": "div", "multiply": "mul",
    "true_divide": "div", "swapdims": "transpose", "swapaxes": "transpose",
}  # fmt: skip
_PLAIN = {
    "det": "linalg_det", "matrix_power": "linalg_matrix_power",
    "matrix_exp": "linalg_matrix_exp", "ger": "outer", "linalg_matmul": "matmul",
    "inverse": "linalg_inv", "concat": "cat", "concatenate": "cat", "row_stack": "vstack",
    "moveaxis": "movedim", "orgqr": "linalg_householder_product", "adjoint": "mH",
    "special_erf": "erf", "special_erfc": "erfc", "special_erfinv": "erfinv",
    "special_expit": "sigmoid", "special_exp2": "exp2", "special_expm1": "expm1",
    "special_logit": "logit", "special_logsumexp": "logsumexp", "special_round": "round",
    "special_log1p": "log1p", "special_sinc": "sinc", "special_digamma": "digamma",
    "special_psi": "digamma", "special_i0": "i0", "special_xlogy": "xlogy",
    "special_log_softmax": "log_softmax", "special_multigammaln": "mvlgamma",
    "special_polygamma": "polygamma", "special_softmax": "softmax",
    "special_gammainc": "igamma", "special_gammaincc": "igammac", "special_gammaln": "lgamma",
}  # fmt: skip
ALIASES: dict[str, str] = {f"aten::{name}": f"aten::{other}" for name, other in _PLAIN.items()}
for _name, _other in _PLAIN_AND_IN_PLACE.items():
    ALIASES[f"aten::{_name}"] = f"aten::{_other}"
    ALIASES[f"aten::{_name}_"] = f"aten::{_other}_"
_NORMALIZED = (*ALIASES, "aten::rsub", "aten::__is__", "aten::__isnot__")


def normalize_ops(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return graph.may_have(*_NORMALIZED) and rewrite(graph.block, _normalize)


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
    other = clone_node(node.graph, node, lambda value: value).insert_before(node)
    other.set_kind(kind)
    for old, new in zip(node.outputs, other.outputs, strict=True):
        old.replace_all_uses_with(new)
    node.destroy()
    return other


def _is_plain_subtraction(node: Node) -> bool:
    """Whether tensors are subtracted into a tensor of their own, not into `out`."""
    types = [value.type for value in node.inputs]
    return len(types) == 3 and types[:2] == [t.TENSOR, t.TENSOR]


def _are_bools(node: Node) -> bool:
    return all(value.type == t.BOOL for value in node.inputs)
