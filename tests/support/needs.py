"""The needs of modules of tests, which are skipped where there is no such thing."""

from __future__ import annotations

import pytest

from minits.kernels.cpu.c_build import NoCompiler, compiler
from minits.native import torch_interface


def need_compiler() -> None:
    """Skip all tests of a module where there is no compiler."""
    try:
        compiler()
    except NoCompiler as reason:
        pytest.skip(str(reason), allow_module_level=True)


def need_c_interface() -> None:
    """Skip all tests of a module where there is no compiler, or torch has no C interface."""
    need_compiler()
    if torch_interface.library() is None:
        pytest.skip("this torch has no C interface", allow_module_level=True)
