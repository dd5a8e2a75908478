"""A Future of a tuple is no tuple: it is unpacked after wait."""

from typing import Tuple

import torch


def divided(a: int, b: int) -> Tuple[int, int]:
    return a // b, a % b


def program(n: int) -> int:
    future = torch.jit.fork(divided, n, 3)
    a, b = torch.jit.wait(future)
    quotient, rest = future  # error
    return quotient + rest + a + b
