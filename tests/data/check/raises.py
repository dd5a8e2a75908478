"""A file that raises when it is run."""
import torch


@torch.jit.script
def check(n: int) -> int:
    return n


raise RuntimeError("not today")  # E: TS801
