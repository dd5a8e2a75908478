"""A reference is not the value that it refers to: that is fetched with `to_here`."""

from torch.distributed.rpc import RRef


def program(kept: RRef[int]) -> int:
    return kept + 1  # error
