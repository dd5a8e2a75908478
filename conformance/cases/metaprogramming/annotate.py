"""torch.jit.annotate gives an expression the type that its own does not show."""

from typing import Dict, List, Optional, Tuple

import torch


def program(n: int) -> Tuple[List[int], Optional[int], Dict[str, float]]:
    values = torch.jit.annotate(List[int], [])
    maybe = torch.jit.annotate(Optional[int], None)
    table = torch.jit.annotate(Dict[str, float], {})
    if n > 0:
        maybe = n
        values.append(n)
        table["n"] = n / 2
    return values, maybe, table


def inputs():
    return [(3,), (0,)]
