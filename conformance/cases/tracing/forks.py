"""Forked calls are recorded as forks, within each other too, and with what they see around them."""

import torch


def both(x):
    return x.tanh(), x.neg()


def inner(x):
    return x.sin()


def outer(x):
    waiting = torch.jit.fork(inner, x)
    return torch.jit.wait(waiting) + 1


def program(x):
    offset = torch.ones(x.size(1))
    first = torch.jit.fork(both, x)
    second = torch.jit.fork(lambda: (x * offset).view(x.size(0) * x.size(1)))
    third = torch.jit.fork(outer, x)
    fourth = torch.jit.fork(lambda y: [y, y * 2], x)
    one, other = torch.jit.wait(first)
    one, again = first.wait()
    items = fourth.wait()
    return one * other, second.wait(), torch.jit.wait(third), items[1] + again


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),), (torch.linspace(-2.0, 1.0, 8).view(4, 2),)]
