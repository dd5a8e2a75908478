"""How what a group makes lies: each operator on inputs that lie in all ways, against eager."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from minits.kernels.launch.geometry import ShapeMismatch, geometry_of
from minits.kernels.lowering import NotFusable
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.ops.registry import schemas_for
from minits.types import types as t
from tests.kernels.lowered import graph_of, lower_for, programs
from tests.kernels.lying import any_shape, any_tensor, part_of

OF_ONE = [
    "a.sin()", "a * 2", "a.clamp(0, 1)", "torch.pow(2.0, a)", "torch.float_power(2.0, a)", "a ** 2",
    "torch.float_power(a, 3)", "torch.isinf(a)", "torch.isfinite(a)", "torch.where(a > 0, a, 2.0)",
    "torch.where(a > 0, 1.0, 2.0)", "F.hardtanh(a)", "F.relu6(a)", "F.logsigmoid(a)", "F.gelu(a)",
    "torch.nan_to_num(a)", "torch.zeros_like(a) + a", "torch.ones_like(a) * a",
    "torch.full_like(a, 2) - a",
    "torch.deg2rad(a)", "torch.rad2deg(a)", "a.clone()", "a.to(torch.float64)", "F.glu(a, -1)",
    "torch.softmax(a, -1)", "torch.log_softmax(a, -1)", "F.layer_norm(a, [a.size(-1)])",
    "torch.native_layer_norm(a, [a.size(-1)], None, None, 1e-5)[0]", "F.rms_norm(a, [a.size(-1)])",
    "F.group_norm(a, 1)", "F.group_norm(a, 2)", "a.sum(-1)", "a.mean(-1)",
    "a.prod(-1)", "a.var(-1)", "a.std(-1, keepdim=True)", "torch.var_mean(a, -1)[1]", "a.any(-1)",
    "torch.std_mean(a, -1)[0]", "a.all(-1)", "a.amax(-1)", "a.amin(-1)", "a.argmax(-1)",
    "a.argmin(-1)", "torch.aminmax(a, dim=-1)[0]", "a.max(-1)[0]", "a.min(-1)[0]",
    "torch.linalg.vector_norm(a, dim=-1)", "a.logsumexp(-1)",
    "torch.count_nonzero(a, -1)", "torch.rrelu(a)", "torch.xlogy(a, 2.0)", "(a.sin() * 2).cos()",
    "(a * 2).transpose(0, -1).exp()", "F.dropout(a, 0.5, False) * 1.5", "a.positive() + 1",
    "a.alpha_dropout() if False else a.exp()", "torch.feature_dropout(a, 0.5, False) + 1",
    "torch.alpha_dropout(a, 0.5, False) + 1", "torch.feature_alpha_dropout(a, 0.5, False) + 1",
    "a.detach() * 2", "torch.ops.aten.alias(a) * 2", "a.contiguous() * 2", "a[..., :1] + 1",
    "torch.special.ndtr(a)", "torch.special.entr(a)", "torch.special.i1(a)",
    "torch.special.log_ndtr(a)", "torch.special.erfcx(a)", "torch.special.i1e(a)",
    "torch.frexp(a)[0]", "torch.angle(a)",
    "a.nansum(-1)", "a.nanmean(-1)", "a.round(decimals=2)",
    "torch.special.zeta(a, 2.0)", "torch.special.zeta(2.0, a)",
    "torch.stack([a, a * 2], -1)", "torch.stack([a, a * 2], 1)", "torch.cat([a, a * 2], -1)",
]  # fmt: skip
OF_TWO = [
    "a + b", "a * b", "torch.rsub(a, b)", "torch.ldexp(a, b)", "torch.atan2(a, b)", "a > b",
    "a.masked_fill(b > 0, 0.5)", "torch.where(a > 0, b, a)", "F.mse_loss(a, b, reduction='none')",
    "F.l1_loss(a, b, reduction='none')", "F.smooth_l1_loss(a, b, reduction='none')",
    "F.smooth_l1_loss(a, b, reduction='none', beta=0.0)",
    "F.huber_loss(a, b, reduction='none')", "F.kl_div(a, b, reduction='none')",
    "F.soft_margin_loss(a, b, reduction='none')", "F.poisson_nll_loss(a, b, reduction='none')",
    "F.binary_cross_entropy_with_logits(a, b, reduction='none')", "a.expand_as(b) * 2",
    "F.binary_cross_entropy(a, b, reduction='none')", "F.hinge_embedding_loss(a, b)",
    "torch.cat([a, b], 1)", "torch.stack([a, b])",
    "torch.stack([a, b], -1)", "a.sin() + b.cos()", "torch.isclose(a, b)",
    "torch.addcmul(a, a, b)", "torch.lerp(a, b, 0.5)", "torch.maximum(a, b)", "a.type_as(b) * 2",
    "torch.prelu(a, b)", "torch.fmod(a, b)",
    "F.cosine_similarity(a, b, -1)", "F.pairwise_distance(a, b)", "torch.dist(a, b)",
    "torch.linalg.vecdot(a, b)",
    "F.margin_ranking_loss(a, b, a, reduction='none')",
    "torch.ldexp(b, a)", "torch.ldexp(a.double(), b)", "torch.ldexp(b.double(), a)",
]  # fmt: skip
MIXED = [(torch.float32,) * 2, (torch.float32,) * 2, (torch.int64, torch.float32),
         (torch.float32, torch.float64)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("signature", "expressions"), [
    ("a: Tensor", OF_ONE), ("a: Tensor, b: Tensor", OF_TWO),
], ids=["one", "two"])  # fmt: skip
def test_results_lie_as_in_eager(signature: str, expressions: list[str], tmp_path: Path) -> None:
    found = programs(tmp_path, signature, expressions)
    random = Random(0)
    never = []
    for text, function in found.items():
        graph = graph_of(function)
        checked = 0
        for _ in range(80):
            shape, (one, other) = any_shape(random, 1), random.choice(MIXED)
            arguments = [any_tensor(random, shape, one)]
            if "b" in signature:
                arguments.append(any_tensor(random, part_of(random, shape), other))
            checked += _check(text, function, graph, arguments)
        if not checked:
            never.append(text)
    assert not never


def calls_of_rows(signature: str) -> list[str]:
    """Calls of all operators that have a row, with tensors, and with a number for each of them."""
    tensors = signature.replace(": Tensor", "").split(", ")
    calls = []
    for kind in dict.fromkeys(kind for row in SCALAR_OPS.values() for kind in row.kinds):
        for schema in schemas_for(kind):
            types = [each.type for each in schema.arguments if not each.has_default]
            names = iter(tensors)
            given = [next(names, "") if each == t.TENSOR else "2.0" for each in types]
            is_plain = {*types} <= {t.TENSOR, t.NUMBER} and "out" not in schema.overload.lower()
            if is_plain and types.count(t.TENSOR) == len(tensors):
                calls.append(f"torch.ops.{kind.replace('::', '.')}({', '.join(given)})")
    return list(dict.fromkeys(calls))


@pytest.mark.one_in(2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("signature", ["a: Tensor", "a: Tensor, b: Tensor"])
def test_results_of_all_rows_lie_as_in_eager(signature: str, tmp_path: Path) -> None:
    """An operator of which eager has another rule than of loops over elements needs a row of it."""
    random = Random(1)
    for text, function in programs(tmp_path, signature, calls_of_rows(signature)).items():
        graph = graph_of(function)
        for _ in range(20):
            shape, (one, other) = any_shape(random, 1), random.choice(MIXED)
            arguments = [any_tensor(random, shape, one)]
            if "b" in signature:
                arguments.append(any_tensor(random, part_of(random, shape), other))
            _check(text, function, graph, arguments)


def _check(text: str, function: Any, graph: Any, arguments: list[Any]) -> bool:
    try:
        wanted = function(*arguments)
    except (RuntimeError, IndexError, ValueError):
        return False
    try:
        made = geometry_of(lower_for(graph, arguments), arguments)
    except (NotFusable, ShapeMismatch):
        return False
    given = [(tuple(x.shape), x.stride(), x.dtype) for x in arguments]
    assert made.allocated_strides == (wanted.stride(),), (text, given)
    return True
