"""What is known by an interface does not pass for one that promises more."""

import torch


@torch.jit.interface
class Sink:
    def push(self, n: int) -> int:
        pass


@torch.jit.interface
class Stack:
    def push(self, n: int) -> int:
        pass

    def pop(self) -> int:
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


def last(stack: Stack) -> int:
    return stack.pop()


def program(n: int) -> int:
    sink: Sink = Numbers()
    sink.push(n)
    return last(sink)  # error
