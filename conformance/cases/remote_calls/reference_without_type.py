"""An annotation `RRef` says what it refers to."""

from torch.distributed.rpc import RRef


def program(kept: RRef):  # error
    return kept
