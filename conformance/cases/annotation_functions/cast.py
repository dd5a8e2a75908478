"""typing.cast is no function of TorchScript: annotate, or a test, tells the type."""

from typing import Optional, cast


def program(n: Optional[int]) -> int:
    if n is None:
        return 0
    return cast(int, n) + 1  # error
