"""Code that does not run, with arguments that no tensor takes; numbers for which eager raises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from tests.kernels.lowered import programs

WRONG = [
    "y.view(y.size(0), y.size(3))", "y.permute(3, 1, 2)", "y.permute(0, 0)", "y.transpose(0, 7)",
    "y.unsqueeze(9)", "y.squeeze(7)", "y.select(0, 99)", "y[:, :, 1]", "y.view(7, 9)", "y[99]",
    "y.view(-1, -1)", "y.flatten(1, 0)", "y.unflatten(0, (7, 7))", "y.expand(2)", "y.expand(9, 9)",
    "y.movedim((0, 1), (1,))", "y.narrow(0, 5, 9)", "y.chunk(0)[0]", "y.chunk(2)[7]", "y[::0]",
    "y.split([1, 1], 0)[0]", "y.unbind(9)[0]", "torch.cat([y, y], 9)", "torch.stack([y, y[0]], 0)",
    "y.sum(9)", "y.sum([0, 0])", "y.max(5)[0]", "torch.softmax(y, 9)", "F.layer_norm(y, [99])",
    "F.layer_norm(y, [1, 2, 3, 4, 5])", "F.group_norm(y, 0)", "F.rms_norm(y, [])", "F.glu(y, 9)",
    "F.batch_norm(y, y, y)", "F.prelu(y, y)", "F.cross_entropy(y, y[0].long())", "y & y", "y << 1",
    "y + torch.ones_like(y)[:, 1:]", "(y > 0) - (y > 0)", "torch.clamp(y > 0, 0, 1)",
    "torch.lerp(y, y.double(), y)", "y.view(y.size(0) // 0)", "F.dropout(y, 2.0, False)",
    "F.cross_entropy(y, y, label_smoothing=5.0)", "torch.where(y, y, y)", "y.masked_fill(y, 1.0)",
]  # fmt: skip


@pytest.mark.slow
def test_branches_for_other_ranks_are_not_looked_at(tmp_path: Path) -> None:
    texts = [
        re.sub(r"\by\b", "x.t()", f"({wrong} * 2 + 1).sum() if flag else (y * 2 + 1).sum()")
        for wrong in WRONG
    ]
    x = torch.randn(3, 4)
    for text, function in programs(tmp_path, "x: Tensor, flag: bool", texts).items():
        try:
            compiled = minits.script(function)
        except minits.CompileError:
            continue
        assert torch.allclose(compiled(x, False), (x * 2 + 1).sum(), atol=1e-4), text
        try:
            wanted = function(x, True)
        except (RuntimeError, IndexError, ValueError, ZeroDivisionError):
            with pytest.raises((RuntimeError, ValueError, ZeroDivisionError)):
                compiled(x, True)
            continue
        torch.testing.assert_close(compiled(x, True), wanted, equal_nan=True)


def huber(x: Tensor, s: float) -> Tensor:
    return F.huber_loss(x, x + 1, reduction="none", delta=s) + 1


def similarity(x: Tensor, s: float) -> Tensor:
    return F.cosine_similarity(x * 2, x + 1, -1, s) + 1


def filled(x: Tensor, s: float) -> Tensor:
    return x.half().masked_fill(x > 0, s) + 1


def like(x: Tensor, s: float) -> Tensor:
    return torch.full_like(x, s) + x


def entropy(x: Tensor, s: float) -> Tensor:
    return F.binary_cross_entropy(torch.sigmoid(x) * s, torch.sigmoid(x)) * 2


def entropy_of_target(x: Tensor, s: float) -> Tensor:
    return F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(x) * s, reduction="none") * 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("program", "good", "bad"), [
    (huber, 0.5, -1.0), (huber, 0.5, 0.0), (similarity, 1e-8, -1.0), (filled, 2.0, 1e30),
    (filled, float("inf"), -1e30), (like, 3.0, 1e300), (entropy, 0.5, 40.0),
    (entropy, 1.0, float("nan")), (entropy_of_target, 0.5, 40.0),
])  # fmt: skip
def test_numbers_that_eager_refuses(program: Any, good: float, bad: float) -> None:
    x, compiled = torch.linspace(-3, 3, 600).view(60, 10), minits.script(program)
    for _ in range(2):
        torch.testing.assert_close(compiled(x, good), program(x, good))
        with pytest.raises(RuntimeError) as wanted:
            program(x, bad)
        with pytest.raises(RuntimeError, match=str(wanted.value).splitlines()[0]):
            compiled(x, bad)


def classes(x: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(x * 2, target, reduction="none") * 2


def smoothed(x: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(x * 2, target, reduction="none", label_smoothing=0.1) * 2


def looked_up(x: Tensor, target: Tensor) -> Tensor:
    return F.nll_loss(x * 2 + 1, target, reduction="none") * 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", [classes, smoothed, looked_up])
@pytest.mark.parametrize("requires_grad", [False, True])
def test_targets_that_are_no_classes(program: Any, requires_grad: bool) -> None:
    x = torch.randn(50, 10, requires_grad=requires_grad)
    target, compiled = torch.arange(50) % 10, minits.script(program)
    target[3] = -100
    torch.testing.assert_close(compiled(x, target), program(x, target))
    for wrong in (10, -3):
        target[7] = wrong
        with pytest.raises((IndexError, RuntimeError)) as wanted:
            program(x, target)
        with pytest.raises(type(wanted.value), match=str(wanted.value)):
            compiled(x, target)


def filled_by(x: Tensor, s: float) -> Tensor:
    return (x + 1).masked_fill(x > 2, s) + 1


def filled_by_int(x: Tensor, n: int) -> Tensor:
    return (x + 1).masked_fill(x > 2, n) + 1


@pytest.mark.one_in(24, over="dtype")
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int32, torch.int64])
@pytest.mark.parametrize("number", [
    -1, -255, -256, 255, 256, 2**31, -2**31 - 1, -0.5, -1.5, 127.5, 128.0, 255.5, -2.0**31 - 0.5,
    2.0**63, 1e60, float("inf"), float("nan"),
])  # fmt: skip
def test_numbers_that_integers_hold(dtype: torch.dtype, number: Any, tmp_path: Path) -> None:
    x = torch.arange(6, dtype=dtype)
    literal = f"float('{number}')" if number != number or number == float("inf") else number
    constant = [f"(x + 1).masked_fill(x > 2, {literal}) + 1", f"torch.full_like(x, {literal}) + x"]
    given = filled_by_int if isinstance(number, int) else filled_by
    functions = [*programs(tmp_path, "x: Tensor, s: float", constant).values(), given]
    for function in functions:
        compiled = minits.script(function)
        value = number if function is given else 0.0
        for _ in range(2):
            try:
                wanted = function(x, value)
            except RuntimeError as fault:
                with pytest.raises(RuntimeError, match=re.escape(str(fault))):
                    compiled(x, value)
            else:
                assert torch.equal(compiled(x, value), wanted)


NORMALIZED = {
    "F.layer_norm(x * 2, [y.size(-1)]) + 1": (1, [4], [[5], [3]]),
    "F.rms_norm(x * 2, [y.size(-1)]) + 1": (1, [4], [[5], [1]]),
    "F.layer_norm(x * 2, [y.size(0), y.size(-1)]) + 1": (1, [3, 4], [[3, 5], [2, 4]]),
    "F.layer_norm(x * 2, [2 * y.size(-1)]) + y.sum()": (1, [2], [[4], [3]]),
    "F.layer_norm(x + y, [y.size(-1)]) + 1": (1, [3, 4], [[3, 1]]),
    "F.layer_norm(x + y, [x.size(-1)]) * F.layer_norm(x, [y.size(-1)])": (1, [3, 4], [[3, 1]]),
    "F.layer_norm(x * 2, [n * y.dim()]) + 1": (0, [2, 2], [[2]]),
}
"""How many groups there are, a shape for `y` that eager takes, and others that it refuses."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", NORMALIZED)
def test_sizes_of_tensors_that_are_normalized_over(text: str, tmp_path: Path) -> None:
    groups, right, wrong = NORMALIZED[text]
    header = "x: Tensor, y: Tensor, n: int"
    (function,) = programs(tmp_path, header, [text]).values()
    x = torch.arange(12.0).view(3, 4).sin()
    good = (x, torch.rand(right), 2)
    for shape in wrong:
        bad = (x, torch.rand(shape), 2)
        compiled = minits.script(function)
        for arguments in (bad, good, bad, good):
            try:
                expected = function(*arguments)
            except RuntimeError:
                with pytest.raises(RuntimeError, match="Given normalized_shape"):
                    compiled(*arguments)
                continue
            torch.testing.assert_close(compiled(*arguments), expected)
        with pytest.raises(RuntimeError):
            function(*bad)
        assert len(compiled.plan_for(*good).groups) == groups


def test_a_size_is_checked_while_gradients_are_recorded() -> None:
    def program(x: Tensor, y: Tensor) -> Tensor:
        return F.layer_norm(x * 2, [y.size(-1)]) + 1

    compiled = minits.script(program)
    x = torch.rand(3, 4, requires_grad=True)
    good = compiled(x, torch.rand(2, 4))
    wanted = program(x, torch.rand(2, 4))
    found = [torch.autograd.grad(y.sin().sum(), x)[0] for y in (good, wanted)]
    torch.testing.assert_close(*found)
    with pytest.raises(RuntimeError, match="Given normalized_shape"):
        compiled(x, torch.rand(2, 5))
