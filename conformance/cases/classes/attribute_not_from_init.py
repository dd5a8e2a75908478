"""A method cannot make an attribute that __init__ has not made."""

import torch


class Box:
    def __init__(self, n: int):
        self.n = n

    def put(self, m: int) -> int:
        self.m = m  # error
        return self.n


def program(n: int) -> int:
    return Box(n).put(1)
