"""Losses of torch.nn.functional: nothing of them is left over, and they compute what eager does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.passes.fusion.shape_queries import fold_tensor_queries
from minits.passes.shape_propagation.propagate import infer_metadata
from tests.support.control_flow import load
from tests.support.fusing import optimize

LOSSES = [
    "mse_loss(x * 2, y{r})", "mse_loss(x * 2, y, weight=y.abs(){r})", "l1_loss(x * 2, y{r})",
    "smooth_l1_loss(x * 2, y, beta=0.5{r})", "huber_loss(x * 2, y, delta=0.3{r})",
    "binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y){r})",
    "binary_cross_entropy_with_logits(x * 2, y.abs(), weight=w, pos_weight=w{r})",
    "kl_div(x * 2, y.abs(){r})", "kl_div(x * 2, y, log_target=True{r})",
    "soft_margin_loss(x * 2, torch.sign(y){r})", "poisson_nll_loss(x * 2, y.abs(){r})",
    "poisson_nll_loss(x.abs(), y.abs(), log_input=False{r})",
    "poisson_nll_loss(x * 2, y.abs() * 3, full=True{r})",
    "hinge_embedding_loss(x * 2, torch.sign(y){r})",
    "margin_ranking_loss(x * 2, y, torch.sign(y){r})",
    "multilabel_soft_margin_loss(x * 2, torch.sigmoid(y){r})",
    "multilabel_soft_margin_loss(x * 2, torch.sigmoid(y), weight=w{r})",
]  # fmt: skip
PROGRAMS = [
    *(loss.replace("{r}", f", reduction='{how}'") for loss in LOSSES for how in ("mean", "none")),
    *(loss.replace("{r}", ", reduction='sum'") for loss in LOSSES[10:13]),
    "kl_div(x * 2, y.abs(), reduction='batchmean')",
]


def made(folder: Path, expression: str) -> Any:
    path = folder / "loss.py"
    path.write_text(
        "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\n\n\n"
        f"def program(x: Tensor, y: Tensor, w: Tensor):\n    return F.{expression}\n"
    )
    return load(path).program


def samples(dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    x, y, w = (torch.randn(*size, generator=generator) for size in ((6, 8), (6, 8), (8,)))
    return x.to(dtype), y.to(dtype), w.abs().to(dtype)


def compare(script: Any, program: Any, dtype: torch.dtype) -> None:
    results = []
    for each in (script, program):
        x, y, w = samples(dtype)
        loss = each(x.requires_grad_(), y, w)
        loss.sum().backward()
        results.append((loss, x.grad))
    close = {"rtol": 4e-2, "atol": 4e-2} if dtype == torch.bfloat16 else {}
    torch.testing.assert_close(results[0], results[1], **close)


@pytest.mark.filterwarnings("ignore:reduction")
@pytest.mark.parametrize("expression", PROGRAMS)
def test_all_of_it_is_fused(tmp_path: Path, expression: str) -> None:
    program = made(tmp_path, expression)
    script = minits.script(program)
    assert not [each for each in script.remarks(*samples()) if each.kind == "missed"]
    compare(script, program, torch.float32)


@pytest.mark.parametrize("expression", PROGRAMS[20:26])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_poisson_of_other_dtypes(tmp_path: Path, expression: str, dtype: torch.dtype) -> None:
    assert "poisson" in expression
    program = made(tmp_path, expression)
    compare(minits.script(program), program, dtype)


def test_special_targets_of_poisson(tmp_path: Path) -> None:
    program = made(tmp_path, "poisson_nll_loss(x, y, full=True, reduction='none')")
    y = torch.tensor([0.0, 1.0, -1.0, 1e-40, float("inf"), float("nan"), 2.0])
    arguments = (torch.linspace(-2, 2, 7), y, y)
    found, wanted = minits.script(program)(*arguments), program(*arguments)
    torch.testing.assert_close(found, wanted, equal_nan=True)


def test_weights_of_two_classes_are_broadcast(tmp_path: Path) -> None:
    how = "binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y), weight=w)"
    program = made(tmp_path, how)
    script = minits.script(program)
    missed = [each.operator for each in script.remarks(*samples()) if each.kind == "missed"]
    assert missed == ["aten::expand"]  # to sizes that are known at the call
    compare(script, program, torch.float32)


# ---- Ranks -------------------------------------------------------------------------------------


def by_rank(x: Tensor, y: Tensor, w: Tensor):
    z = torch.tanh(x * w)
    if z.dim() == 2:
        z = z + 1
    else:
        z = z.sum(z.dim() - 1, keepdim=True)
    return torch.relu(z) * y


def test_ranks_of_arguments_are_settled() -> None:
    script = minits.script(by_rank)
    x, y, w = samples()
    for given in ((x, y, w), (x[0], y[0], w), (x[None], y[None], w), (x, y, w)):
        assert {each.kernel for each in script.remarks(*given)} == {0}
        torch.testing.assert_close(script(*given), by_rank(*given))


def by_layout(x: Tensor, y: Tensor, w: Tensor):
    return torch.norm(x * w, 2, -1, keepdim=True) * y.clone()


def instances(x: Tensor, y: Tensor, w: Tensor):
    return torch.instance_norm(x[None] * w, None, None, None, None, True, 0.1, 1e-5, False) + y


def leaky(x: Tensor, y: Tensor, w: Tensor):
    return torch.nn.functional.rrelu(x * w) + y


@pytest.mark.parametrize("function", [by_layout, instances, leaky])
def test_what_only_seemed_to_branch_write_or_draw_is_fused(function: Any) -> None:
    script = minits.script(function)
    x, y, w = samples()
    assert {each.kernel for each in script.remarks(x, y, w) if each.kind != "analysis"} == {0}
    torch.testing.assert_close(script(x, y, w), function(x, y, w))


def squeezed(x: Tensor, y: Tensor, w: Tensor):
    z = x[1:].squeeze()
    return z * 2 + z.dim()


def test_ranks_of_what_is_squeezed_are_not() -> None:
    script = minits.script(squeezed)
    x, y, w = samples()
    for rows in (4, 2, 3):
        torch.testing.assert_close(script(x[:rows], y, w), squeezed(x[:rows], y, w))
    graph = minits.script(squeezed).graph
    optimize(graph)
    assert not fold_tensor_queries(graph, infer_metadata(graph, (x, y, w)))
