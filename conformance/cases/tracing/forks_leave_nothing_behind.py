"""What a forked call computes and hides from its future is a constant outside; writes are seen."""

import torch


def program(x):
    hidden = []

    def body(y):
        hidden.append(y.tanh())
        return y.neg()

    def write(y):
        y.add_(1)
        return y * 2

    negated = torch.jit.wait(torch.jit.fork(body, x))
    copy = x * 1
    doubled = torch.jit.wait(torch.jit.fork(write, copy))
    return negated + hidden[0], doubled, copy


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)


def inputs():
    return [(torch.linspace(-1.0, 1.0, 6).view(2, 3),)]
