"""Building C text with the system's compiler, once per machine.

A shared object is kept in the user's cache folder under the hash of all that it is made of: the
text, the flags, the compiler and the processor. It is written under another name first and then
renamed, so that nobody loads half of one. Nothing is loaded that another user could have written.
What has not been used for longest is deleted when there is too much of it (`cache.py`).

`MINITS_CACHE` names another folder. `CC` names the compiler. `MINITS_CFLAGS` has flags that are
added to ours, as `-O1` to build many kernels that run once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shlex
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import platformdirs

from minits.kernels import cache as cache_files

FLAGS = (
    "-O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math -ffp-contract=off -std=gnu11 "
    "-fwrapv -w -shared -fPIC"
).split()
"""None that changes what NaN, infinities, signed zeros or denormals mean, or how often a result is
rounded; -ffast-math would switch the whole process to flush-to-zero when the library is loaded."""
if platform.machine() in ("x86_64", "AMD64"):
    FLAGS.append("-mprefer-vector-width=512")
QUICK_FLAGS = ["-fira-region=one", "-fno-gcse", "-fno-tree-slp-vectorize"]
"""gcc builds in four fifths of the time with these, and loops of vectors are as fast."""
_SECONDS = 120


class NoCompiler(RuntimeError):
    """There is no C compiler, or it does not build what it is given."""


def build(*texts: str) -> ctypes.CDLL:
    """Return the library made of C texts, from the cache if it is there. Raises NoCompiler.

    Several texts are compiled at the same time, as far as there are processors.
    """
    command = [*compiler(), *shlex.split(os.environ.get("MINITS_CFLAGS", ""))]
    key = hashlib.sha256("\0".join([*texts, *command, _machine()]).encode()).hexdigest()
    folder = cache_folder()
    path = folder / f"{key[:40]}.so"
    if not (_is_mine(path) and cache_files.use(path)):
        _make(command, texts, path)
        cache_files.note_built(path)
    try:
        return ctypes.CDLL(str(path))
    except OSError as fault:
        raise NoCompiler(f"a built kernel cannot be loaded: {fault}") from None


@cache
def compiler() -> list[str]:
    """Return the command, with flags. Raises NoCompiler where there is no compiler."""
    wanted = os.environ.get("CC")
    for name in [wanted] if wanted else ["gcc", "cc", "clang"]:
        words = shlex.split(name)
        found = shutil.which(words[0]) if words else None
        if found:
            quick = QUICK_FLAGS if "gcc" in Path(found).resolve().name else []
            return [found, *words[1:], *FLAGS, *quick]
    where = f"CC={wanted}" if wanted else "gcc, cc and clang"
    raise NoCompiler(f"there is no C compiler ({where} not found); install gcc, or set CC")


@cache
def _machine() -> str:
    """What else a built library hangs on: the compiler's version and the processor."""
    binary = Path(compiler()[0]).stat()
    processor = platform.processor()
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            for line in file:
                if line.startswith(("flags", "model name", "Features")):
                    processor += line
                if line == "\n":
                    break
    except OSError:
        pass
    return f"{binary.st_size} {binary.st_mtime_ns} {platform.machine()} {processor}"


# ---- The cache ---------------------------------------------------------------------------------


@cache
def cache_folder() -> Path:
    """Return a folder that nobody but this user can write to."""
    given = os.environ.get("MINITS_CACHE")
    folder = Path(given) if given else Path(platformdirs.user_cache_dir("minits", appauthor=False))
    folder = folder / "kernels"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(folder.lstat()) and os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="minits-"))


def _is_private(found: os.stat_result) -> bool:
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _is_mine(path: Path) -> bool:
    """Whether there is a file that this user has written."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and _is_private(found)


def _make(command: list[str], texts: Sequence[str], path: Path) -> None:
    """Build the library `path`."""
    handle, unfinished = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    os.close(handle)
    try:
        if len(texts) == 1:
            _run([*command, "-x", "c", "-", "-o", unfinished], texts[0])
        else:
            _compile_and_link(command, texts, unfinished)
        Path(unfinished).chmod(0o700)
        Path(unfinished).replace(path)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoCompiler(f"{command[0]} does not build a kernel: {fault}") from None
    finally:
        Path(unfinished).unlink(missing_ok=True)


def _compile_and_link(command: list[str], texts: Sequence[str], library: str) -> None:
    with tempfile.TemporaryDirectory(prefix="minits-") as folder:
        objects = [f"{folder}/{number}.o" for number in range(len(texts))]

        def compile(object: str, text: str) -> None:
            _run([*command, "-c", "-x", "c", "-", "-o", object], text)

        with ThreadPoolExecutor(_processors()) as pool:
            list(pool.map(compile, objects, texts))
        _run([*command, *objects, "-o", library])


def _processors() -> int:
    """How many processors this process may use; not every system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _run(command: list[str], text: str = "") -> None:
    """Run the compiler. Raises NoCompiler if it fails, OSError or TimeoutExpired."""
    result = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if "error" in line]
        reason = (lines or [f"exit code {result.returncode}"])[0]
        raise NoCompiler(f"{command[0]} does not build a kernel: {reason}")
