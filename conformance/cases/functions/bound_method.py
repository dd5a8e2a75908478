"""A method that is bound to a Python object is not called, also if it is to stay Python."""

import torch


class Store:
    @torch.jit.ignore
    def size(self, n: int) -> int:
        return n + 1


size = Store().size


def program(n: int) -> int:
    return size(n)  # error
