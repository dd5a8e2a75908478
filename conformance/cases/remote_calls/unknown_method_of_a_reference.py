"""A reference has no other methods: `kept.rpc_sync().method()` is Python's."""

from torch.distributed.rpc import RRef


def program(kept: RRef[int]) -> int:
    return kept.rpc_sync()  # error
