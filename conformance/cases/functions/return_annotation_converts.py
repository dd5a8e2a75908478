"""A declared return type turns an int's None into Optional, and an empty list into List[str]."""

from typing import List, Optional, Tuple


def pick(flag: int) -> Optional[float]:
    if flag > 1:
        return None
    return 1.5


def empty(flag: bool) -> List[str]:
    if flag:
        return []
    return ["a"]


def program(flag: int) -> Tuple[Optional[float], List[str], Optional[int]]:
    kept: Optional[int] = flag
    return pick(flag), empty(flag > 0), kept


def inputs():
    return [(0,), (1,), (2,)]
