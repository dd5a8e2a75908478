"""Environment variables that choose one of a few values, such as MINITS_BUILD."""

from __future__ import annotations

import os
import warnings
from functools import lru_cache


def choice(variable: str, *values: str) -> str:
    """Return the value of a variable; the first of `values` if it is not set, or none of them.

    Of the latter a process is warned once.
    """
    return _known(variable, os.environ.get(variable, values[0]), values)


@lru_cache(maxsize=32)
def _known(variable: str, wanted: str, values: tuple[str, ...]) -> str:
    if wanted in values:
        return wanted
    is_none = (
        f"neither {' nor '.join(values)}" if len(values) == 2 else f"none of {', '.join(values)}"
    )
    warnings.warn(f"{variable}={wanted} is {is_none}: {values[0]}", stacklevel=3)
    return values[0]
