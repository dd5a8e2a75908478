"""A file that exits when it is run."""
import sys

import torch


@torch.jit.script
def check(x: torch.Tensor) -> torch.Tensor:
    return x


sys.exit(3)  # E: TS801
