"""An `RRef[T]` has `to_here`, with a timeout, `local_value`, `is_owner`, `confirmed_by_owner`, `owner_name` and
`owner`."""

from typing import Optional

import torch
from torch import Tensor
from torch.distributed.rpc import RRef


def program(kept: Optional[RRef[Tensor]], count: "Optional[RRef[int]]"):
    if kept is None or count is None:
        return torch.zeros(1), "nowhere"
    fetched = kept.to_here() + kept.to_here(2.5) + kept.to_here(timeout=1.0)
    if count.is_owner() and count.confirmed_by_owner():
        return fetched + count.local_value(), count.owner_name()
    return fetched, "elsewhere"


def inputs():
    return [(None, None)]
