"""A dtype from Python is an int as an argument, in a tuple and in a dict, and as an Any; a list of ints does not take it."""

from typing import Any, Dict, List, Optional, Tuple

import torch


def program(
    alone: int,
    pair: Tuple[int, str],
    named: Dict[str, torch.dtype],
    perhaps: List[Optional[int]],
    whatever: Any,
    listed: List[int],
) -> Tuple[List[int], List[Optional[int]], bool]:
    return [alone, pair[0], named["a"]] + listed, perhaps, isinstance(whatever, int)


def inputs():
    fitting = (torch.float16, (torch.int8, "x"), {"a": torch.bool}, [torch.int32, None])
    return [
        (*fitting, torch.float32, [1]),
        (*fitting, torch.strided, []),
        (*fitting, "a", [torch.float32]),
        (*fitting, 0, [1, torch.strided]),
        (*fitting, 0, [1, torch.per_tensor_affine]),
    ]
