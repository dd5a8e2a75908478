"""The system's C compiler: finding it, running it, giving it up where it does not work.

`CC` names the compiler; without it, the first of gcc, cc and clang is taken. `MINITS_CFLAGS` has
flags that are added to ours, as `-O1` to build many kernels that run once.

A compiler that fails is given an empty function. If it does not build that either, it is not asked
again: a process waits for a broken compiler once, not once per kernel. Otherwise what it refused is
remembered, and not given to it again.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.compiler_runs import Command, Failed, run
from minits.private_files import is_private, private_folder

FLAGS = (
    "-O3 -march=native -fopenmp -fno-math-errno -fno-trapping-math -ffp-contract=off -std=gnu11 "
    "-fwrapv -w -shared -fPIC"
).split()
"""None that changes what NaN, infinities, signed zeros or denormals mean, or how often a result is
rounded; -ffast-math would switch the whole process to flush-to-zero when the library is loaded."""
if platform.machine() in ("x86_64", "AMD64"):
    FLAGS.append("-mprefer-vector-width=512")
QUICK_FLAGS = ["-fira-region=one", "-fno-tree-slp-vectorize"]
"""gcc builds in four fifths of the time with these, and loops of vectors are as fast. (-fno-gcse
would save a hundredth more, but then the constants of polynomials are loaded one by one.)"""
SECONDS = 120.0
"""Time after which the compiler is stopped; the largest kernels take a few seconds."""
SECONDS_OF_PROBE = 10.0
MOST_REFUSED = 256
_SCRATCH = "minits-build-"
"""The beginning of a scratch folder's name; the number of its process follows."""
_ABANDONED = 3600.0
"""Seconds after which the scratch folder of a process that is gone is removed."""
_PROBE = "int probe(void) { return 0; }"
_COMMENT = re.compile(r"[ \t]*//[^\n]*")


class NoCompiler(RuntimeError):
    """There is no C compiler, or it does not build what it is given."""


