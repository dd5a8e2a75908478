"""A Stream has no methods in compiled code."""

import torch


def program(stream: torch.Stream, n: int) -> bool:
    same = stream is stream
    return same or stream.query()  # error
