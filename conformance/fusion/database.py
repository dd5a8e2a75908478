"""The operators of torch's database that a kernel could compute, and how programs call them.

The database says of many operators what they are: of one operand, of two, reducing. The others,
such as `softmax` or `embedding`, are all `OpInfo`; those that compute elementwise, along rows or by
an index map are listed here. Factorisations, sorting, convolutions and views are no part of this.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch

KINDS = ("elementwise", "reduction", "normalisation", "loss", "index map", "scan")

_LISTED: dict[str, str] = {
    "elementwise": """
        addcmul addcdiv clamp lerp where masked_fill logaddexp2 isin cross
        nn.functional.hardswish nn.functional.leaky_relu nn.functional.gelu nn.functional.glu
        nn.functional.dropout nn.functional.dropout2d nn.functional.alpha_dropout
        to zeros_like ones_like full_like clone contiguous fill
    """,
    "reduction": """
        max.reduction_with_dim max.reduction_no_dim min.reduction_with_dim min.reduction_no_dim
        aminmax var_mean var_mean.unbiased std_mean std_mean.unbiased logsumexp norm norm.fro
        norm.inf linalg.norm median nanmedian kthvalue mode dist trace quantile
        nn.functional.cosine_similarity nn.functional.pairwise_distance linalg.vecdot
        dot vdot inner allclose equal
    """,
    "normalisation": """
        softmax softmax.with_dtype log_softmax log_softmax.with_dtype nn.functional.softmin
        nn.functional.softmin.with_dtype nn.functional.normalize nn.functional.layer_norm
        native_layer_norm nn.functional.group_norm nn.functional.instance_norm
        nn.functional.batch_norm nn.functional.rms_norm nn.functional.local_response_norm renorm
        torch.ops.aten._safe_softmax.default
    """,
    "loss": """
        nn.functional.mse_loss nn.functional.l1_loss nn.functional.smooth_l1_loss
        nn.functional.huber_loss nn.functional.kl_div nn.functional.soft_margin_loss
        nn.functional.binary_cross_entropy nn.functional.binary_cross_entropy_with_logits
        nn.functional.hinge_embedding_loss nn.functional.margin_ranking_loss
        nn.functional.gaussian_nll_loss nn.functional.poisson_nll_loss
        nn.functional.cosine_embedding_loss nn.functional.triplet_margin_loss
        nn.functional.multilabel_soft_margin_loss nn.functional.multi_margin_loss
        nn.functional.cross_entropy nn.functional.nll_loss
    """,
    "index map": """
        gather index_select take take_along_dim nn.functional.embedding nn.functional.one_hot
        tril triu flip fliplr flipud roll rot90 diff cat stack hstack vstack dstack repeat tile
        repeat_interleave index_fill nn.functional.pad.constant constant_pad_nd diagonal
        nn.functional.pixel_shuffle nn.functional.pixel_unshuffle nn.functional.channel_shuffle
        outer kron
    """,
    "scan": """
        cumsum cumprod cummax cummin logcumsumexp trapezoid cumulative_trapezoid
    """,
}
_SPELLED = {
    "nn.functional.embedding": "torch.nn.functional.embedding({1}, {0})",
    "max.binary": "torch.max", "min.binary": "torch.min",
    "where": "torch.where({1}, {0}, {2})", "polygamma": "torch.polygamma({1}, {0})",
    "special.polygamma": "torch.special.polygamma({1}, {0})",
    "torch.ops.aten._safe_softmax.default": "torch.ops.aten._safe_softmax",
}  # fmt: skip
"""What is called otherwise than the database's name says; `{0}` is a sample's input."""
_OPERATORS = {
    "__radd__": "+", "__rdiv__": "/", "__rmul__": "*", "__rsub__": "-", "__rand__": "&",
    "__ror__": "|", "__rxor__": "^", "__rmod__": "%", "__rpow__": "**",
}  # fmt: skip
"""Operators whose right operand is the tensor."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of the database.

    `called` is how a program calls it: `torch.sum`, `.to` of a method, `+` of what stands behind
    its operand, or the whole call with the arguments by number.
    """

    name: str
    kind: str
    called: str
    info: Any


def operators() -> list[Operator]:
    """Return the operators that could fuse, in the order of their kinds and names."""
    found = [Operator(name, kind, _called(name, info), info) for name, kind, info in _chosen()]
    return sorted(found, key=lambda each: (KINDS.index(each.kind), each.name.lower()))


def _chosen() -> Iterator[tuple[str, str, Any]]:
    database, core = torch_database()
    listed = {name: kind for kind, names in _LISTED.items() for name in names.split()}
    for info in database:
        name = f"{info.name}.{info.variant_test_name}" if info.variant_test_name else info.name
        if info.name.startswith("jiterator"):
            continue  # its text is compiled for GPUs alone
        if isinstance(info, core.ReductionOpInfo):
            yield name, "reduction", info
        elif isinstance(info, core.UnaryUfuncInfo | core.BinaryUfuncInfo):
            yield name, "elementwise", info
        elif name in listed:
            yield name, listed[name], info


def _called(name: str, info: Any) -> str:
    spelled = _SPELLED.get(name) or _SPELLED.get(info.name)
    if spelled is not None:
        return spelled
    if info.name in _OPERATORS:
        return _OPERATORS[info.name]
    path = info.name.removeprefix("torch.")
    place: Any = torch
    for part in path.split("."):
        place = getattr(place, part, None)
    return f"torch.{path}" if callable(place) else f".{path}"


def torch_database() -> tuple[list[Any], Any]:
    """Return torch's database and the module of its classes."""
    if "expecttest" not in sys.modules and importlib.util.find_spec("expecttest") is None:
        from conformance.upstream.stand_ins import expecttest

        sys.modules["expecttest"] = expecttest()
    # common_utils, which they import, puts calls of its own in the place of torch.jit's
    with (
        patch.object(torch._C.ScriptFunction, "__call__", torch._C.ScriptFunction.__call__),
        patch.object(torch._C.ScriptMethod, "__call__", torch._C.ScriptMethod.__call__),
    ):
        from torch.testing._internal import common_methods_invocations
        from torch.testing._internal.opinfo import core

    return common_methods_invocations.op_db, core
