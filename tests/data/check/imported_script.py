"""`script` by another name."""
from torch.jit import script as compiled


def wrong(n: int):
    return n.nothing  # E: TS302


def never_compiled(n: int):
    return {n: lambda: n}


wrong = compiled(wrong)
