"""Lines that a program prints: C calls Python for each, which goes where `print` writes."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import NoReturn

RAISED = -2
"""The number that a function returns where a function of Python that it calls raises: `MTS_RAISED`.
"""
_THREAD = threading.local()


def _write(address: int, length: int) -> int:
    """Write the bytes of a line. Return 1 where this raises, which `raise_fault` raises again."""
    try:
        sys.stdout.write(ctypes.string_at(address, length).decode("utf-8", "surrogateescape"))
    except BaseException as error:  # also an interrupt of the keyboard
        keep_fault(error)
        return 1
    return 0


WRITE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)(_write)
"""The function that C calls; the interpreter lock is held meanwhile."""


def keep_fault(error: BaseException) -> None:
    """Keep what a function that C calls raises, in this thread, for `raise_fault`."""
    _THREAD.fault = error


def taken_fault() -> BaseException:
    """Return the error of a function that C has called in this thread, and forget it."""
    fault, _THREAD.fault = _THREAD.fault, None
    assert isinstance(fault, BaseException)
    return fault


def raise_fault() -> NoReturn:
    """Raise what a function that C has called raised in this thread."""
    raise taken_fault()
