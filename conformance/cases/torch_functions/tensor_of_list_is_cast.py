"""`torch.tensor([...], dtype=...)` is cast from the dtype of the list's elements."""

from typing import List

import torch


def program(ns: List[int], xs: List[List[float]]) -> List[torch.Tensor]:
    return [
        torch.tensor(ns, dtype=torch.uint8),
        torch.tensor(ns, dtype=torch.float64),
        torch.tensor(xs, dtype=torch.uint8),
        torch.tensor(xs, dtype=torch.float64),
        torch.tensor(xs, dtype=torch.bool),
        torch.as_tensor(ns, dtype=torch.int8),
    ]


def inputs():
    return [([300, -1], [[-3.5, 256.5]]), ([], [[]]), ([65536], [[0.1], [5e-324]])]
