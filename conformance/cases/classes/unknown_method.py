"""A class has the methods that it defines."""

import torch


@torch.jit.script
class Count:
    def __init__(self):
        self.n = 0

    def more(self) -> int:
        return self.n + 1


def program() -> int:
    count = Count()
    return count.more() + count.less()  # error
