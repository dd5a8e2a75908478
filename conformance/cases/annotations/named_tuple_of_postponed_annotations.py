"""Where annotations are postponed, the fields of a NamedTuple have the types that their texts name."""

from __future__ import annotations

from typing import List, NamedTuple, Optional

import torch


class Window(NamedTuple):
    data: torch.Tensor
    size: Optional[int] = None
    steps: List[int] = [1]


def program(window: Window) -> int:
    size = window.size
    if size is None:
        return window.steps[-1]
    return size + len(window.data)


def inputs():
    return [(Window(torch.ones(3)),), (Window(torch.ones(3), 4, [5]),)]
