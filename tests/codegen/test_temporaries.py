"""Inputs of fused groups of which gradients need no copy, since nobody else can change them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.gradients.training_kernel import TrainingKernel


def projected(x: Tensor, w: Tensor) -> Tensor:
    return F.silu(torch.mm(x, w)) * torch.mm(w, x)


def given(x: Tensor, w: Tensor) -> Tensor:
    return F.silu(x) * w


def viewed(x: Tensor, w: Tensor) -> Tensor:
    return F.silu(x.t()) * torch.mm(w, x)


def returned(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    h = torch.mm(x, w)
    return F.silu(h) * torch.mm(w, x), h


@pytest.mark.parametrize(
    ("program", "saved"), [(projected, 0), (given, 1), (viewed, 1), (returned, 1)]
)
def test_only_what_others_can_change_is_saved_beside(
    program: Callable[..., Tensor], saved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[TrainingKernel] = []
    prepare = TrainingKernel.__init__

    def noted(kernel: TrainingKernel, *arguments: object) -> None:
        prepare(kernel, *arguments)  # type: ignore[arg-type]
        made.append(kernel)

    monkeypatch.setattr(TrainingKernel, "__init__", noted)
    script = minits.script(program)
    for _ in range(3):
        script(*[torch.ones(3, 3, requires_grad=True) for _ in range(2)])
    assert [len(kernel.saved) for kernel in made] == [saved]
