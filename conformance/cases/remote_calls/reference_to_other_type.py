"""An `RRef[int]` is no `RRef[Optional[int]]`."""

from typing import Optional

from torch.distributed.rpc import RRef


def program(kept: RRef[int]):
    other: RRef[Optional[int]] = kept  # error
    return other
