"""A dtype is an int to the compiler: it is compared, stored and passed as one."""

from typing import Dict, Tuple

import torch


def program(x: torch.Tensor, wanted: torch.dtype) -> Tuple[bool, torch.Tensor, int]:
    names: Dict[str, int] = {"x": x.dtype, "half": torch.float16}
    return x.dtype == wanted, x.to(wanted), names["half"]


def inputs():
    return [(torch.ones(2), torch.int64), (torch.tensor([1.5]), torch.float32)]
