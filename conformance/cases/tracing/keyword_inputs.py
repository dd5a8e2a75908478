"""Example inputs by keyword are in the order of the parameters."""

import torch

from conformance.case import call


def program(x, y):
    return x - y


def example():
    return None


def options():
    return {"example_kwarg_inputs": {"y": torch.linspace(-1.0, 1.0, 2).view(2), "x": torch.linspace(-1.0, 1.0, 2).view(2) * 2}}


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2), torch.linspace(-1.0, 1.0, 2).view(2) * 3), call(torch.linspace(-1.0, 1.0, 2).view(2), y=torch.linspace(-1.0, 1.0, 2).view(2) * 2)]
