"""The type of a NamedTuple is printed with its defaults, as `print` shows values; each is of its own type, and a dtype is
an int."""

from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch


class Mode(Enum):
    FAST = "fast"
    EXACT = "exact"


class Settings(NamedTuple):
    rate: float = 1e-7
    scale: complex = 2j
    whole: float = -3.0
    pair: Tuple[int, str] = (1, 'say "so"')
    nothing: Tuple[int, Optional[str]] = (1, None)
    mode: Mode = Mode.FAST
    modes: Tuple[Mode, bool] = (Mode.EXACT, True)
    dtype: int = torch.float64
    device: torch.device = torch.device("cpu")
    numbers: List[float] = [0.5, 1.0]
    names: Dict[str, int] = {"a": 1}


def program(rate: float):
    return Settings(rate=rate), Settings()


def inputs():
    return [(0.5,), (float("inf"),)]
