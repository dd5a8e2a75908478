"""The type of what is given as Any is told by the value: a dtype is an int, a torch.Size a tuple."""

from typing import Any, Dict, List

import torch


def program(value: Any, several: List[Any], table: Dict[str, Any]):
    kinds = [isinstance(value, int), isinstance(value, List[int]), isinstance(value, tuple)]
    return value, kinds, several, table, f"{value}"


def inputs():
    good = [1, "a", [1, 2], (1, "a"), None, torch.float32, torch.strided, torch.Size([2, 3])]
    given = [(value, [value], {"a": value}) for value in good]
    return [*given, (1, [1, "a", torch.int64], {"a": 1, "b": [2]})]
