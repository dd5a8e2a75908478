"""`...` is no type, wherever in an annotation it stands."""

from __future__ import annotations

from typing import Dict, Tuple


def program(
    x: Dict[
        str,
        Tuple[
            int,
            ...,  # error
        ],
    ],
) -> int:
    return len(x)
