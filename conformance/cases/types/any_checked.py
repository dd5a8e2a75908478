"""Any holds everything, and isinstance with a tuple of types narrows it."""

from typing import Any, Dict, List, Tuple

import torch


def describe(x: Any) -> str:
    if isinstance(x, int):
        return "i" + str(x * 2)
    if isinstance(x, torch.Tensor):
        return "t" + str(x.dim())
    if isinstance(x, List[int]):
        return "l" + str(len(x))
    if isinstance(x, (float, str)):
        return "fs"
    return "?"


def program(t: torch.Tensor, n: int) -> List[str]:
    mixed: Dict[str, Any] = {"n": n, "t": t}
    found = [describe(n), describe(t), describe([n]), describe(1.5), describe("s"), describe((1, 2))]
    for key in mixed.keys():
        found.append(key + describe(mixed[key]))
    return found


def inputs():
    return [(torch.zeros(2, 2), 4), (torch.tensor(1), 0)]