class Compiler:
    """A C compiler, and what is known of its faults. `command` has its flags."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.identity = "\0".join([*command, _identity(command[0])])
        """All of what it builds that does not hang on the text."""
        self.broken: str | None = None
        """The reason why it builds nothing, if that was found out."""
        self._refused: BoundedCache[str, str] = BoundedCache(MOST_REFUSED)

    def build(
        self, key: str, texts: Sequence[str], library: Path, links: Sequence[str] = ()
    ) -> None:
        """Build a library of C texts, which `key` stands for. Raises NoCompiler."""
        known = self.broken or self._refused.get(key)
        if known is not None:
            raise NoCompiler(known)
        try:
            self._build(texts, library, SECONDS, links)
        except Failed as fault:
            raise self.refusal(key, str(fault), library.parent) from None

    def refusal(self, key: str, reason: str, folder: Path) -> NoCompiler:
        """Remember that a text was not built, and find out whether any would be."""
        message = f"{self.command[0]} does not build a kernel: {reason}"
        if not self._works(folder / "probe.so"):
            self.broken = message
        return NoCompiler(self._refused.put(key, message))

    def _works(self, probe: Path) -> bool:
        try:
            self._build([_PROBE], probe, SECONDS_OF_PROBE)
            ctypes.CDLL(str(probe))
        except (Failed, OSError):
            return False
        return True

    def _build(
        self, texts: Sequence[str], library: Path, seconds: float, links: Sequence[str] = ()
    ) -> None:
        """Several texts are compiled at the same time, as far as there are processors."""
        command, folder = self.command, library.parent
        if len(texts) == 1:
            alone = [*command, "-x", "c", "-", "-o", str(library), *links]
            run([Command(alone, texts[0])], folder, seconds)
        else:
            objects = [str(folder / f"{number}.o") for number in range(len(texts))]
            compiles = [
                Command([*command, "-c", "-x", "c", "-", "-o", object], text)
                for object, text in zip(objects, texts, strict=True)
            ]
            run(compiles, folder, seconds)
            run([Command([*command, *objects, "-o", str(library), *links])], folder, seconds)
        if not library.exists():
            raise Failed("it succeeds, but writes nothing")


def find_compiler() -> Compiler:
    """Return the compiler that the environment names. Raises NoCompiler where there is none."""
    environment = os.environ
    found = _find(
        environment.get("CC"), environment.get("MINITS_CFLAGS", ""), environment.get("PATH")
    )
    if isinstance(found, str):
        raise NoCompiler(found)
    return found


def why_no_compiler() -> str | None:
    """Return why no kernel can be built: there is no compiler, or it builds nothing. Else None."""
    try:
        return find_compiler().broken
    except NoCompiler as fault:
        return str(fault)


@lru_cache(maxsize=8)
def _find(wanted: str | None, flags: str, path: str | None) -> Compiler | str:
    """Return the compiler, or why there is none: the path is searched once for that, too."""
    try:
        return _searched(wanted, flags, path)
    except NoCompiler as fault:
        return str(fault)


def _searched(wanted: str | None, flags: str, path: str | None) -> Compiler:
    more = _words("MINITS_CFLAGS", flags)
    for name in [wanted] if wanted else ["gcc", "cc", "clang"]:
        words = _words("CC", name)
        found = shutil.which(words[0], path=path) if words else None
        if found:
            quick = QUICK_FLAGS if "gcc" in Path(found).resolve().name else []
            try:
                return Compiler([str(Path(found).absolute()), *words[1:], *FLAGS, *quick, *more])
            except OSError as fault:
                raise NoCompiler(f"{found} cannot be run: {fault}") from None
    where = f"CC={wanted}" if wanted else "gcc, cc and clang"
    raise NoCompiler(f"there is no C compiler ({where} not found); install gcc, or set CC")


def _words(variable: str, text: str) -> list[str]:
    if not text or text.isalnum():
        return text.split()
    import shlex

    try:
        return shlex.split(text)
    except ValueError as fault:
        raise NoCompiler(f"{variable}={text} is no command: {fault}") from None


def without_comments(text: str) -> str:
    """Return C text as it is compiled; comments name lines of the program, which move."""
    return _COMMENT.sub("", text)


def _identity(binary: str) -> str:
    """Return the other things that a built library depends on: compiler version and processor."""
    found = Path(binary).stat()
    return f"{found.st_size} {found.st_mtime_ns} {platform.machine()} {_processor()}"


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            first = list(takewhile(lambda line: line != "\n", file))
    except OSError:
        return platform.processor()  # another system's; it runs a program to find out
    return "".join([x for x in first if x.startswith(("flags", "model name", "Features"))])


@contextmanager
def scratch_folder(otherwise: Path) -> Iterator[Path]:
    """Give an empty folder in the system's folder for temporary files, or in another one.

    A `TemporaryDirectory` would be deleted at the end of a fork, too, which has a copy of it.
    Raises NoCompiler where neither can be written to by this user, and by nobody else.
    """
    folder: Path | None = None
    try:
        folder = _empty_folder(otherwise)
        yield folder
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _empty_folder(otherwise: Path) -> Path:
    for parent in (None, otherwise):
        try:
            _sweep(Path(tempfile.gettempdir() if parent is None else parent))
            prefix = f"{_SCRATCH}{os.getpid()}-"
            return private_folder(Path(tempfile.mkdtemp(prefix=prefix, dir=parent)))
        except OSError as fault:
            reason = fault
    raise NoCompiler(f"there is no folder to build kernels in: {reason}")


def _sweep(parent: Path) -> None:
    """Remove the scratch folders of this user's processes that were killed while they built."""
    for folder in parent.glob(f"{_SCRATCH}*-*"):
        with suppress(OSError, ValueError):
            found = folder.lstat()
            is_old = time.time() - found.st_mtime > _ABANDONED
            if is_old and is_private(found) and not _is_running(int(folder.name.split("-")[2])):
                shutil.rmtree(folder, ignore_errors=True)


def _is_running(number: int) -> bool:
    """Return whether there is a process of this number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
