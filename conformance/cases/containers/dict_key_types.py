"""Keys may be ints, floats, strings, bools and tensors' items; a missing one raises."""

from typing import Dict, List, Optional, Tuple


def program(n: int, wanted: int) -> Tuple[List[float], bool, Optional[str]]:
    squares = {i: float(i * i) for i in range(n)}
    names = {0.5: "half", 1.0: "one"}
    flags: Dict[bool, int] = {}
    flags[n > 2] = 1
    flags[n > 0] = 2
    values = list(squares.values())
    values.append(squares[wanted])
    values.append(float(len(flags)))
    return values, wanted in squares, names.get(n * 0.5)


def inputs():
    return [(3, 1), (1, 0), (2, 5), (0, 0)]
