"""The name of a quantisation scheme is no scheme."""

import torch


def per_channel(scheme: torch.qscheme) -> bool:
    return scheme == torch.per_channel_affine


def program(n: int) -> bool:
    if per_channel(torch.per_tensor_affine):
        return n > 0
    return per_channel("per_channel_affine")  # error
