"""len counts what a string, list, dict, tuple or tensor has in its first dimension."""

from typing import Dict, List, Tuple

import torch


def program(s: str, v: List[int], d: Dict[str, int], t: Tuple[int, str], x: torch.Tensor) -> List[int]:
    return [len(s), len(v), len(d), len(t), len(x), len([s, s])]


def inputs():
    return [
        ("abc", [1], {"a": 1, "b": 2}, (1, ""), torch.zeros(3, 0)),
        ("", [], {}, (0, ""), torch.zeros(0)),
        ("", [], {}, (0, ""), torch.tensor(1)),
    ]
