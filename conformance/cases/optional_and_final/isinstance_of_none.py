"""isinstance with NoneType tests for None; with the other type it refines."""

from typing import Optional, Tuple


def program(a: Optional[str], b: Optional[float]) -> Tuple[str, float]:
    if isinstance(a, str):
        text = a + "!"
    else:
        text = "none"
    if not isinstance(b, float):
        b = -1.0
    return text, b


def inputs():
    return [(None, None), ("x", 2.5), ("", None)]
