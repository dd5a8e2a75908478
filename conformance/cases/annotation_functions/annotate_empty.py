"""torch.jit.annotate gives an expression the type that it names, as an annotation gives a variable."""

from typing import Dict, List, Optional, Tuple

import torch


def program(n: int) -> Tuple[List[int], Dict[str, float], Optional[int]]:
    values = torch.jit.annotate(List[int], [])
    values.append(n)
    table = torch.jit.annotate(Dict[str, float], {})
    return values, table, torch.jit.annotate(Optional[int], n)


def inputs():
    return [(1,), (0,)]
