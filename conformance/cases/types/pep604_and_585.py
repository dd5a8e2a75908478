"""`X | None`, `list[X]`, `dict[K, V]` and `tuple[...]` are accepted as annotations."""

from __future__ import annotations

import torch


def program(x: torch.Tensor | None, table: dict[str, list[int]]) -> tuple[int, list[str]]:
    keys: list[str] = []
    total = 0
    for key, values in table.items():
        keys.append(key)
        for value in values:
            total += value
    if x is not None:
        total += x.numel()
    return total, keys


def inputs():
    return [(None, {"a": [1, 2], "b": []}), (torch.zeros(2, 3), {}), (torch.zeros(0), {"k": [-1]})]
