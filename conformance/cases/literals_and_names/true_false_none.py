"""True, False and None are constants; True is a bool, equal to no string."""

from typing import Optional, Tuple


def program(flag: bool) -> Tuple[bool, bool, Optional[int]]:
    nothing: Optional[int] = None
    return flag == True, flag != False, nothing  # noqa: E712


def inputs():
    return [(True,), (False,)]
