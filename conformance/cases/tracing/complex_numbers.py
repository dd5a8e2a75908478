"""Complex numbers are recorded as other numbers are."""

import torch


def program(x):
    z = torch.complex(x, -x)
    return z * 2j, z.real, z.abs(), torch.view_as_real(z)


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
