"""A future, a generator, a device and None are shown by their names, a dtype by its number; what is nested is shown as it
is by itself, strings without quotes."""

from typing import List, Optional, Tuple

import torch


def later(n: int) -> int:
    return n + 1


def program(
    n: int, generator: torch.Generator, pairs: List[Tuple[str, Optional[int]]], device: torch.device
):
    future = torch.jit.fork(later, n)
    print(future, [future], generator, (device, None))
    texts = [str(future), f"{generator}", "%s" % [device], "{}".format(pairs), str({"a": pairs})]
    return texts, str(torch.float16), str((torch.float16,)), future.wait()


def inputs():
    cpu = torch.device("cpu")
    return [(3, torch.Generator(), [("it's", 1), ('"q"', None), ("", 2)], cpu)]
