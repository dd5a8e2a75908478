"""A script class has no base but object: what Python inherits is not there."""

import torch


class Base:
    def size(self) -> int:
        return 1


class Child(Base):
    def __init__(self, n: int):
        self.n = n


def program(n: int) -> int:
    child = Child(n)
    return child.n + child.size()  # error
