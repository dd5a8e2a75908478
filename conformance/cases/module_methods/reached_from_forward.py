"""What forward calls is compiled, and what that calls; other methods are not, so they may hold anything."""

from torch import nn


class Net(nn.Module):
    def forward(self, n: int) -> int:
        return self.first(n) + self.second(n)

    def first(self, n: int) -> int:
        return self.second(n) * 10

    def second(self, n: int) -> int:
        return n + 1

    def eager(self, n):
        with open("nowhere") as file:
            yield from (lambda: file.read())()


def build():
    return Net()


def inputs():
    return [(1,), (-1,)]
