"""It imports its own neighbour."""
import torch
from utils import g


@torch.jit.script
def h(x):
    return x.nothing_at_all()  # E: TS302
