"""A base's method of the same name cannot be reached: super() is not in the language outside of __init__."""

from torch import nn


class Base(nn.Module):
    def forward(self, n: int) -> int:
        return n + 1


class Derived(Base):
    def forward(self, n: int) -> int:
        return super().forward(n) * 2  # error


def build():
    return Derived()
