"""A function of a library that cannot be compiled: told where it is called."""
import textwrap

import torch


@torch.jit.script
def wrapped(text: str) -> str:
    return textwrap.shorten(text, 10)  # E: TS115
