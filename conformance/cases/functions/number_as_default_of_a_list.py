"""The default of a list of known length may be one number: each element is that number."""

from typing import List, Tuple

from torch._jit_internal import BroadcastingList2, BroadcastingList3


def padded(size: BroadcastingList2[int], pad: BroadcastingList3[int] = 4) -> List[int]:
    return size + pad


def program(pad: BroadcastingList2[int] = 7) -> Tuple[List[int], List[int], List[int]]:
    return pad, padded(1), padded(pad, 2)


def inputs():
    return [(3,), ([5, 6],)]
