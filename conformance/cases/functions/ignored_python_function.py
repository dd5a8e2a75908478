"""`torch.jit.is_scripting()` is true while compiling, so the branch for eager Python is left out."""

import torch


def program(x: torch.Tensor) -> torch.Tensor:
    if not torch.jit.is_scripting():
        return x.numpy().no_such_method("for", eager=True)
    return x.neg()


def inputs():
    return [(torch.arange(3),), (torch.tensor(-0.5),)]
