"""int(), float(), bool() and str() convert between numbers, strings and one-element tensors."""

from typing import List, Tuple

import torch


def program(t: torch.Tensor, s: str) -> Tuple[List[int], List[float], List[bool], List[str]]:
    i = int(t)
    f = float(t)
    b = bool(t)
    ints = [i, int(f), int(b), int(s), int(2.9), int(-2.9)]
    floats = [f, float(i), float(b), float(s), float("inf")]
    bools = [b, bool(i), bool(f), bool(0.0), bool(0 * i)]
    return ints, floats, bools, [str(i), str(f), str(b), str(s), str(None)]


def inputs():
    return [
        (torch.tensor(3), "12"),
        (torch.tensor([-2.75]), "-7"),
        (torch.tensor(False), "0"),
        (torch.tensor([1, 2]), "1"),
        (torch.tensor(1), "x"),
    ]
