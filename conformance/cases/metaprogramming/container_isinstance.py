"""torch.jit.isinstance tests containers with their elements' types, and refines."""

from typing import Any, Dict, List

import torch


def program(value: Any) -> int:
    if torch.jit.isinstance(value, List[int]):
        return value[0] if len(value) > 0 else -1
    if torch.jit.isinstance(value, Dict[str, int]):
        return value["n"]
    return 0


def inputs():
    return [([5, 6],), ({"n": 7},), ("text",), (1.5,)]
