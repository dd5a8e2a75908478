"""A value is called after the first local variable that holds it when it is used."""

import torch


def helper(inner):
    doubled = inner * 2
    return doubled + 1


def program(x):
    first = x + 1
    second = first
    return helper(second) * second


def example():
    return (torch.linspace(-1.0, 1.0, 2).view(2),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 2).view(2),)]
