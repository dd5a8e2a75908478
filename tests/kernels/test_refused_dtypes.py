"""Operators of tensors of two dtypes: where eager raises, no kernel runs; results have its dtype.

Every pair is tried on each two operands; those of one operator are of one dtype but for these.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from minits.ir.graph import Graph
from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import graph_of, lower_for, programs

DTYPES = [torch.float32, torch.float64, torch.float16, torch.int64, torch.bool, torch.uint8]
SHAPES = {"x": (3, 4, 5), "y": (3, 4, 5), "w": (5,), "c": (4,), "d": (4,)}
EXPRESSIONS = [
    "F.layer_norm(x, [5], w, w)", "F.layer_norm(x, [5], None, w)", "F.rms_norm(x, [5], w)",
    "torch.native_layer_norm(x, [5], w, w, 1e-5)[0]", "F.batch_norm(x, c, c.abs())",
    "F.batch_norm(x, c, c.abs(), d, d)", "F.batch_norm(x, c, d.abs(), c)",
    "F.group_norm(x, 2, c, d)", "F.group_norm(x, 1, c)", "F.instance_norm(x, weight=c, bias=d)",
    "F.prelu(x, c)", "F.mse_loss(x, y)", "F.l1_loss(x, y)", "F.smooth_l1_loss(x, y)",
    "F.smooth_l1_loss(x, y, beta=0.0)", "F.huber_loss(x, y)", "F.kl_div(x, y, reduction='sum')",
    "F.kl_div(x, y, log_target=True, reduction='none')", "F.soft_margin_loss(x, y)",
    "F.poisson_nll_loss(x, y)", "F.poisson_nll_loss(x, y, False, True)",
    "F.poisson_nll_loss(x, y, True, True, reduction='none')", "F.binary_cross_entropy(x, y)",
    "F.binary_cross_entropy_with_logits(x, y)",
    "F.binary_cross_entropy_with_logits(x, x, None, pos_weight=w)",
    "F.hinge_embedding_loss(x, y)",
    "F.margin_ranking_loss(x, y, x)", "F.cosine_similarity(x, y, -1)",
    "F.pairwise_distance(x, y)", "torch.dist(x, y)", "torch.linalg.vecdot(x, y)",
    "torch.lerp(x, y, 0.5)", "torch.addcmul(x, y, w)", "torch.addcdiv(x, y, w)",
    "torch.addcdiv(x, y, y)", "torch.where(x > 0, y, w)", "torch.clamp(x, y, w)", "x - y",
    "torch.isclose(x, y)", "F.hardtanh(x)", "torch.maximum(x, y)", "torch.logit(x, 0.1)",
]  # fmt: skip


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    signature = ", ".join(f"{name}: Tensor" for name in SHAPES)
    return programs(tmp_path_factory.mktemp("dtypes"), signature, EXPRESSIONS)


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_eager_refuses_has_no_kernel(functions: dict[str, Any], expression: str) -> None:
    function = functions[expression]
    graph, fused = graph_of(function), 0
    for arguments in _arguments(graph):
        dtypes = _kernel_dtypes(graph, arguments)
        if dtypes is not None:
            assert dtypes == [function(*arguments).dtype]
            fused += 1
    assert fused


def _kernel_dtypes(graph: Graph, arguments: list[Tensor]) -> list[torch.dtype] | None:
    try:
        outputs = lower_for(graph, arguments).kernel.outputs
    except NotFusable:
        return None
    return [output.value.dtype for output in outputs]


def _arguments(graph: Graph) -> Iterator[list[Tensor]]:
    """Yield tensors of one dtype but for those that the program reads last, of another."""
    used = [place for place, value in enumerate(graph.inputs) if value.uses]
    for one, other in itertools.product(DTYPES, DTYPES):
        for count in range(1, len(used) + 1):
            dtypes = [other if place in used[count:] else one for place in range(len(SHAPES))]
            yield [
                torch.full(shape, 0.5 if dtype.is_floating_point else 1, dtype=dtype)
                for shape, dtype in zip(SHAPES.values(), dtypes, strict=True)
            ]


RANKS = "F.margin_ranking_loss(x, x, w)"


def test_ranking_takes_tensors_of_one_rank(tmp_path: Path) -> None:
    (function,) = programs(tmp_path, "x: Tensor, w: Tensor", [RANKS]).values()
    x, w = torch.ones(3, 5), torch.ones(5)
    with pytest.raises(RuntimeError, match="same dim"):
        function(x, w)
    with pytest.raises(NotFusable):
        lower_for(graph_of(function), [x, w])
