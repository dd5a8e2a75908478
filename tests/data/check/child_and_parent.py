"""A class that is part of another one: its fault is told once."""
from torch import nn


class Child(nn.Module):
    def forward(self, x):
        return x.nothing()  # E: TS302


class Parent(nn.Module):
    def __init__(self):
        super().__init__()
        self.child = Child()

    def forward(self, x):
        return self.child(x)


class Grandparent(nn.Module):
    def __init__(self):
        super().__init__()
        self.parent = Parent()

    def forward(self, x):
        return self.parent(x)
