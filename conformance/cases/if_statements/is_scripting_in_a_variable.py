"""The answer of is_scripting() selects a branch where it is asked; from a variable it does not."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    eager = not torch.jit.is_scripting()
    if eager:
        return x.no_such_method()  # error
    return x.neg()
