"""The result of a task is refined as any Optional is."""

from typing import List, Optional

import torch


def find(xs: List[int], wanted: int) -> Optional[int]:
    for i in range(len(xs)):
        if xs[i] == wanted:
            return i
    return None


def program(xs: List[int], wanted: int) -> int:
    found = torch.jit.wait(torch.jit.fork(find, xs, wanted))
    if found is None:
        return -1
    return found + 1


def inputs():
    return [([4, 5], 5), ([4, 5], 6)]
