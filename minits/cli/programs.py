"""From a `FILE[:NAME]` on the command line to what is compiled.

A file is imported under its own name, since functions are compiled as the objects they are;
`--no-import` reads its text alone.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import linecache
import os
import sys
import traceback
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import nn

from minits.api import script
from minits.check.file_faults import not_utf8, run_failure
from minits.check.imports import qualified_name
from minits.cli.archives import is_archive, module_of_archive
from minits.cli.errors import UsageError
from minits.diagnostics import CompileError, error
from minits.frontend.python.text_scope import read_text
from minits.internal_error import told
from minits.records import dataclass
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule
from minits.runtime.script_variants import VariadicFunction, compiled_function
from minits.source import SourceFile, SourceRange
from minits.syntax import parse_program

STDIN = "<stdin>"
Compiled = ScriptFunction | VariadicFunction | ScriptModule


@dataclass(frozen=True, slots=True)
class Target:
    """`FILE[:NAME]`."""

    filename: str
    name: str | None

    @classmethod
    def parse(cls, text: str) -> Target:
        filename, colon, name = text.rpartition(":")
        if not colon or not name.replace(".", "_").isidentifier():
            filename, name = text, ""
        return cls("-" if filename == STDIN else filename, name or None)


@dataclass(frozen=True, slots=True)
class Program:
    """Something to compile: an object, or a function or class of a text."""

    name: str
    value: Any
    example_inputs: Any = None
    """Arguments for a call, if the file names some."""
    method: str | None = None
    """The method that was named, of a module."""

    def compile(self, dialect: str) -> Compiled:
        """Raises `CompileError`."""
        compiled: Compiled = script(self.value, dialect=dialect)
        return compiled

    def refuse_method(self, options: argparse.Namespace) -> None:
        """Raise `UsageError` where `--method` was given for a function."""
        if options.method is not None:
            raise UsageError(f"--method is for modules: {self.name} is a function")


@dataclass(frozen=True, slots=True)
class TextProgram(Program):
    """A function compiled from the text of its file."""

    def compile(self, dialect: str) -> Compiled:
        return compiled_function(self.value)


@dataclass(frozen=True, slots=True)
class ArchivedProgram(Program):
    """A module of an archive, which is compiled."""

    def compile(self, dialect: str) -> Compiled:
        return self.value  # type: ignore[no-any-return]


def read_source(target: Target) -> SourceFile:
    """Read the file, or standard input for `-`. Raises `UsageError` and `CompileError`."""
    if target.filename == "-":
        return SourceFile(STDIN, sys.stdin.read())
    path = Path(target.filename)
    try:
        return SourceFile.read(path)
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        if problem.object.startswith(b"PK"):
            raise UsageError(
                f"{path} is a part of an archive, or a damaged one: `minits inspect {path}` "
                "reports its faults"
            ) from None
        raise not_utf8(str(path), problem) from None


def find_programs(
    options: argparse.Namespace, map_location: str | None = None
) -> Iterator[Program]:
    """Yield the programs that the options select; without a selection, all of the file's.

    A file that is run for them is noted as `options.file_module`. Of an archive it is one module,
    its tensors on `map_location`.

    Raises `UsageError` for a file or name that there is not, and `CompileError`.
    """
    target = Target.parse(options.target)
    if Path(target.filename).suffix == ".ir":
        raise UsageError(f"{target.filename} has the text of a graph: minits opt runs passes on it")
    if is_archive(target.filename):
        name, archived, method = module_of_archive(
            target.filename, target.name, options, map_location
        )
        yield ArchivedProgram(name, archived, None, method)
        return
    source = read_source(target)
    tree = parse_program(source)
    if options.no_import:
        yield from _programs_of_text(source, target, options)
        return
    del tree  # the syntax is right; the rest is known by running it
    module = options.file_module = import_source(source)
    expression = options.module or options.fn
    if expression is not None:
        if target.name is not None:
            _attribute(module, target.name.partition(".")[0], target)
        yield Program(target.name or expression, evaluate(expression, module, "TS803"))
    elif target.name is not None:
        yield _named(module, target)
    else:
        yield from _all_programs(module)


# ---- Live ----------------------------------------------------------------------------------------


def import_source(source: SourceFile) -> types.ModuleType:
    """Run a file as a module of its own name.

    A file of a package, which has an `__init__.py` beside it, is imported as a part of the package.
    Raises `CompileError` with the line of a failure, and `UsageError` for a file that is not
    Python's.
    """
    if source.filename == STDIN:
        return _run_standard_input(source)
    name, root = qualified_name(Path(source.filename).resolve())
    sys.path.insert(0, str(root))
    if "." in name:
        with _telling_failures(source.filename):
            return importlib.import_module(name)
    location = os.path.abspath(source.filename)  # noqa: PTH100 (a link keeps its name)
    spec = importlib.util.spec_from_file_location(name, location)
    if spec is None or spec.loader is None:
        raise UsageError(f"{source.filename} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with _telling_failures(source.filename):
        spec.loader.exec_module(module)
    return module


def _run_standard_input(source: SourceFile) -> types.ModuleType:
    lines = source.text.splitlines(keepends=True)
    linecache.cache[STDIN] = (len(source.text), None, lines, STDIN)
    module = types.ModuleType("stdin")
    module.__file__ = STDIN
    sys.modules["stdin"] = module
    with _telling_failures(STDIN):
        exec(compile(source.text, STDIN, "exec"), vars(module))
    return module


@contextmanager
def _telling_failures(filename: str) -> Iterator[None]:
    """Raise `CompileError` for exceptions of the file's code, `UsageError` where it exits."""
    try:
        yield
    except CompileError:
        raise
    except Exception as problem:
        raise _import_failure(filename, problem) from None
    except SystemExit as stop:
        raise UsageError(f"{filename} exits when it is run (status {stop.code})") from None


