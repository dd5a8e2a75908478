"""`with minits.patch_torch_jit():` code that calls `torch.jit` uses minits.

    with minits.patch_torch_jit():
        import library            # which has functions with @torch.jit.script
        model = library.Model()   # and modules that are compiled when they are made

Libraries that have taken a name before (`from torch.jit import script`) keep it, and what torch.jit
has compiled stays as it is. In a torch without `torch.jit` there is one meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import torch

_NAME = "torch.jit"


@contextmanager
def patch_torch_jit() -> Iterator[None]:
    """Let `torch.jit` have the functions and classes of minits while the block runs.

    They are put back behind it, whatever is raised in it. Blocks may be nested; they hold for all
    threads.
    """
    minits = sys.modules[__package__]  # which has this file's function among its names
    try:
        module = import_module(_NAME)
    except ImportError:
        module = ModuleType(_NAME)
        names = minits.__all__
    else:
        names = [name for name in minits.__all__ if hasattr(module, name)]
    ours: dict[str, Any] = {name: getattr(minits, name) for name in names}
    with (
        _imported(module),
        patch.object(torch, "jit", module, create=True),
        patch.multiple(module, create=True, **ours),
    ):
        yield


@contextmanager
def _imported(module: ModuleType) -> Iterator[None]:
    """Let imports find the module, and put back what they found before.

    `patch.dict` would forget all modules that are imported meanwhile.
    """
    before = {name: sys.modules[name] for name in (_NAME,) if name in sys.modules}
    sys.modules[_NAME] = module
    try:
        yield
    finally:
        sys.modules.pop(_NAME, None)
        sys.modules.update(before)
