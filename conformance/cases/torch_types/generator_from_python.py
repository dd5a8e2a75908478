"""A call from Python with a seed where a Generator is wanted raises."""

import torch


def program(generator: torch.Generator) -> torch.Tensor:
    return torch.rand(2, generator=generator)


def inputs():
    return [(3,), (torch.ones(1),)]
