"""Cases as C under the compiler's sanitizers: nothing is read or written out of bounds or after its
end, nothing is undefined, and nothing is lost.

    python -m conformance run --backend native --sanitize

The process starts anew with the sanitizers' library before all others. Leaks are looked for among
what C and the operators that it calls have allocated: outside of calls of C, the leak sanitizer
is told to look away, for Python and torch keep a good deal until the process ends. So this module
is imported before all others, and imports none of ours.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_VARIABLE = "MINITS_CONFORMANCE_SANITIZE"
_OF_OTHERS = Path(__file__).with_name("leaks_of_others.txt")
_FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -O0"

_CALLED: list[bool] = []
"""An item for each call of C in this process: without any, it is not looked through."""


def is_on() -> bool:
    """Return whether this process runs under the sanitizers."""
    return _VARIABLE in os.environ


def start_again(arguments: list[str]) -> None:
    """Run `python -m conformance` with these arguments under the sanitizers, in this process.

    Raises `NoCompiler`, and `RuntimeError` for a compiler without sanitizers.
    """
    from minits.kernels.cpu.c_build import compiler

    command = compiler()[0]
    libraries = [_library(command, name) for name in ("libasan.so", "libstdc++.so.6")]
    more = {
        _VARIABLE: "1",
        "LD_PRELOAD": " ".join(libraries),  # exceptions of torch are seen where both are
        "PYTHONMALLOC": "malloc",  # whose memory the leak sanitizer looks through
        "ASAN_OPTIONS": "detect_leaks=1:leak_check_at_exit=0:handle_segv=0:detect_odr_violation=0",
        "LSAN_OPTIONS": f"print_suppressions=0:suppressions={_OF_OTHERS}",
        "MINITS_CFLAGS": _FLAGS,
    }
    command_line = [sys.executable, "-m", "conformance", *arguments]
    os.execve(sys.executable, command_line, {**os.environ, **more})


def _library(command: str, name: str) -> str:
    asked = [command, f"-print-file-name={name}"]
    found = Path(subprocess.run(asked, capture_output=True, text=True).stdout.strip())
    if not found.is_absolute():
        raise RuntimeError(f"{command} has no {name}")
    return str(found)


def _functions() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def watch() -> None:
    """Let the leak sanitizer look at calls of C, and at nothing else from now on."""
    from minits.native import function

    os.environ.pop("LD_PRELOAD", None)  # the compiler loses memory itself
    sanitizer = _functions()
    make = function.caller

    def caller(*arguments: Any) -> Callable[..., Any]:
        call: Any = make(*arguments)
        entry = call.__globals__["entry"]

        def watched(*values: Any) -> Any:
            _CALLED.append(True)
            sanitizer.__lsan_enable()
            try:
                return entry(*values)
            finally:
                sanitizer.__lsan_disable()

        call.__globals__["entry"] = watched
        return call

    function.caller = caller  # type: ignore[assignment]


def has_leaks() -> bool:
    """Return whether calls of C have lost memory; the sanitizer then writes of it to stderr."""
    return bool(_CALLED and _functions().__lsan_do_recoverable_leak_check())


if is_on():
    _functions().__lsan_disable()  # of this thread, and of those of forks
