"""Of an annotation over several lines, the generic that has too many types is told."""

from __future__ import annotations

from typing import Dict, Optional


def program(
    x: Dict[
        str,
        Optional[  # error
            int,
            str,
        ],
    ],
) -> int:
    return len(x)
