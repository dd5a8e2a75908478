"""Arguments whose elements lie in memory in other orders than that of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

Case = tuple[Any, ...]


def in_columns(x: Tensor) -> Tensor:
    """Return an equal tensor whose first dimension is the innermost in memory."""
    return x.movedim(0, -1).contiguous().movedim(-1, 0)


def with_gaps(x: Tensor) -> Tensor:
    """Return an equal tensor of every second element of another one."""
    return torch.stack([x, x], -1)[..., 0]


def in_orders(cases: Iterable[Case]) -> Iterator[Case]:
    """Yield each case, and those of matrices with all of these, the first or the rest changed."""
    for case in cases:
        yield case
        matrices = [i for i, x in enumerate(case) if isinstance(x, Tensor) and x.dim() > 1]
        if not any(case[i].numel() > 1 for i in matrices):
            continue
        yield _changed(case, matrices, with_gaps)
        for places in (matrices, matrices[:1], matrices[1:])[: 3 if len(matrices) > 1 else 1]:
            yield _changed(case, places, in_columns)


def _changed(case: Case, places: list[int], change: Callable[[Tensor], Tensor]) -> Case:
    return tuple(change(x) if i in places else x for i, x in enumerate(case))
