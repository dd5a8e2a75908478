"""The branch left out is parsed all the same: it may hold no syntax that the language lacks."""

import torch


def program(n: int) -> int:
    if torch.jit.is_scripting():
        return n
    else:
        return sum({n, 1})  # error
