"""Bounded caches made small, so that what is in them is evicted all the time."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

PARTS = ("minits.runtime", "minits.codegen", "minits.kernels")
ON_DISK = "minits.kernels.cpu.cache"
NAMES = (
    "MOST_PLANS", "MOST_SHAPES", "MOST_CALLS", "MOST_LAUNCHES", "MOST_FAMILIES", "MOST_KEPT",
    "MOST_KINDS", "MOST_PATTERNS", "MOST_SEEN", "MOST_GRADIENTS",
    "MOST_VARIANTS", "MOST_FORMS", "MOST_CLASSES", "MOST_READ",
)  # fmt: skip
"""Names of bounds; others of that kind limit what is fused, not what is remembered."""


@contextlib.contextmanager
def bounded(bound: int) -> Iterator[None]:
    """Let every bounded cache hold `bound` entries, if it is not 0."""
    before = []
    for name, module in list(sys.modules.items()):
        if bound and name.startswith(PARTS) and name != ON_DISK:
            before += [(module, each, value) for each, value in vars(module).items()
                       if each in NAMES and isinstance(value, int)]  # fmt: skip
    for module, each, _ in before:
        setattr(module, each, bound)
    try:
        yield
    finally:
        for module, each, value in before:
            setattr(module, each, value)
