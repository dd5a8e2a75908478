"""A function of another library, written in C, cannot be compiled."""

import numpy as np


def program(n: float) -> float:
    return n + np.sin(n)  # error
