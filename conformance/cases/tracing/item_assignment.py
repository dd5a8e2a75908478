"""An assignment to a part of a tensor is copy_, fill_ or index_put_ of views."""

import torch


def program(x, y):
    x = x.clone()
    x[0] = 1
    x[:, 1] = y[:, 0]
    x[1:] = y[1:]
    x[x > 0.5] = 0.25
    x[..., -1] += 3
    return x


def example():
    return (torch.linspace(-1.0, 1.0, 12).view(3, 4), torch.linspace(-1.0, 1.0, 12).view(3, 4))


def inputs():
    return [(torch.linspace(-1.0, 1.0, 12).view(3, 4), torch.linspace(-1.0, 1.0, 12).view(3, 4)), (torch.linspace(-1.0, 1.0, 10).view(5, 2), torch.linspace(-1.0, 1.0, 10).view(5, 2))]
