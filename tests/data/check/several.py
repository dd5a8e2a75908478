"""Several faults of one function."""
import torch


@torch.jit.script
def several(x: torch.Tensor, n: int) -> int:
    a = x.nothing()  # E: TS302
    b = unknown  # E: TS311
    n.missing()  # E: TS302
    return n
