"""Modules of torch.nn (one dimension), in a Sequential that is traced itself."""

import torch
from torch import nn


def build():
    return nn.Sequential(nn.Conv1d(2, 3, 3), nn.BatchNorm1d(3), nn.MaxPool1d(2)).eval()


def example():
    return (torch.linspace(-1.0, 1.0, 32).view(2, 2, 8),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 32).view(2, 2, 8),)]
