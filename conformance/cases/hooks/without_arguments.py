"""The hooks of a module whose forward takes no arguments are given an empty tuple, Tuple[()]."""

from typing import Tuple

from torch import nn


class Ticket(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = 0

    def forward(self) -> int:
        return self.number


def advance(self, inputs: Tuple[()]) -> None:
    self.number += 1


def padded(self, inputs: Tuple[()], output: int) -> str:
    return "number " + str(output)


def build():
    ticket = Ticket()
    ticket.register_forward_pre_hook(advance)
    ticket.register_forward_hook(padded)
    return ticket


def inputs():
    return [(), ()]
