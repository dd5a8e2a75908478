"""Keep torch's own words from the screen."""

from __future__ import annotations

import os

import torch


def silence() -> None:
    """Let this process write nowhere, and compute in one thread."""
    torch.set_num_threads(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
