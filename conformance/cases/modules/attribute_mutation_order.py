"""Reads and writes of attributes keep their order, across method calls and branches."""

from typing import List

import torch
from torch import nn


class Account(nn.Module):
    log: List[int]

    def __init__(self):
        super().__init__()
        self.balance = 10
        self.log = []

    def move(self, n: int) -> int:
        self.log.append(self.balance)
        self.balance -= n
        return self.balance

    def forward(self, n: int) -> List[int]:
        before = self.balance
        total = self.balance + self.move(n) * self.balance
        if self.move(1) > self.balance - 1:
            self.balance = self.balance * 2
        for i in range(n):
            self.balance += i
            if self.balance > 50:
                return self.log
            self.log.append(self.balance)
        self.log = [before, total] + self.log
        return self.log


def build():
    return Account()


def inputs():
    return [(2,), (3,), (0,), (20,)]
