"""`with minits.strict_fusion():` programs that do not fuse raise instead of running slower.

Source: torch/jit/_script.py and torch/jit/__init__.py (`torch.jit.strict_fusion`), which marks a
region of the program instead and is checked at compile time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from minits.kernels.cpu.background import building_now
from minits.passes.remarks import Remark, folded


class FusionError(RuntimeError):
    """A program was called under `strict_fusion` and something in it was not fused.

    `remarks` tell what, why, and what would mend it.
    """

    def __init__(self, remarks: Sequence[Remark]) -> None:
        self.remarks = tuple(remarks)
        texts = folded(remarks)
        super().__init__("\n".join(["not everything was fused", *texts]))


class _Strict(threading.local):
    """Blocks that a thread is in, and that decide how its calls run: how many of each kind."""

    depth = 0
    unoptimized = 0
    """Those of `optimized_execution(False)`."""
    blocks = 0
    """All of them: outside of all a call may take the short way."""


STRICT = _Strict()


@contextmanager
def strict_fusion() -> Iterator[None]:
    """Raise `FusionError` where a call's plan leaves operators unfused. Calls wait for kernels."""
    STRICT.depth += 1
    STRICT.blocks += 1
    try:
        with building_now():
            yield
    finally:
        STRICT.depth -= 1
        STRICT.blocks -= 1


def check_strict(remarks: Sequence[Remark]) -> None:
    """Raise `FusionError` if something was missed."""
    missed = [remark for remark in remarks if remark.kind == "missed"]
    if missed:
        raise FusionError(missed)
