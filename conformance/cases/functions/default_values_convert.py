"""A default becomes a value of the parameter's type, as an argument does."""

from typing import Any, List, Optional, Tuple, Union

import torch


def program(
    n: int,
    flag: bool = 1,
    x: float = True,
    z: complex = 2,
    maybe: Optional[float] = 3,
    pair: Tuple[float, int] = (1, 2),
    sizes: List[int] = (3, 4),
    dtype: int = torch.float32,
    scalar: float = torch.tensor(2.5),
    mixed: Union[int, str] = "a",
    anything: Any = 1,
):
    if maybe is None:
        return flag, x, z, 0.0, pair, sizes, dtype, scalar, isinstance(mixed, str), n
    return flag, x, z, maybe, pair, sizes, dtype, scalar, isinstance(mixed, str), n


def inputs():
    return [(1,), (2, 0, 2), (3, False, 1.5, 1j, None, (2, 3), [5], torch.int64, 1, 7)]
