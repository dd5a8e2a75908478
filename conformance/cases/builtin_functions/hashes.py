"""hash of an int is the int; strings, floats and tuples have the same hash in every process, None has 0."""

from typing import Any, List, Optional, Tuple

import torch


def program(n: int, x: float, s: str, t: Tuple[int, Tuple[str, bool]], o: Optional[int]) -> List[int]:
    whatever: Any = t
    return [hash(n), hash(x), hash(s), hash(t), hash(o), hash(n > 0), hash(whatever), hash(torch.int8)]


def inputs():
    return [
        (3, 0.0, "", (0, ("", False)), None),
        (-1, -0.0, "a", (-1, ("a", True)), 5),
        (2**63 - 1, 1.5, "hash of eight bytes", (2**62, ("é", True)), 0),
        (-(2**63), float("inf"), "16 bytes exactly", (-(2**63), ("long enough", False)), -2),
    ]
