"""Complex numbers as rotary positions, and the halves of heads exchanged."""

import torch


def program(query, turns):
    pairs = torch.view_as_complex(query.float().reshape(*query.shape[:-1], -1, 2))
    turned = torch.view_as_real(pairs * turns[: query.size(1)]).flatten(2).type_as(query)
    half = query.shape[-1] // 2
    rotated = torch.cat((-query[..., half:], query[..., :half]), dim=-1)
    return turned + rotated, pairs.abs(), torch.fft.irfft(torch.fft.rfft(query), n=query.size(-1))


def example():
    return torch.linspace(-1.0, 1.0, 24).view(2, 3, 4), torch.polar(torch.ones(5, 2), torch.linspace(0.0, 3.0, 10).view(5, 2))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 24).view(2, 3, 4), torch.polar(torch.ones(5, 2), torch.linspace(0.0, 3.0, 10).view(5, 2))), (torch.linspace(-1.0, 1.0, 8).view(1, 2, 4), torch.polar(torch.ones(5, 2), torch.linspace(0.0, 3.0, 10).view(5, 2)))]
