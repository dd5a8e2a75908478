"""Passes of users' files, for `--load-pass FILE`.

A pass is a function that changes a graph in place and returns whether it did:

    from minits.ir.graph import Graph
    from minits.passes.user_passes import graph_pass

    @graph_pass("double-neg")
    def remove_double_negation(graph: Graph) -> bool:
        ...

The decorator gives it a name on the command line. In a file without decorators, each function whose
only parameter is named `graph` is a pass, and `my_pass` is called `my-pass`.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from minits.ir.graph import Graph
from minits.passes.pipeline import PASSES, PIPELINES, Pass

F = TypeVar("F", bound=Callable[[Graph], bool])
_NAME = "minits_pass_name"


class PassFault(Exception):
    """Raised for a file that gives no passes, or a pass that gives no answer."""


def graph_pass(name: str) -> Callable[[F], F]:
    """Name a function as a pass, for `--passes NAME`."""

    def mark(function: F) -> F:
        setattr(function, _NAME, name)
        return function

    return mark


@contextmanager
def loaded_passes(files: Iterable[str]) -> Iterator[list[str]]:
    """Add the passes of these files to the table for the block, and yield their names.

    Raises `PassFault`.
    """
    before = dict(PASSES)
    try:
        for file in files:
            for name, function in _passes_of(_imported(file), file).items():
                if name in PASSES or name in PIPELINES:
                    raise PassFault(f"{file}: there is a pass {name!r} already")
                PASSES[name] = Pass(f"{file}:{function.__name__}", _function=_checked(function))
        yield [name for name in PASSES if name not in before]
    finally:
        PASSES.clear()
        PASSES.update(before)


def _passes_of(module: ModuleType, file: str) -> Mapping[str, Callable[[Graph], bool]]:
    functions = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    named = {getattr(f, _NAME): f for f in functions.values() if hasattr(f, _NAME)}
    if named:
        return named
    found = {
        name.replace("_", "-"): function
        for name, function in functions.items()
        if [*inspect.signature(function).parameters] == ["graph"] and not name.startswith("_")
    }
    if not found:
        raise PassFault(f"{file} has no pass: no function of `graph`, and none with @graph_pass")
    return found


def _imported(file: str) -> ModuleType:
    """Run a file. Raises `PassFault` where that fails."""
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise PassFault(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except OSError as problem:
        raise PassFault(f"cannot read {file}: {problem.strerror}") from None
    except Exception as problem:
        raise PassFault(f"running {file} failed: {type(problem).__name__}: {problem}") from None
    return module


def _checked(function: Callable[[Graph], bool]) -> Callable[[Graph], bool]:
    """Return a pass that raises `PassFault` where the user's raises, or returns no bool."""

    def run(graph: Graph) -> bool:
        try:
            changed: Any = function(graph)
        except Exception as problem:
            at = _line_of(problem, function)
            raise PassFault(f"{at}the pass raised {type(problem).__name__}: {problem}") from None
        if not isinstance(changed, bool):
            where = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
            raise PassFault(
                f"{where}: the pass returned {changed!r}: return whether the graph has changed"
            )
        return changed

    run.__doc__ = function.__doc__
    return run


def _line_of(problem: Exception, function: Callable[[Graph], bool]) -> str:
    """Return `FILE:LINE: ` of the last line of the user's file that ran."""
    line, trace = 0, problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == function.__code__.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{function.__code__.co_filename}:{line}: "
