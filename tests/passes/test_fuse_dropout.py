"""Dropout: nothing where it drops nothing, and in training a multiplication that is fused.

Its random numbers are drawn as eager draws them, so what is dropped is compared bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import minits

X, Y = torch.randn(4, 8), torch.randn(4, 8)
HALVES = (torch.float16, torch.bfloat16)


def seeded(program: Callable[..., Any], *arguments: Any) -> tuple[Any, Tensor]:
    """What a program returns, and what the generator gives after it."""
    torch.manual_seed(1)
    return program(*arguments), torch.rand(2)


def check(program: Any, *arguments: Any) -> None:
    """Compare a program with eager: the very bits, under the same seed."""
    found, wanted = seeded(minits.script(program), *arguments), seeded(program, *arguments)
    torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)


def kernels(script: Any, *arguments: Any) -> set[int | None]:
    """The kernels that operators are in; None stands for those that are in none."""
    return {each.kernel for each in script.remarks(*arguments) if each.kind != "analysis"}


class Around(nn.Module):
    """Computes before dropout, after it, and beside it."""

    def __init__(self, dropout: nn.Module) -> None:
        super().__init__()
        self.dropout = dropout

    def forward(self, x: Tensor, y: Tensor):
        before = torch.relu(x * 2 + y)
        dropped = self.dropout(before)
        beside = torch.abs(x) - y
        return torch.neg(dropped) * 1.5 + beside, before + beside


class Settled(nn.Dropout):
    """Its `training` is known when it is scripted."""

    training: Final[bool]


# ---- Where nothing is dropped ------------------------------------------------------------------


def not_in_training(x: Tensor, y: Tensor):
    return torch.abs(F.dropout(torch.relu(x * 2 + y), 0.1, training=False)) * y


def of_no_probability(x: Tensor, y: Tensor):
    return torch.abs(F.dropout(torch.relu(x * 2 + y), 0.0)) * y


@pytest.mark.parametrize("program", [not_in_training, of_no_probability])
def test_dropout_of_nothing_is_fused(program: Any) -> None:
    assert kernels(minits.script(program), X, Y) == {0}
    check(program, X, Y)


@pytest.mark.parametrize("dropout", [Settled(0.5), nn.Dropout(0.5)])
def test_attributes_settle_it(dropout: nn.Module) -> None:
    module = Around(dropout).eval()
    assert kernels(minits.script(module), X, Y) == {0}
    check(module, X, Y)


def by_argument(x: Tensor, training: bool) -> Tensor:
    return torch.abs(F.dropout(x * 2 + 1, 0.5, training)) * 3


@pytest.mark.parametrize("training", [True, False])
def test_an_argument_is_not_known_to_the_plan(training: bool) -> None:
    script = minits.script(by_argument)
    (missed,) = [remark for remark in script.remarks(X, training) if remark.kind == "missed"]
    assert (missed.operator, missed.code) == ("aten::dropout", "random")
    assert missed.fix is not None and ".eval()" in missed.fix
    check(by_argument, X, training)


# ---- In training -------------------------------------------------------------------------------


def test_in_training_it_is_one_kernel_and_a_draw() -> None:
    module = Around(nn.Dropout(0.5)).train()
    script = minits.script(module)
    assert kernels(script, X, Y) == {0}
    (draw,) = [each for each in script.remarks(X, Y) if each.kind == "analysis"]
    assert (draw.operator, draw.code, draw.fix) == ("aten::bernoulli", "random", None)
    (dropout,) = [each for each in script.remarks(X, Y) if each.operator == "aten::dropout"]
    assert dropout.message == "the multiplication of aten::dropout is in kernel 0"
    assert draw.range == dropout.range
    kinds = [node.kind for node in script.graph_for(X, Y).all_nodes()]
    computing = [kind for kind in kinds if kind.startswith(("aten::", "prim::Fusion"))]
    assert computing == ["aten::bernoulli", "prim::FusionGroup"]
    with minits.strict_fusion():
        script(X, Y)
    check(module, X, Y)


@pytest.mark.parametrize("p", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, *HALVES])
@pytest.mark.parametrize("requires_grad", [True, False])
def test_dtypes_and_probabilities(p: float, dtype: torch.dtype, requires_grad: bool) -> None:
    module = Around(nn.Dropout(p))
    x = X.clone().to(dtype).requires_grad_(requires_grad)
    script = minits.script(module)
    assert kernels(script, x, Y.to(dtype)) == {0}
    results = []
    for program in (script, module):
        x.grad = None
        (found, other), after = seeded(program, x, Y.to(dtype))
        if requires_grad:
            (found.sum() + other.sum()).backward()
        results.append((found, other, after, x.grad))
    torch.testing.assert_close(results[0][:3], results[1][:3], rtol=0, atol=0)
    slack = 2 * torch.finfo(dtype).eps if dtype in HALVES else 0.0
    torch.testing.assert_close(results[0][3], results[1][3], rtol=slack, atol=slack)


LAYOUTS = {
    "contiguous": X,
    "transposed": X.t().contiguous().t(),
    "gaps": torch.randn(4, 16)[:, ::2],
    "empty": torch.randn(0, 8),
    "one": torch.randn(1, 1),
    "special": torch.tensor([[math.inf, -math.inf, math.nan, -0.0]]),
}


def of_number(x: Tensor, p: float) -> Tensor:
    return torch.neg(F.dropout(torch.abs(x) * 2, p)) + x


def of_constant(x: Tensor) -> Tensor:
    return torch.neg(F.dropout(torch.abs(x) * 2, 0.4)) + x


@pytest.mark.parametrize("layout", list(LAYOUTS))
def test_layouts(layout: str) -> None:
    x = LAYOUTS[layout]
    check(of_constant, x)
    for p in (0.0, 0.4, 1.0):
        check(of_number, x, p)
    script = minits.script(of_constant)
    script(X)
    torch.testing.assert_close(seeded(script, x), seeded(of_constant, x), equal_nan=True)


def test_a_number_that_is_not_known() -> None:
    script = minits.script(of_number)
    for p in (0.0, 0.4, 1.0):
        assert kernels(script, X, p) == {0}
        torch.testing.assert_close(seeded(script, X, p), seeded(of_number, X, p), rtol=0, atol=0)
    with pytest.raises(ValueError, match="probability"):
        script(X, 1.5)


def returned(x: Tensor, p: float) -> Tensor:
    return F.dropout(x * 2 + 1, p)


def test_what_may_be_the_very_tensor_is_left_alone() -> None:
    missed = [each for each in minits.script(returned).remarks(X, 0.0) if each.kind == "missed"]
    assert ("aten::dropout", "random") in {(each.operator, each.code) for each in missed}
    check(returned, X, 0.0)


def several_draws(x: Tensor, y: Tensor):
    a = F.dropout(x * 2 + 1, 0.3)
    b = torch.rand_like(y) - y
    c = F.dropout(a * b, 0.6) + torch.bernoulli(torch.sigmoid(b))
    return a, b, F.dropout(c - y, 0.2) * torch.randn(4, 8)


def in_branches(x: Tensor, n: int):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = F.dropout(y * 2 + 1, 0.3) - x
        else:
            y = torch.rand_like(y) + y * 2
    return y


def test_draws_keep_their_order() -> None:
    check(several_draws, X, Y)
    check(in_branches, X, 4)


def written_after(x: Tensor, y: Tensor):
    z = F.dropout(x * 2, 0.5)
    z.add_(1)
    y = F.dropout(y, 0.5, inplace=True) + z
    return z, x * y


def test_writes() -> None:
    found = seeded(minits.script(written_after), X.clone(), Y.clone())
    torch.testing.assert_close(found, seeded(written_after, X.clone(), Y.clone()), rtol=0, atol=0)


def in_place(x: Tensor):
    return torch.relu(F.dropout(x * 2, 0.3, inplace=True) + 1)


def test_dropout_in_place_is_fused() -> None:
    assert kernels(minits.script(in_place), X) == {0, None}  # None: computed without writing
    assert not [each for each in minits.script(in_place).remarks(X) if each.kind == "missed"]
    check(in_place, X)


def written_through(x: Tensor, p: float):
    a, b = x * 2, x * 3
    c = F.dropout(a, 0.0)
    c.add_(1)
    d = F.dropout(b, p)
    d.add_(1)
    return a * 2, b * 2


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_what_drops_nothing_is_the_very_tensor(p: float) -> None:
    check(written_through, X, p)


# ---- Channels ----------------------------------------------------------------------------------


class OfImages(nn.Module):
    def __init__(self, dropout: nn.Module) -> None:
        super().__init__()
        self.dropout = dropout

    def forward(self, x: Tensor):
        return torch.relu(self.dropout(x * 2) + 1)


OF_CHANNELS = [nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout, nn.FeatureAlphaDropout]
IMAGES = torch.randn(2, 4, 3, 5)


def image_for(dropout: type) -> Tensor:
    return {nn.Dropout1d: IMAGES[0], nn.Dropout3d: IMAGES[None]}.get(dropout, IMAGES)


@pytest.mark.parametrize("dropout", OF_CHANNELS)
def test_other_kinds_drop_nothing_outside_of_training(dropout: type) -> None:
    module, x = OfImages(dropout(0.5)).eval(), image_for(dropout)
    assert kernels(minits.script(module), x) == {0}
    check(module, x)


@pytest.mark.parametrize("dropout", OF_CHANNELS[:3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("requires_grad", [True, False])
def test_channels_in_training(dropout: type, dtype: torch.dtype, requires_grad: bool) -> None:
    module = OfImages(dropout(0.5))
    x = image_for(dropout).clone().to(dtype).requires_grad_(requires_grad)
    script = minits.script(module)
    assert kernels(script, x) == {0}
    (draw,) = [each for each in script.remarks(x) if each.kind == "analysis"]
    assert "aten::feature_dropout" in draw.message
    for each in (x, x.detach().transpose(-1, -2), x[..., :0]):
        check(module, each)
    if requires_grad:
        slopes = [torch.autograd.grad(seeded(f, x)[0].sum(), x) for f in (script, module)]
        torch.testing.assert_close(slopes[0], slopes[1])


def channels_by_number(x: Tensor, p: float):
    return torch.relu(F.dropout2d(x * 2, p) + 1)


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0])
def test_channels_of_a_number_that_is_not_known(p: float) -> None:
    assert kernels(minits.script(channels_by_number), IMAGES, p) == {0}
    check(channels_by_number, IMAGES, p)


def by_itself(x: Tensor, y: Tensor):
    return torch.mm(F.dropout(torch.mm(x, y.t()), 0.5), y)


def test_by_itself_it_is_left_to_torch() -> None:
    missed = [each for each in minits.script(by_itself).remarks(X, Y) if each.kind == "missed"]
    assert ("aten::dropout", "random") in {(each.operator, each.code) for each in missed}
    check(by_itself, X, Y)


def of_another_dtype(x: Tensor) -> Tensor:
    return F.dropout(torch.softmax(x * 2, -1, dtype=torch.float64), 0.5) * 2


def of_a_larger_shape(x: Tensor) -> Tensor:
    return F.dropout(x[:, None] - x, 0.5) * 2


def test_the_noise_is_like_the_operand() -> None:
    check(of_a_larger_shape, X)
    found, wanted = seeded(minits.script(of_another_dtype), X), seeded(of_another_dtype, X)
    torch.testing.assert_close(found, wanted)
    assert kernels(minits.script(of_another_dtype), X) == {0}
