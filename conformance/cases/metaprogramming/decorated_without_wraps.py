"""Without `functools.wraps` it is the decorator's own function, with what it takes, that is seen."""

from torch import Tensor


def noted(function):
    def noting(*args):  # error
        return function(*args)

    return noting


@noted
def program(x: Tensor) -> Tensor:
    return x + 1
