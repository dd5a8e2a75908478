"""In the branch where the test failed, the value is still Any, which has no operators."""

from typing import Any, List

import torch


def program(value: Any) -> int:
    if torch.jit.isinstance(value, List[int]):
        return len(value)
    return value + 1  # error
