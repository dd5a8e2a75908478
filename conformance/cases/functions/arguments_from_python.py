"""A call from Python converts: ranges and tuples to lists, numbers to bools, a single number to a list of known length."""

from typing import List, Optional, Tuple

import torch
from torch._jit_internal import BroadcastingList2


def program(
    xs: List[int],
    flags: List[bool],
    pair: Tuple[int, float],
    size: BroadcastingList2[int],
    text: str,
    flag: bool,
    z: complex,
    maybe: Optional[List[float]],
):
    return [x + 1 for x in xs], flags, pair, size, text, flag, z, maybe


def inputs():
    zero = torch.tensor(0)
    return [
        (range(3), [1, 0, True], (1, 2), 4, "a", 1, 2, None),
        ((5, torch.tensor(6)), (2.5, zero), [zero, zero], (3, 4), b"ab", None, zero, range(2)),
        ({7}, range(2), torch.Size([1, 2]), [5, 6], "", zero, 1j, (1, 2.5)),
        ("12", [], (1, 2), 4, "a", True, 2, None),
        ([1], ["a"], (1, 2), 4, "a", True, 2, None),
        ([1], [], (1, 2, 3), 4, "a", True, 2, None),
        ([1], [], (1, 2), 4.5, "a", True, 2, None),
        ([1.5], [], (1, 2), 4, "a", [], 2, None),
    ]
