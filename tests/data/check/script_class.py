"""A class that is compiled."""
import torch


@torch.jit.script
class Pair:
    def __init__(self, a: int):
        self.a = a

    def total(self) -> int:
        return self.a + self.missing  # E: TS302
