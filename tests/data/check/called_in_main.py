"""A class whose arguments the main block tells."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).nothing()  # E: TS302


if __name__ == "__main__":
    torch.jit.script(Net(nn.ReLU()))
