"""torch.qscheme is annotated, and is an int; torch's schemes are constants."""

from typing import List

import torch


def per_channel(scheme: torch.qscheme) -> bool:
    return scheme == torch.per_channel_affine or scheme == torch.per_channel_symmetric


def program(scheme: torch.qscheme) -> List[bool]:
    return [
        per_channel(scheme),
        per_channel(torch.per_channel_affine),
        scheme == torch.per_tensor_affine,
    ]


def inputs():
    return [(torch.per_tensor_affine,), (torch.per_channel_symmetric,)]
