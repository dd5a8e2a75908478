"""A file run as a module, while its calls of `torch.jit.script` and `minits.script` are recorded.

    with Session("torch") as session:
        module = session.module_of(SourceFile.read("model.py"))
        session.compiled["/home/me/model.py"]     # what the file has compiled so far

A call of `script` compiles; where it fails, its faults are kept, and the object is returned as it
is, so that the file goes on. Libraries get their objects as they are: their programs are compiled
when a user's program calls them.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import linecache
import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import minits
from minits.api import script
from minits.check.file_faults import run_failure
from minits.check.imports import qualified_name
from minits.compile_warnings import collected_warnings
from minits.diagnostics import CompileError, Diagnostic, error
from minits.internal_error import InternalError
from minits.library_files import is_library
from minits.patching import patch_torch_jit
from minits.records import dataclass
from minits.source import SourceFile, SourceRange

STDIN = "<stdin>"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A call of `script` in a file: the object, the result, and the faults that it found."""

    value: Any
    result: Any
    line: int
    faults: tuple[Diagnostic, ...] = ()
    internal: str = ""


class Session:
    """A process that checks files: their modules, and what they have compiled, by file.

    While it is entered, `torch.jit` is minits, and `script` records.
    """

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.compiled: dict[str, list[Compiled]] = {}
        self.warnings: list[Diagnostic] = []
        """The warnings of all files: a function that two of them call is compiled once."""
        self._stack = ExitStack()
        self._root: Path | None = None
        self._path: list[str] = []
        self._modules: set[str] = set()

    def __enter__(self) -> Session:
        self._path, self._modules = [*sys.path], set(sys.modules)
        recording: Any = self._script
        self._stack.enter_context(patch.object(minits, "script", recording, create=True))
        self._stack.enter_context(patch_torch_jit())
        self.warnings = self._stack.enter_context(collected_warnings())
        return self

    def __exit__(self, *exception: object) -> None:
        self._leave_root()
        self._stack.close()

    def module_of(self, source: SourceFile) -> types.ModuleType:
        """Return the module of a file, which is run unless a file checked before imported it.

        Files of one folder share their modules; those of another folder may have equal names.
        Raises `CompileError` with the line of a failure.
        """
        path = Path(source.filename)
        name, root = ("stdin", Path.cwd()) if source.filename == STDIN else qualified_name(path)
        if root != self._root:
            self._leave_root()
            self._root = root
            sys.path.insert(0, str(root))
        known = sys.modules.get(name) if source.filename != STDIN else None
        if known is not None and getattr(known, "__file__", None) == source.filename:
            return known
        if name in self._modules:  # a file that is named like a module of a library
            name = f"{name}_"
        with quiet(source.filename), _telling_failures(source):
            return _run(source, name)

    def _leave_root(self) -> None:
        """Forget the user's modules, so that those of another folder can have their names."""
        sys.path[:] = self._path
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if name not in self._modules and file is not None and not is_library(file):
                del sys.modules[name]

    def _script(
        self, obj: Any, optimize: Any = None, _frames_up: int = 0, _rcb: Any = None,
        example_inputs: Any = None, *, dialect: str | None = None,
    ) -> Any:  # fmt: skip
        """Compile and record in the place of `script`. Raises nothing for a fault."""
        frame = sys._getframe(1 + _frames_up)
        filename = frame.f_code.co_filename
        if is_library(filename):
            return obj
        faults: tuple[Diagnostic, ...] = ()
        internal, result = "", obj
        try:
            dialect = dialect or self.dialect
            result = script(obj, None, _frames_up + 1, _rcb, example_inputs, dialect=dialect)
        except CompileError as fault:
            faults = fault.diagnostics
        except InternalError as fault:
            internal = str(fault)
        done = Compiled(obj, result, frame.f_lineno, faults, internal)
        self.compiled.setdefault(filename, []).append(done)
        return result


def _run(source: SourceFile, name: str) -> types.ModuleType:
    """Run a text as the module of its file, and put it where imports find it."""
    parent = name.rpartition(".")[0]
    if parent:
        importlib.import_module(parent)
    if source.filename == STDIN:
        module = types.ModuleType(name)
        module.__file__ = STDIN
    else:
        path = Path(source.filename)
        folders = [str(path.parent)] if path.stem == "__init__" else None
        spec = importlib.util.spec_from_file_location(
            name, source.filename, submodule_search_locations=folders
        )
        assert spec is not None, "a Python file has a loader"
        module = importlib.util.module_from_spec(spec)
    lines = source.text.splitlines(keepends=True)
    linecache.cache[source.filename] = (len(source.text), None, lines, source.filename)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(compile(source.text, source.filename, "exec", dont_inherit=True), vars(module))
    except BaseException:
        if before is not None:
            sys.modules[name] = before
        raise
    if parent:
        setattr(sys.modules[parent], name.rpartition(".")[2], module)
    return module


@contextmanager
def quiet(filename: str) -> Iterator[None]:
    """Let the file print to nowhere, read nothing and see no arguments of the command line.

    Nor does it end the process, or leave it in another folder: other files are to be checked.
    """
    folder, limit = Path.cwd(), sys.getrecursionlimit()
    with (
        patch.object(sys, "argv", [filename]),
        patch.object(sys, "stdin", io.StringIO()),
        patch.object(sys, "stderr", sys.stderr),
        patch.object(os, "_exit", _exit_of_process(os.getpid(), os._exit)),
        redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            os.chdir(folder)
            if sys.getrecursionlimit() < limit:
                sys.setrecursionlimit(limit)


def _exit_of_process(number: int, end: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
    """Return a function in place of `os._exit`: it raises SystemExit, but in a process's forks."""

    def exit_or_raise(status: int) -> NoReturn:
        if os.getpid() != number:
            end(status)
        raise SystemExit(status)

    return exit_or_raise


@contextmanager
def _telling_failures(source: SourceFile) -> Iterator[None]:
    """Raise `CompileError` for exceptions of the file's code, and where it exits."""
    try:
        yield
    except CompileError as fault:
        raise fault.located(place_of(source, fault)) from None
    except SystemExit as stop:
        fix = "put what is to run into `if __name__ == '__main__':`, or check with --no-import"
        message = f"the file exits when it is run (status {stop.code})"
        raise error(place_of(source, stop), "TS801", message, fix=fix) from None
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        raise run_failure(place_of(source, problem), problem, "running the file failed") from None


def place_of(source: SourceFile, problem: BaseException) -> SourceRange:
    """Return the line of the file that was run last; its first one if there is none."""
    number = 1
    trace = problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == source.filename:
            number = trace.tb_lineno
        trace = trace.tb_next
    if isinstance(problem, SyntaxError) and problem.filename == source.filename:
        number = problem.lineno or number
    return line_range(source, number)


def line_range(source: SourceFile, number: int) -> SourceRange:
    """Return the range of a line of a file without its indentation."""
    starts = source.line_starts
    index = min(max(number, 1), len(starts)) - 1
    line = source.line(index + 1)
    begin = starts[index] + len(line) - len(line.lstrip())
    return SourceRange(source, begin, starts[index] + len(line.rstrip()))
