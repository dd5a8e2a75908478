"""copy makes a new list of the same elements; clear empties the list itself."""

from typing import List, Tuple

import torch


def program(values: List[torch.Tensor]) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    copy = values.copy()
    if len(copy) > 0:
        copy[0].add_(1)
    alias = values
    values.clear()
    return copy, alias


def inputs():
    return [([torch.zeros(1), torch.ones(2)],), ([],)]
