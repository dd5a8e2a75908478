"""Losses of classes: a kernel for the rows, and one for what they give together."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.passes.fusion import class_losses

X = torch.randn(6, 11, generator=torch.Generator().manual_seed(0)) * 3
TARGET = torch.tensor([0, 10, 3, -100, 3, 5])


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_losses, "FEWEST", 0)


def averaged(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target)


def summed(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, reduction="sum")


def each(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, reduction="none")


def three_ignored(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target.clamp(min=0), ignore_index=3)


def of_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(F.log_softmax(x + 1, dim=1), target)


def each_of_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(F.log_softmax(x + 1, -1), target, reduction="none") * 2


PROGRAMS = [averaged, summed, each, three_ignored, of_logarithms, each_of_logarithms]


def said_of_losses(script: Any, *arguments: Tensor) -> list[str]:
    """What became of the operators that are losses."""
    remarks = [each for each in script.remarks(*arguments) if "loss" in each.operator]
    return [remark.kind for remark in remarks if remark.kind != "analysis"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_losses_and_gradients(program: Any, dtype: torch.dtype) -> None:
    script = minits.script(program)
    mine = X.clone().to(dtype).requires_grad_()
    theirs = X.clone().to(dtype).requires_grad_()
    assert said_of_losses(script, mine, TARGET) == ["passed"]
    found, wanted = script(mine, TARGET), program(theirs, TARGET)
    is_half = dtype in (torch.float16, torch.bfloat16)
    close = {"rtol": 2e-2, "atol": 2e-2} if is_half else {"rtol": 1e-5, "atol": 1e-5}
    torch.testing.assert_close(found, wanted, **close)
    found.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(mine.grad, theirs.grad, **close)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shape", [(1, 5), (4, 1), (3, 3000), (0, 4)])
def test_shapes(program: Any, shape: tuple[int, int]) -> None:
    x = torch.randn(shape)
    target = torch.arange(shape[0]) * 7 % shape[1]
    torch.testing.assert_close(
        minits.script(program)(x, target), program(x, target), equal_nan=True
    )


@pytest.mark.parametrize("special", [float("nan"), float("inf"), float("-inf")])
def test_special_values(special: float) -> None:
    x = X.clone()
    x[1, 10] = x[2, 4] = x[3, 0] = special
    torch.testing.assert_close(minits.script(each)(x, TARGET), each(x, TARGET), equal_nan=True)


def test_all_ignored() -> None:
    target = torch.full((6,), -100)
    for program in (averaged, summed):
        found = minits.script(program)(X, target)
        torch.testing.assert_close(found, program(X, target), equal_nan=True)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("wrong", [11, -101])
def test_what_is_no_class_raises(program: Any, wrong: int) -> None:
    script = minits.script(program)
    script(X, TARGET)
    target = TARGET.clone()
    target[2] = wrong
    if program is three_ignored and wrong < 0:
        return  # it is made 0
    with pytest.raises(IndexError):
        program(X, target)
    with pytest.raises(Exception, match="out of bounds"):
        script(X, target)


def test_a_batch_of_another_size_raises() -> None:
    script = minits.script(averaged)
    script(X, TARGET)
    for target in (TARGET[:1], TARGET[:5]):
        with pytest.raises((ValueError, RuntimeError), match="batch_size"):
            script(X, target)


def weighted(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, torch.ones(11))


def smoothed(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, label_smoothing=0.1)


def of_probabilities(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, torch.softmax(x, 1))


def of_images(x: Tensor, target: Tensor):
    return F.cross_entropy(x[:, :, None] * 2, target[:, None])


def of_inputs_that_are_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(x * 2, target)


def of_logarithms_written_to(x: Tensor, target: Tensor):
    z = F.log_softmax(x, 1)
    x.mul_(2)
    return F.nll_loss(z, target)


@pytest.mark.parametrize(
    "program",
    [
        weighted,
        smoothed,
        of_probabilities,
        of_images,
        of_inputs_that_are_logarithms,
        of_logarithms_written_to,
    ],
)
def test_others_are_left_to_torch(program: Any) -> None:
    script = minits.script(program)
    torch.testing.assert_close(script(X.clone(), TARGET), program(X.clone(), TARGET))
    assert said_of_losses(script, X, TARGET) == ["missed"]


def test_small_means_are_left_to_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_losses, "FEWEST", 67)
    assert said_of_losses(minits.script(averaged), X, TARGET) == ["missed"]
    assert said_of_losses(minits.script(each), X, TARGET) == ["passed"]
