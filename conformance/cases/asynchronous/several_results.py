"""A forked function may return several values, None, or a container."""

from typing import Dict, Tuple

import torch


def divided(a: int, b: int) -> Tuple[int, int]:
    return a // b, a % b


def noted(table: Dict[str, int], n: int) -> None:
    table["n"] = n


def program(n: int) -> Tuple[int, int, Dict[str, int]]:
    table = {"n": 0, "m": n}
    quotient, rest = torch.jit.wait(torch.jit.fork(divided, n, 3))
    done = torch.jit.wait(torch.jit.fork(noted, table, n + 1))
    if done is None:
        quotient += 100
    return quotient, rest, table


def inputs():
    return [(7,), (-7,)]
