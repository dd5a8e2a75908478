"""A function that makes functions is not a program."""
import functools

import torch


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)

    return wrapper


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2
