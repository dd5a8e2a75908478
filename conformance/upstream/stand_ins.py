"""Stand-ins for names that test files of PyTorch 1.13 import and today's torch no longer has."""

from __future__ import annotations

import importlib.util
import sys
import types
import unittest
from typing import Any


def install() -> None:
    """Make the test files importable."""
    if importlib.util.find_spec("expecttest") is None:
        sys.modules["expecttest"] = expecttest()
    import torch
    from torch.jit import frontend

    # The last of these insists on the usual default dtype: import it first.
    from torch.testing._internal import common_nn, common_utils
    from torch.testing._internal import jit_metaprogramming_utils as jit_utils

    torch.set_default_dtype(torch.double)  # as torch's test utilities then did when imported
    sys.argv = sys.argv[:1]
    common_utils.parse_cmd_line_args()  # sets which executor torch.jit runs: its usual one
    for name in ("skipIfCaffe2", "skipIfNoCaffe2"):
        _add(common_utils, name, unittest.skip("about Caffe2"))
    for name in ("IS_SANDCASTLE", "BUILD_WITH_CAFFE2"):
        _add(common_utils, name, False)
    new = common_nn.get_new_module_tests()
    _add(common_nn, "new_module_tests", new)
    additional = jit_utils.get_all_nn_module_tests()[len(common_nn.module_tests) + len(new) :]
    _add(jit_utils, "additional_module_tests", additional)
    _add(frontend, "_IS_ASTUNPARSE_INSTALLED", False)
    for name in ("mkldnn", "mkl", "lapack", "openmp"):
        _add(torch._C, f"has_{name}", getattr(torch._C, f"_has_{name}", False))


def _add(place: Any, name: str, value: Any) -> None:
    if not hasattr(place, name):
        setattr(place, name, value)


class _TestCase(unittest.TestCase):
    """expecttest's class, so far as torch's test utilities need it."""

    def assertExpectedInline(self, actual: str, expect: str, skip: int = 0) -> None:
        self.assertMultiLineEqual(expect, actual)

    def assertExpectedRaisesInline(self, error: Any, run: Any, expect: str, *args: Any) -> None:
        with self.assertRaises(error) as raised:
            run(*args)
        self.assertMultiLineEqual(expect, str(raised.exception))


def expecttest() -> types.ModuleType:
    module = types.ModuleType("expecttest", "A stand-in for the package, which is not installed.")
    module.TestCase = _TestCase  # type: ignore[attr-defined]
    module.ACCEPT = False  # type: ignore[attr-defined]
    return module
