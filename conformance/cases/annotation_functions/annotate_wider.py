"""annotate widens a type, to Optional, Union or Any, and tells tolist what it returns."""

from typing import Any, List, Optional, Tuple, Union

import torch


def kind(x: Any) -> str:
    return "int" if isinstance(x, int) else "other"


def program(x: torch.Tensor, n: int) -> Tuple[List[Optional[int]], List[int], str, int]:
    holes = [torch.jit.annotate(Optional[int], None), n]
    numbers = torch.jit.annotate(List[int], x.tolist())
    either = torch.jit.annotate(Union[int, str], "many")
    count = len(either) if isinstance(either, str) else either
    return holes, numbers, kind(torch.jit.annotate(Any, x)) + kind(n), count


def inputs():
    return [(torch.tensor([1, 2]), 3), (torch.tensor([7]), 0)]
