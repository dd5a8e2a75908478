"""A class whose `__init__` refuses samples: not checked, and said so."""
from torch import nn


class Net(nn.Module):
    def __init__(self, kind: str, inner: nn.Module):
        super().__init__()
        self.inner = {"a": inner}[kind]

    def forward(self, x):
        return self.inner(x)
