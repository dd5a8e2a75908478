"""What has all methods of one interface passes for another one that promises some of them."""

import torch


@torch.jit.interface
class Stack:
    def push(self, n: int) -> int:
        pass

    def pop(self) -> int:
        pass


@torch.jit.interface
class Sink:
    def push(self, n: int) -> int:
        pass


@torch.jit.script
class Numbers:
    def __init__(self):
        self.items = [0]

    def push(self, n: int) -> int:
        self.items.append(n)
        return len(self.items)

    def pop(self) -> int:
        return self.items.pop()


def fill(sink: Sink, n: int) -> int:
    for i in range(n):
        sink.push(i * i)
    return sink.push(n)


def program(n: int) -> int:
    stack: Stack = Numbers()
    return fill(stack, n) * 100 + stack.pop() * 10 + stack.pop()


def inputs():
    return [(3,), (0,)]
