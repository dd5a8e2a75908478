"""The blocks of a page, run in order in one folder, as a reader would.

Commands of minits and Python blocks run in processes forked from one that has imported minits, so
that each has the state of a new process, and none waits for an import. The Python blocks of a page
share one, as the cells of a notebook do.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from textwrap import indent

import torch
from torch._jit_internal import is_ignored_fn as _is_ignored

from tests.support.pages import ROOT, Block, difference

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["minits.cli.main", "minits.api", "tests.support.page_runs"])
_SETTINGS = {
    "COLUMNS": "100",
    "MINITS_PLANS": "memory",
    "PYTHONUNBUFFERED": "1",
    "TORCH_CPP_LOG_LEVEL": "ERROR",
}
_TORCH = Path(torch.__file__).parent
_LINKED = ("examples", "docs")
_LINE_BY_LINE = ("stdbuf", "-oL") if shutil.which("stdbuf") else ()
"""C programs write lines to a terminal as they come, and so they do here."""
_NEEDS = {"gcc": "gcc", "gdb": "gdb", "minits build": "gcc"}
"""What commands need that need not be there."""
_BEFORE_PROGRAMS = """
import dataclasses
from typing import *
import torch
from torch import Tensor, nn
"""
_PLACE_IN_PAGE = re.compile(r"(\.\.\./\w+_\w+\.py(?:\", line |:))\d+(?::\d+)?")
_PUNCTUATION = frozenset("();<>|&")


class Run:
    """A page that is being run. `faults` tells what is untrue, each with its place; `missing`,
    which programs are not there, whose blocks were left out."""

    def __init__(self, page: str, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.faults: list[str] = []
        self.updates: dict[Block, str] = {}
        self.missing: set[str] = set()
        self._printed = ""
        self._session: Connection | None = None
        for name in _LINKED:
            (folder / name).symlink_to(ROOT / name)

    def console(self, block: Block) -> None:
        told = ""
        missing = {_NEEDS[tool] for tool in _NEEDS if f"$ {tool}" in block.text}
        missing = {program for program in missing if not shutil.which(program)}
        self.missing |= missing
        if missing:
            return
        for command, shown in commands(block.text):
            status, printed = self.execute(command)
            found = difference(shown, printed)
            if found:
                self.faults.append(f"{block.place}: $ {command}\n{found}")
            elif status and not shown.replace("...", "").strip():
                self.faults.append(f"{block.place}: exit status {status} of {command}\n{printed}")
            told += f"$ {command}\n{self._portable(printed) if found else shown}"
        self.updates[block] = told

    def execute(self, command: str) -> tuple[int, str]:
        """Return the exit status of a command, and what it printed to both streams."""
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)
        reader.whitespace_split = True
        words = [*reader]
        if words[0] == "minits" and not any(set(word) <= _PUNCTUATION for word in words):
            return _in_a_process(_command, words[1:], str(self.folder))
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [*_LINE_BY_LINE, "bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, **_SETTINGS, "PATH": path, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def python(self, block: Block) -> None:
        if self._session is None:
            self._session, theirs = _CONTEXT.Pipe()
            _CONTEXT.Process(
                target=_serve, args=(theirs, self.page, str(self.folder)), daemon=True
            ).start()
            theirs.close()
        self._session.send((block.line, block.text))
        raised, self._printed = self._session.recv()
        if raised:
            self.faults.append(f"{block.place}: {raised}\n{self._printed}")

    def output(self, block: Block) -> None:
        printed = self._printed.rstrip("\n")
        found = difference(block.text.rstrip("\n"), printed)
        if found:
            self.faults.append(f"{block.place}: {found}")
            self.updates[block] = self._portable(f"{printed}\n")

    def file(self, block: Block) -> None:
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def part(self, block: Block) -> None:
        if block.source.startswith("$"):
            _, whole = self.execute(block.source.removeprefix("$").strip())
        else:
            whole = (ROOT / block.source).read_text(encoding="utf-8")
        wanted = [f"...\n{indent(block.text, by)}...\n" for by in ("", " " * 4, " " * 8)]
        if all(difference(shown, whole) for shown in wanted):
            self.faults.append(f"{block.place}: not in {block.source}\n{block.text}")

    def program(self, block: Block) -> None:
        assert block.program is not None
        dialect, text = block.program
        status, printed = _in_a_process(_compiled, dialect, text, block.place, str(self.folder))
        if status:
            self.faults.append(f"{block.place}: {printed}")

    def end(self) -> None:
        if self._session is not None:
            self._session.close()

    def updated(self, text: str) -> str:
        """Return the text of the page with what was printed."""
        lines = text.splitlines(keepends=True)
        for block, printed in sorted(self.updates.items(), key=lambda item: -item[0].line):
            first, count = block.line - 1, len(block.text.splitlines())
            lines[first : first + count] = [printed]
        return "".join(lines)

    def _portable(self, printed: str) -> str:
        """Leave out what differs between machines, and from one state of the page to the next."""
        printed = printed.replace(str(self.folder), "...").replace(str(_TORCH), ".../torch")
        return _PLACE_IN_PAGE.sub(r"\1...", printed)


def commands(text: str) -> list[tuple[str, str]]:
    """Split a console block into its commands, each with the output that is shown of it."""
    found: list[tuple[str, str]] = []
    going_on = False
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line.removeprefix("$ ").rstrip("\n"), ""))
        elif going_on:
            found[-1] = (f"{found[-1][0]}\n{line.rstrip()}", "")
        else:
            assert found, f"a console block begins with a command, not {line!r}"
            found[-1] = (found[-1][0], found[-1][1] + line)
        going_on = found[-1][0].endswith("\\") and not found[-1][1]
    return found


def _in_a_process(function: Callable[..., int], *arguments: object) -> tuple[int, str]:
    ours, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_report, args=(theirs, function, arguments))
    process.start()
    theirs.close()
    status, printed = ours.recv()
    process.join()
    return status, printed


def _report(to: Connection, function: Callable[..., int], arguments: tuple[object, ...]) -> None:
    printed = _PrintedFile(Path(str(arguments[-1])))
    try:
        status = function(*arguments[:-1])
    except Exception:
        status = 1
        traceback.print_exc()
    to.send((status, printed.new_text()))


class _PrintedFile:
    """What this process prints to both streams from now on. It goes into `folder`."""

    def __init__(self, folder: Path) -> None:
        os.chdir(folder)
        os.environ.update(_SETTINGS)
        os.environ.setdefault("MINITS_CFLAGS", "-O0")  # what is built runs once
        os.environ.pop("MINITS_BUILD", None)  # as for users
        self._file = os.open(folder, os.O_TMPFILE | os.O_RDWR)
        self._read = 0
        os.dup2(self._file, 1)
        os.dup2(self._file, 2)
        sys.stdout = open(1, "w", encoding="utf-8", buffering=1, closefd=False)
        sys.stderr = open(2, "w", encoding="utf-8", buffering=1, closefd=False)

    def new_text(self) -> str:
        sys.stdout.flush()
        sys.stderr.flush()
        size = os.fstat(self._file).st_size
        text = os.pread(self._file, size - self._read, self._read)
        self._read = size
        return text.decode("utf-8")


def _command(words: list[str]) -> int:
    from minits.cli.main import main

    sys.argv = ["minits", *words]
    return main(words)


def _compiled(dialect: str, text: str, place: str) -> int:
    """Compile the functions and modules of a program, and see which dialects take them."""
    import minits

    name = re.sub(r"\W", "_", place)
    Path(f"{name}.py").write_text(_BEFORE_PROGRAMS + text, encoding="utf-8")
    sys.path.insert(0, "")
    module = importlib.import_module(name)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, torch.nn.Module)
        or (getattr(value, "__module__", "") == name and _is_program(value))
    ]
    try:
        compiled = [minits.script(value, dialect=dialect) for value in found]
    except minits.CompileError as fault:
        print(fault)
        return 1
    taken = [_is_taken(compiler, found) for compiler in (minits.script, torch.jit.script)]
    if taken != [dialect == "torch"] * 2:
        print(f"minits in torch's dialect takes it: {taken[0]}, torch.jit: {taken[1]}")
    return int(not compiled or taken != [dialect == "torch"] * 2)


def _is_program(value: object) -> bool:
    """Tell functions that are compiled, and script classes, from others of a file."""
    if isinstance(value, type):
        return not issubclass(value, torch.nn.Module)
    return isinstance(value, types.FunctionType) and not _is_ignored(value)


def _is_taken(compiler: Callable[..., object], programs: list[object]) -> bool:
    try:
        for program in programs:
            compiler(program)
    except Exception:  # torch.jit raises what it comes upon
        return False
    return True


def _serve(their: Connection, page: str, folder: str) -> None:
    """Run blocks as they come, as parts of one module whose lines are those of the page."""
    printed = _PrintedFile(Path(folder))
    name = re.sub(r"\W", "_", page.removesuffix(".md"))
    path = Path(folder) / f"{name}.py"
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    sys.path.insert(0, folder)
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
