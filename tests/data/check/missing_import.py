"""A package that is not there."""
import torch
import no_such_package_at_all  # E: TS801


@torch.jit.script
def f(x: torch.Tensor) -> torch.Tensor:
    return x.nothing()
