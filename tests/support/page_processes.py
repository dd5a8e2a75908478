"""The processes in which blocks of pages run.

They are forked from one that has imported minits, so that each has the state of a new process, and
none waits for an import.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import re
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
from torch._jit_internal import is_ignored_fn

SETTINGS = {
    "COLUMNS": "100",
    "MINITS_PLANS": "memory",
    "PYTHONUNBUFFERED": "1",
    "TORCH_CPP_LOG_LEVEL": "ERROR",
}
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["minits.cli.main", "minits.api", "tests.support.page_processes"])
_BEFORE_PROGRAMS = """
import dataclasses
from typing import *
import torch
from torch import Tensor, nn
"""


class Session:
    """A process that runs the Python blocks of a page, which share it as cells of a notebook do."""

    def __init__(self, page: str, folder: Path) -> None:
        self._page, self._folder = page, folder
        self._connection: Connection | None = None
        self._process: Any = None

    def run(self, line: int, text: str) -> tuple[str, str]:
        """Run a block whose first line is this one of the page.

        Return the traceback of what it raised, or nothing, and what it printed.
        """
        if self._connection is None:
            self._connection, theirs = _CONTEXT.Pipe()
            self._process = _CONTEXT.Process(target=_serve, args=(theirs, self._page, self._folder))
            self._process.start()
            theirs.close()
        self._connection.send((line, text))
        raised, printed = self._connection.recv()
        return raised, printed

    def end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._process.join()


def in_a_process(
    function: Callable[..., int], *arguments: object, timeout: float = 300
) -> tuple[int, str]:
    """Return the exit status that a function returns, and what it prints.

    Its last argument is the folder in which it runs.
    """
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_report, args=(theirs, function, arguments))
    process.start()
    theirs.close()
    assert ours.poll(timeout), f"no end after {timeout} s"
    status, printed = ours.recv()
    process.join()
    return status, printed


def minits_command(words: list[str], _: Path) -> int:
    """Run the command line of minits."""
    from minits.cli.main import main

    sys.argv = ["minits", *words]
    return main(words)


def compiled(dialect: str, text: str, place: str, _: Path) -> int:
    """Compile the functions and modules of a program, and see which dialects take them."""
    import minits

    name = re.sub(r"\W", "_", place)
    Path(f"{name}.py").write_text(_BEFORE_PROGRAMS + text, encoding="utf-8")
    sys.path.insert(0, "")
    found = [value for value in vars(importlib.import_module(name)).values() if _is_of(value, name)]
    try:
        programs = [minits.script(value, dialect=dialect) for value in found]
    except minits.CompileError as fault:
        print(fault)
        return 1
    taken = [_is_taken(compiler, found) for compiler in (minits.script, torch.jit.script)]
    if taken != [dialect == "torch"] * 2:
        print(f"minits in torch's dialect takes it: {taken[0]}, torch.jit: {taken[1]}")
    return int(not programs or taken != [dialect == "torch"] * 2)


def _is_of(value: object, module: str) -> bool:
    """Tell modules, functions that are compiled, and script classes, from others of a file."""
    if isinstance(value, torch.nn.Module):
        return True
    if getattr(value, "__module__", "") != module:
        return False
    if isinstance(value, type):
        return not issubclass(value, (torch.nn.Module, tuple))  # a NamedTuple is a type
    return isinstance(value, types.FunctionType) and not is_ignored_fn(value)


def _is_taken(compiler: Callable[..., object], programs: list[object]) -> bool:
    try:
        for program in programs:
            compiler(program)
    except Exception:  # torch.jit raises what it comes upon
        return False
    return True


def _report(to: Connection, function: Callable[..., int], arguments: tuple[Any, ...]) -> None:
    printed = _Printed(arguments[-1])
    try:
        status = function(*arguments)
    except Exception:
        status = 1
        traceback.print_exc()
    to.send((status, printed.new_text()))


class _Printed:
    """What this process, which goes into `folder`, prints to both streams from now on."""

    def __init__(self, folder: Path) -> None:
        os.chdir(folder)
        os.environ.update(SETTINGS)
        os.environ.setdefault("MINITS_CFLAGS", "-O0")  # what is built runs once
        os.environ.pop("MINITS_BUILD", None)  # as for users
        self._file = tempfile.TemporaryFile()
        self._read = 0
        os.dup2(self._file.fileno(), 1)
        os.dup2(self._file.fileno(), 2)
        sys.stdout = open(1, "w", encoding="utf-8", buffering=1, closefd=False)
        sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)

    def new_text(self) -> str:
        sys.stdout.flush()
        sys.stderr.flush()
        size = os.fstat(self._file.fileno()).st_size
        text = os.pread(self._file.fileno(), size - self._read, self._read)
        self._read = size
        return text.decode("utf-8")


def _serve(their: Connection, page: str, folder: Path) -> None:
    """Run blocks as they come, as parts of one module whose lines are those of the page."""
    printed = _Printed(folder)
    name = re.sub(r"\W", "_", page.removesuffix(".md"))
    path = folder / f"{name}.py"
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    sys.path.insert(0, str(folder))
    lines: list[str] = []
    warnings.simplefilter("default")
    while True:
        try:
            first, text = their.recv()
        except EOFError:
            return
        lines += [""] * (first - 1 - len(lines)) + text.splitlines()
        path.write_text("\n".join(lines), encoding="utf-8")
        raised = ""
        try:
            exec(compile("\n" * (first - 1) + text, str(path), "exec"), vars(module))
        except BaseException:
            raised = traceback.format_exc()
        their.send((raised, printed.new_text()))
