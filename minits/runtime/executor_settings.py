"""Settings of torch.jit's executor, as far as they mean something here.

    with minits.optimized_execution(False):     calls run operator by operator, without kernels
        net(x)

What chooses between torch's fusers, or how often they specialise, chooses nothing: there is one,
and its plans serve all sizes. Such calls are accepted; a warning tells that they have no effect.

Source: torch/jit/_fuser.py, torch/jit/__init__.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from minits.runtime.strict_fusion import STRICT

Strategy = list[tuple[str, int]]
_FUSERS = ("fuser0", "fuser1", "fuser2", "fuser3", "none")


@contextmanager
def optimized_execution(should_optimize: bool) -> Iterator[None]:
    """Let calls of this thread run without kernels, if False; if True, as they run else."""
    if should_optimize:
        yield
        return
    STRICT.unoptimized += 1
    STRICT.blocks += 1
    try:
        yield
    finally:
        STRICT.unoptimized -= 1
        STRICT.blocks -= 1


@contextmanager
def fuser(name: str) -> Iterator[None]:
    """Let calls run without kernels, if "none"; torch's names of fusers all mean the one there is.

    Raises `ValueError` for another name.
    """
    if name not in _FUSERS:
        raise ValueError(f"unrecognized fuser option {name!r}: there are {', '.join(_FUSERS)}")
    with optimized_execution(name != "none"):
        yield


def set_fusion_strategy(strategy: Sequence[tuple[str, int]]) -> Strategy:
    """Warn that this has no effect, and return what always holds: one plan for all sizes.

    Raises `ValueError` where a kind is neither "STATIC" nor "DYNAMIC".
    """
    for kind, _ in strategy:
        if kind not in ("STATIC", "DYNAMIC"):
            raise ValueError(f"a strategy is 'STATIC' or 'DYNAMIC', not {kind!r}")
    _tell("set_fusion_strategy", "plans serve all sizes")
    return [("DYNAMIC", 1)]


def enable_onednn_fusion(enabled: bool) -> None:
    """Warn, if it is to be enabled, that this has no effect."""
    if enabled:
        _tell("enable_onednn_fusion", "there is one fuser")


def onednn_fusion_enabled() -> bool:
    """Return False: there is one fuser, and oneDNN's is not it."""
    return False


def _tell(name: str, why: str) -> None:
    warnings.warn(f"`{name}` has no effect: {why}", UserWarning, stacklevel=3)
