"""Reductions, normalisations and losses become kernels that compute what eager does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import check, graph_of, lower_for, programs, run

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
SIGNATURE = "x: Tensor, y: Tensor, w: Tensor, b: Tensor, n: int"

REDUCTIONS = [
    "x.sum()", "x.sum(-1)", "x.sum([1, 2])", "x.sum([-1], keepdim=True)",
    "x.sum(-1, dtype=torch.float64)",
    "x.mean()", "x.mean(2)", "x.mean([1, 2], True)", "x.mean(-1, dtype=torch.float32)",
    "x.prod()", "x.prod(-1)", "x.amax(-1)", "x.amin([-1, -2], keepdim=True)", "x.amax()",
    "x.max()", "x.min()", "torch.max(x, y)", "torch.min(x, y)", "x.max(-1)",
    "x.min(2, keepdim=True)",
    "x.argmax()", "x.argmax(-1)", "x.argmin(-1, keepdim=True)", "x.var()", "x.var(-1)",
    "x.var(-1, unbiased=False)", "x.std(-1, keepdim=True)", "x.std()",
    "x.var([1, 2], correction=0)",
    "torch.var_mean(x, -1)", "torch.std_mean(x, -1, keepdim=True)", "torch.aminmax(x, dim=-1)",
    "x.any()", "x.all()", "x.any(-1)", "(x > 0).all(-1, keepdim=True)", "x.count_nonzero(-1)",
    "x.logsumexp(-1)", "x.logsumexp([1, 2], keepdim=True)", "torch.linalg.vector_norm(x)",
    "torch.linalg.vector_norm(x, dim=-1)", "torch.linalg.vector_norm(x, 1, -1)",
    "torch.linalg.vector_norm(x, 3.0, -1)", "torch.linalg.vector_norm(x, float('inf'), -1)",
    "torch.linalg.vector_norm(x, 0, -1, True)", "torch.linalg.vector_norm(x, -float('inf'), -1)",
    "x.nansum(-1)", "x.nansum()", "x.nansum([1, 2], keepdim=True)", "x.nanmean(-1)", "x.nanmean()",
    "F.cosine_similarity(x, y, -1)", "F.cosine_similarity(x, w, 2)", "F.pairwise_distance(x, y)",
    "F.pairwise_distance(x, w, 1.0, keepdim=True)", "F.pairwise_distance(x, y, float('inf'))",
    "torch.dist(x, y)", "torch.dist(x, w, 3.0)", "torch.dist(x, y, 0.0)",
    "torch.linalg.norm(x)", "torch.linalg.norm(x, dim=-1)", "torch.linalg.norm(x, 3.0, -1, True)",
    "torch.linalg.norm(x, dim=[1, 2])", "torch.linalg.vecdot(x, y)",
    "torch.linalg.vecdot(x, w, dim=2)", "torch.linalg.vecdot(w, b)",
]  # fmt: skip
BETWEEN = [
    "x - x.mean(-1, keepdim=True)", "x / x.sum(-1).unsqueeze(-1)", "(x * y).sum(-1) * 2",
    "x.amax(-1) + y.sum(-1)", "x.sum(-1) + w[0]", "(x * w).sum([1, 2], keepdim=True) * x",
    "x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * w",
    "x.sum(-1, keepdim=True).expand_as(x) * x", "x.sum(-1)[:, :, None] * 2",
    "(x.sum(-1), x + y)", "(x.amax(-1, keepdim=True), x * 2, x.argmax(-1))",
    "x.softmax(-1).sum(-1)", "x + x.sum()", "x.sum(-1).exp().log()",
]  # fmt: skip
NORMS = [
    "x.softmax(-1)", "(x * 2 + y).softmax(2)", "x.softmax(-1, dtype=torch.float64)",
    "x.log_softmax(-1)", "F.softmin(x, -1)", "F.softmax(x / 3 + y, dim=-1) * w",
    "F.layer_norm(x, [5])", "F.layer_norm(x, [5], w, b, 1e-3)", "F.layer_norm(x, [4, 5])",
    "F.layer_norm(x + y, [n], w, b) + y", "F.layer_norm(x, [5], w)",
    "F.rms_norm(x, [5])", "F.rms_norm(x, [5], w, 1e-3)", "F.rms_norm(x, [4, 5])",
    "F.batch_norm(x, b[:4], w[:4].abs())", "F.batch_norm(x, w[:4], b[:4].abs(), w[1:], b[:4]) * 2",
    "F.group_norm(x, 1)", "F.group_norm(x, 1, w[:4], b[:4])", "F.instance_norm(x)",
    "F.group_norm(x, 4)", "F.group_norm(x, 4, w[:4], b[:4])",
    "F.group_norm(x, 2, w[:4], b[:4])",
    "F.instance_norm(x, weight=w[:4], bias=b[:4])", "F.normalize(x, dim=-1)",
    "F.glu(x[:, :, :4])", "F.glu(x, dim=1)", "F.prelu(x, w[:4])", "F.prelu(x, w[:1])",
]  # fmt: skip
LOSSES = [
    "F.mse_loss(x, y, reduction={0})", "F.l1_loss(x, y, reduction={0})",
    "F.smooth_l1_loss(x, y, reduction={0})", "F.smooth_l1_loss(x, y, reduction={0}, beta=0.3)",
    "F.smooth_l1_loss(x, y, reduction={0}, beta=0.0)",
    "F.huber_loss(x, y, reduction={0}, delta=0.7)", "F.kl_div(x, y.abs(), reduction={0})",
    "F.kl_div(x, y, reduction={0}, log_target=True)", "F.soft_margin_loss(x, y, reduction={0})",
    "F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y), reduction={0})",
    "F.binary_cross_entropy_with_logits(x, torch.sigmoid(y), reduction={0})",
    "F.binary_cross_entropy_with_logits(x, y, w, reduction={0}, pos_weight=b)",
    "F.hinge_embedding_loss(x, torch.sign(y), 0.7, reduction={0})",
    "F.margin_ranking_loss(x, y, torch.sign(y), 0.3, reduction={0})",
]  # fmt: skip
EXPRESSIONS = [
    *REDUCTIONS,
    *BETWEEN,
    *NORMS,
    *[loss.format(repr(how)) for loss in LOSSES for how in ("none", "mean", "sum")],
]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("rows"), SIGNATURE, EXPRESSIONS)


def arguments(dtype: torch.dtype, shape: tuple[int, ...] = (3, 4, 5)) -> list[Any]:
    """Two tensors of the shape, two of its last dimension, and the size of that."""
    generator = torch.Generator().manual_seed(0)
    shapes = [shape, shape, shape[-1:], shape[-1:]]
    tensors = [torch.randn(each, generator=generator).to(dtype) for each in shapes]
    return [*tensors, shape[-1]]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_dtypes(functions: dict[str, Any], expression: str) -> None:
    for dtype in FLOATS:
        check(functions[expression], arguments(dtype))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("expression", REDUCTIONS)
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32, torch.uint8, torch.bool])
def test_integers(functions: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    *tensors, n = arguments(torch.float32)
    given = [(each * 3).abs().to(dtype) for each in tensors]
    check(functions[expression], [*given, n], may_refuse=True)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("expression", [*REDUCTIONS, *BETWEEN])
@pytest.mark.parametrize("shape", [(3, 4, 1), (1, 1, 1), (0, 4, 5), (3, 4, 0)])
def test_shapes(functions: dict[str, Any], expression: str, shape: tuple[int, ...]) -> None:
    check(functions[expression], arguments(torch.float32, shape), may_refuse=True)


def test_extremes_of_special_values(functions: dict[str, Any]) -> None:
    x, *others = arguments(torch.float32)
    x[0, 0, 1], x[1, 1, 1], x[2, 2, :] = float("nan"), float("inf"), float("-inf")
    for expression in (
        "x.amax(-1)",
        "x.max(-1)",
        "x.argmax(-1)",
        "x.softmax(-1)",
        "x.logsumexp(-1)",
        "x.nansum(-1)",
        "x.nanmean(-1)",
    ):
        check(functions[expression], [x, *others])


SINGLE = [
    "torch.native_layer_norm(x, [5], w, b, 1e-5)", "F.layer_norm(x, [5])", "x.amax(-1)",
    "F.group_norm(x, 4)",
]  # fmt: skip


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("single"), SIGNATURE, SINGLE)


def test_native_layer_norm(single: dict[str, Any]) -> None:
    for dtype in (torch.float32, torch.float64):
        check(single[SINGLE[0]], arguments(dtype))


def test_as_many_groups_as_channels_are_relied_upon(single: dict[str, Any]) -> None:
    lowered = lower_for(graph_of(single["F.group_norm(x, 4)"]), arguments(torch.float32))
    run(lowered, arguments(torch.float32, (2, 4, 7)))
    with pytest.raises(RuntimeError, match="a size of 8 where the program says 4"):
        run(lowered, arguments(torch.float32, (2, 8, 5)))


@pytest.mark.parametrize("expression", SINGLE[1:3])
def test_sizes_that_eager_refuses(single: dict[str, Any], expression: str) -> None:
    lowered = lower_for(graph_of(single[expression]), arguments(torch.float32))
    run(lowered, arguments(torch.float32, (2, 7, 5)))
    with pytest.raises(RuntimeError):
        run(lowered, arguments(torch.float32, (2, 7, 0)))
    if "norm" in expression:
        with pytest.raises(RuntimeError):
            run(lowered, arguments(torch.float32, (2, 7, 6)))


REFUSED = {
    "torch.linalg.norm(x, 1.0, [1, 2])": "not-elementwise",
    "torch.linalg.norm(x, 'fro', [1, 2])": "not-elementwise",
    "x.sum(0)": "reduction",
    "x.softmax(0)": "reduction",
    "x.sum(-1) + x.sum([1, 2]).unsqueeze(-1)": "reduction",
    "x.softmax(-1).transpose(0, 1) + 1": "shape",
    "F.batch_norm(x, None, None, training=True)": "reduction",
    "F.dropout(x, 0.5, True)": "random",
    "torch.sort(x)[0]": "not-elementwise",
    "x.kthvalue(2)[0]": "not-elementwise",
    "F.layer_norm(x, [4])": "shape",
    "x.contiguous()": "view",
    "x.view(-1)": "view",
    "x.to(torch.complex64)": "dtype",
    "x.sum(-1).sum()": "reduction",
    "torch.linalg.vecdot(w, b[:1])": "shape",
    "F.soft_margin_loss(w, x)": "shape",
    "torch.ops.aten.binary_cross_entropy_with_logits(x, w)": "shape",
    "torch.ops.aten.binary_cross_entropy_with_logits(w, b, x)": "shape",
    "torch.ops.aten.binary_cross_entropy_with_logits(w[:1], b)": "shape",
}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_product_of_two_vectors_is_rounded_once(
    functions: dict[str, Any], dtype: torch.dtype
) -> None:
    """Where each product is rounded, the sum of these is 0: the first is 1 + 2 * e + e * e."""
    e = torch.finfo(dtype).eps
    w, b = torch.tensor([1 + e, 1 + 2 * e], dtype=dtype), torch.tensor([1 + e, -1], dtype=dtype)
    given = [w, w, w, b, 1]
    (found,) = run(lower_for(graph_of(functions["torch.linalg.vecdot(w, b)"]), given), given)
    assert found.item() == torch.linalg.vecdot(w, b).item() == e * e


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("refused"), SIGNATURE, [*REFUSED])


@pytest.mark.parametrize("expression", REFUSED)
def test_refusals(refused: dict[str, Any], expression: str) -> None:
    with pytest.raises(NotFusable) as refusal:
        lower_for(graph_of(refused[expression]), arguments(torch.float32))
    assert refusal.value.code == REFUSED[expression]


TAKEN = [
    "F.soft_margin_loss(x, w)", "torch.ops.aten.binary_cross_entropy_with_logits(x, y, w, b)",
]  # fmt: skip
"""Losses of two shapes that eager takes: what the others broadcast to is the shape it writes."""


def test_losses_of_two_shapes(tmp_path: Path) -> None:
    for function in programs(tmp_path, SIGNATURE, TAKEN).values():
        check(function, arguments(torch.float32))
