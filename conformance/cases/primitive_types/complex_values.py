"""complex() makes a complex number of two real ones; abs is its size, and it mixes with ints and floats."""

from typing import List, Tuple


def program(z: complex, x: float) -> Tuple[List[complex], float]:
    w = complex(x, 2) * z
    return [w, w + 1, x * w, complex(1)], abs(z)


def inputs():
    return [(3 + 4j, 1.0), (0j, -1.0), (complex(0, -1), 0.5)]