def _import_failure(filename: str, problem: Exception) -> CompileError:
    frames = traceback.extract_tb(problem.__traceback__)
    names = (filename, os.path.abspath(filename), os.path.realpath(filename))  # noqa: PTH100
    own = [frame for frame in frames if frame.filename in names]
    loc = None
    if own and own[-1].lineno is not None:
        text = own[-1].line or ""
        line = SourceFile(own[-1].filename, text, own[-1].lineno)
        loc = SourceRange(line, 0, len(text))
    return run_failure(loc, problem, "running the file failed")


def evaluate(expression: str, module: types.ModuleType | None, code: str) -> Any:
    """Evaluate an expression of the command line in the file's names. Raises `CompileError`."""
    import torch

    names = {"torch": torch, "nn": nn, **(vars(module) if module is not None else {})}
    try:
        return eval(expression, names)
    except Exception as problem:
        loc = SourceRange(SourceFile("<command line>", expression), 0, len(expression))
        what = told(type(problem).__name__, str(problem))
        fix = "give a Python expression; it may name torch, nn and what the file defines"
        raise error(loc, code, f"this expression failed: {what}", fix=fix) from None


def _named(module: types.ModuleType, target: Target) -> Program:
    """Return the program of a name: a function, a module, or `MODULE.METHOD`."""
    assert target.name is not None
    value: Any = module
    walked: list[str] = []
    for part in target.name.split("."):
        found = _attribute(value, part, target)
        if isinstance(value, nn.Module) and inspect.ismethod(found):
            name = ".".join(walked)
            return Program(name, value, _examples(module).get(name), part)
        value = _made(found, target)
        walked.append(part)
    return Program(target.name, value, _examples(module).get(target.name))


def _attribute(value: Any, name: str, target: Target) -> Any:
    try:
        return getattr(value, name)
    except AttributeError:
        raise UsageError(f"{target.filename} has no '{target.name}'") from None


def _made(value: Any, target: Target) -> Any:
    """Return a module of a class that takes no arguments; other values as they are."""
    if not (inspect.isclass(value) and issubclass(value, nn.Module)):
        return value
    try:
        return value()
    except TypeError:
        raise UsageError(
            f"{value.__name__} needs arguments: give them with --module '{value.__name__}(...)'"
        ) from None


def _all_programs(module: types.ModuleType) -> Iterator[Program]:
    """The functions and module instances of a file, in its order."""
    seen: set[int] = set()
    for name, value in list(vars(module).items()):
        if id(value) in seen or name.startswith("__"):
            continue
        if _is_own(value, module):
            seen.add(id(value))
            yield Program(name, value, _examples(module).get(name))


def _examples(module: types.ModuleType) -> dict[str, Any]:
    """Return the file's `example_inputs`: arguments of its programs, by name."""
    found = getattr(module, "example_inputs", {})
    return found if isinstance(found, dict) else {}


def _is_own(value: Any, module: types.ModuleType) -> bool:
    if isinstance(value, (nn.Module, ScriptFunction)):
        return True
    if not inspect.isfunction(value):
        return False
    return value.__module__ == module.__name__ and value.__name__ != "<lambda>"


# ---- Text ----------------------------------------------------------------------------------------


def _programs_of_text(
    source: SourceFile, target: Target, options: argparse.Namespace
) -> Iterator[Program]:
    if options.module or options.fn:
        raise UsageError("--module and --fn evaluate code, which --no-import forbids")
    scope = read_text(source, options.dialect)
    functions = {function.name: function for function in scope.functions.values()}
    for name, type in scope.classes.items():
        functions.update({f"{name}.{key}": method for key, method in type.methods.items()})
    if target.name is not None:
        if target.name not in functions:
            raise UsageError(f"{target.filename} defines no '{target.name}'")
        functions = {target.name: functions[target.name]}
    for name, function in functions.items():
        yield TextProgram(name, function)
