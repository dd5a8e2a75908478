"""Programs of whole models: those of torchvision, if it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from conformance.tracing.operators import Program

SMALL = (
    "alexnet", "densenet121", "efficientnet_b0", "googlenet", "mnasnet0_5", "mobilenet_v2",
    "mobilenet_v3_small", "regnet_y_400mf", "resnet18", "resnet50", "shufflenet_v2_x0_5",
    "squeezenet1_1", "vgg11", "convnext_tiny", "vit_b_32", "swin_t",
)  # fmt: skip


def programs(wanted: list[str]) -> Iterator[tuple[str, list[Program]]]:
    """Yield each model's name with its program, in evaluation; none without torchvision."""
    if importlib.util.find_spec("torchvision") is None:
        return
    for name in SMALL:
        if not wanted or name in wanted:
            yield (
                name,
                [
                    Program(
                        name,
                        _maker(name),
                        (torch.linspace(-1, 1, 3 * 224 * 224).view(1, 3, 224, 224),),
                    )
                ],
            )


def _maker(name: str) -> Callable[[], nn.Module]:
    def make() -> nn.Module:
        from torchvision import models

        torch.manual_seed(0)
        model: Any = getattr(models, name)(weights=None)
        return model.eval()

    return make
