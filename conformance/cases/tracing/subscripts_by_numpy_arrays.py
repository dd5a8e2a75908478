"""Arrays of NumPy as indices are constants that are lifted and converted."""

import numpy as np
import torch


def program(x):
    y = x.clone()
    y[np.array([0])] = 1.0
    y[:, np.array([0, 2])] += x[:, :2]
    mask = np.array([[True, False, True], [False, True, False]])
    return y, x[np.array([0, 1]), np.array([1, 1])], x[mask], x[np.int64(1)], x[0, np.array(1)]


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-2.0, 2.0, 6).view(2, 3),)]
