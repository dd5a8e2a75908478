"""A device written as one text is a constant; written as type and index, it is made at each call."""

from typing import Optional, Tuple

import torch


def program() -> Tuple[Tuple[Optional[int], str], Tuple[Optional[int], str], torch.device]:
    known = torch.device("cuda:1")
    made = torch.device("cpu", 0)
    return (known.index, known.type), (made.index, made.type), torch.device("cpu", index=1)


def inputs():
    return [()]
