"""A tuple of constants is a constant of the types of what is in it, whatever may be in others."""

from typing import Optional, Tuple

import torch

Part = Tuple[Optional[int], str]


def program() -> Tuple[Part, Part, Tuple[Part, Optional[float]]]:
    index = torch.device("cuda:1").index
    nowhere = torch.device("cuda").index
    return (index, "a"), (nowhere, "b"), ((index, "c"), None)


def inputs():
    return [()]
