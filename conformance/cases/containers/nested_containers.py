"""Dicts of lists of dicts are read and written through chains of subscripts."""

from typing import Dict, List, Tuple

import torch


def program(n: int) -> Dict[str, List[Dict[int, Tuple[int, str]]]]:
    table: Dict[str, List[Dict[int, Tuple[int, str]]]] = {}
    for name in ["a", "b"]:
        table[name] = torch.jit.annotate(List[Dict[int, Tuple[int, str]]], [])
    for i in range(n):
        row = {i: (i, str(i)), i + 1: (i * i, "sq")}
        table["a" if i % 2 == 0 else "b"].append(row)
    if n > 1:
        table["a"][0][7] = table["b"][-1][2]
        table["a"][-1][0] = (-1, table["a"][0][7][1] + "!")
    return table


def inputs():
    return [(0,), (1,), (2,), (4,)]
