"""A name that stands for a type is an annotation as the type is."""

from typing import Dict, List, Optional

import torch

Numbers = List[int]
Table = Dict[str, Optional[Numbers]]
T = torch.Tensor


def longest(table: Table) -> Numbers:
    found: Numbers = []
    for numbers in table.values():
        if numbers is not None and len(numbers) > len(found):
            found = numbers
    return found


def program(x: T, n: int) -> Table:
    table: Table = {"a": [n], "b": None, "c": x.size()}
    table["longest"] = longest(table)
    return table


def inputs():
    return [(torch.ones(2, 3), 1), (torch.ones(2), 4)]
