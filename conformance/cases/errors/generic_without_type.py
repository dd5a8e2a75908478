"""`List`, `Dict`, `Tuple`, `Optional`, `Union` and `Future` are types only with the types that they contain."""

from typing import Any, List

import torch


def program(x: Any) -> bool:
    return torch.jit.isinstance(x, List)  # error
