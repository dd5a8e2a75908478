"""Views are recorded with the sizes that they were given."""

import torch


def program(x):
    y = x.transpose(0, 1).contiguous().view(2, -1)
    return y.t(), y.unsqueeze(0).expand(3, -1, -1), y.permute(1, 0).flatten(), x.contiguous()


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(3, 4),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(3, 4),), (torch.linspace(-1.0, 1.0, 12).view(2, 6),)]
