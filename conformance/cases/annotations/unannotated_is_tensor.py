"""A parameter without an annotation is a Tensor: an int passed from Python raises."""


def program(x, n: int):
    return x * n


def inputs():
    import torch

    return [(torch.ones(2), 3), (2, 3)]
