"""Group norm of groups of several channels: reduced over `x.unflatten(1, (groups, -1))`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.launch.geometry import ShapeMismatch, geometry_of
from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import check, graph_of, lower_for
from tests.passes.test_fuse import fused, groups, kinds
from tests.support.cuda_emulator import compare_emulated


def activated(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.silu(F.group_norm(x, 2, w, b))


def residual(x: Tensor, w: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 2 + x.exp()
    return F.group_norm(y, 2, w, b, 1e-3) + x, y


def plain(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return F.group_norm(x + 1, 2).relu() * w[:, None] + F.group_norm(x, 2, b)


PROGRAMS = [activated, residual, plain]


def arguments(*shape: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    tensors = [torch.randn(shape), torch.rand(shape[1]), torch.randn(shape[1])]
    return [each.to(dtype).requires_grad_() for each in tensors]


def results_of(function: Any, inputs: list[Tensor]) -> tuple[Tensor, ...]:
    found = function(*inputs)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shape", [(3, 4, 5), (2, 6, 3)])
def test_oracle(program: Any, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    check(program, [each.detach() for each in arguments(*shape, dtype=dtype)])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("program", PROGRAMS)
def test_against_eager(program: Any) -> None:
    scripted = minits.script(program)
    for shape in [(3, 4, 5), (2, 8, 5), (4, 6, 7)]:
        inputs = arguments(*shape)
        mine, eager = results_of(scripted, inputs), results_of(program, inputs)
        for one, other in zip(mine, eager, strict=True):
            torch.testing.assert_close(one, other)
            assert one.stride() == other.stride()
        given = [torch.randn_like(each) for each in eager]
        torch.testing.assert_close(
            torch.autograd.grad(mine, inputs, given), torch.autograd.grad(eager, inputs, given)
        )
        assert type(mine[0].grad_fn).__name__ == "_FusedBackward"
    assert torch.autograd.gradcheck(scripted, inputs)
    assert not [each for each in scripted.remarks(*inputs) if each.kind == "missed"]


@pytest.mark.parametrize("shape", [(3, 4), (2, 6, 2, 3), (2, 4, 2, 3, 2)])
def test_other_ranks(shape: tuple[int, ...]) -> None:
    inputs = arguments(*shape)
    mine, eager = minits.script(activated)(*inputs), activated(*inputs)
    torch.testing.assert_close(mine, eager)
    given = torch.randn_like(eager)
    torch.testing.assert_close(
        torch.autograd.grad(mine, inputs, given), torch.autograd.grad(eager, inputs, given)
    )


def test_a_module_is_one_kernel() -> None:
    module = torch.nn.Sequential(torch.nn.GroupNorm(2, 6), torch.nn.SiLU())
    graph, _, _ = fused(module, torch.randn(2, 6, 4, 4))
    assert len(groups(graph)) == 1
    assert not {"group_norm", "silu"} & set(kinds(graph))


def test_the_kernel_writes_the_merged_tensor() -> None:
    inputs = [each.detach() for each in arguments(3, 4, 5)]
    lowered = lower_for(graph_of(activated), inputs)
    assert (lowered.rank, lowered.reduced) == (4, 2)
    assert geometry_of(lowered, inputs).output_shapes == ((3, 4, 5),)
    with pytest.raises(ShapeMismatch):
        geometry_of(lowered, [torch.randn(3, 5, 5), torch.randn(5), torch.randn(5)])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("groups", [2, 1, 6])
def test_what_lies_channels_last_stays_so(groups: int) -> None:
    module = torch.nn.Sequential(torch.nn.GroupNorm(groups, 6), torch.nn.SiLU())
    scripted = minits.script(module)
    for x in (torch.randn(2, 6, 4, 5), torch.randn(2, 4, 5, 6).permute(0, 3, 1, 2)):
        eager = module(x)
        torch.testing.assert_close(scripted(x), eager)
        assert scripted(x).stride() == eager.stride()


def test_groups_that_do_not_fit_raise() -> None:
    def program(x: Tensor) -> Tensor:
        return torch.group_norm(x, 3) * 2

    with pytest.raises(NotFusable) as caught:
        lower_for(graph_of(program), [torch.randn(2, 4, 3)])
    assert caught.value.code == "shape"
    scripted = minits.script(program)
    torch.testing.assert_close(scripted(torch.ones(2, 6, 3)), program(torch.ones(2, 6, 3)))
    with pytest.raises(RuntimeError, match="divisible"):
        scripted(torch.randn(2, 4, 3))


@pytest.mark.one_in(3)
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize("program", PROGRAMS)
def test_for_a_gpu(program: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inputs = arguments(2, 6, 5, dtype=torch.float32)
    compare_emulated(program, inputs, monkeypatch, tmp_path, 1e-4)
