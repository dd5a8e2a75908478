"""A case: one small program in a file of its own, with the inputs to run it on.

The file's docstring states the rule that the case shows. The file defines the program either as a
function or class named `program`, or as a function `build()` that makes the `nn.Module` to compile;
`inputs()` returns the calls to make, each a tuple of arguments or a `call(...)`.

A program that is to be traced has `example()` besides: the arguments of the run that is recorded,
or a dict of such by the names of methods; `options()` are further ones of `trace`. A module that is
to be frozen has `freezing()`, which returns the options of `freeze`.

A program that must be refused has one line marked with a comment `# error`, and no inputs.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

CASES = Path(__file__).with_name("cases")
EXPECTED = Path(__file__).with_name("expected")
_ERROR_MARK = re.compile(r"#\s*error\b")
_EXAMPLE = re.compile(r"^def example\(", re.MULTILINE)
_FREEZING = re.compile(r"^def freezing\(", re.MULTILINE)
_CODING = "utf-8"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a compiled program: of `method`, where the program is a module."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    method: str = "forward"


def call(*args: Any, method: str = "forward", **kwargs: Any) -> Call:
    """A call with keyword arguments, or of another method than `forward`."""
    return Call(args, kwargs, method)


@dataclass(frozen=True, slots=True)
class Case:
    """A case's place: `path` is a file under `root`, and the folder in between is its chapter."""

    path: Path
    root: Path

    @property
    def chapter(self) -> str:
        return self.path.parent.relative_to(self.root).as_posix()

    @property
    def name(self) -> str:
        """The name that reports and expectations use, `chapter/file`."""
        return f"{self.chapter}/{self.path.stem}"

    @property
    def module_name(self) -> str:
        """The module that the program lives in; torch's qualified names begin with it."""
        return ".".join(("cases", *self.chapter.split("/"), self.path.stem))

    @property
    def error_line(self) -> int | None:
        """The line marked `# error`: where the program must be refused; None in a right program.

        Raises `ValueError` if more than one line is marked.
        """
        lines = self.path.read_text(_CODING).splitlines()
        marked = [number for number, line in enumerate(lines, 1) if _ERROR_MARK.search(line)]
        if len(marked) > 1:
            raise ValueError(f"{self.path}: lines {marked} are all marked `# error`; mark one")
        return marked[0] if marked else None

    @property
    def is_traced(self) -> bool:
        """Whether the program is to be traced, and not compiled of its source."""
        return _EXAMPLE.search(self.path.read_text(_CODING)) is not None

    @property
    def is_frozen(self) -> bool:
        """Whether the program is a module that is to be frozen."""
        return _FREEZING.search(self.path.read_text(_CODING)) is not None

    def load(self, package: str = "cases") -> Program:
        """Import the file as a module below `package`.

        In a process that imports it twice, torch.jit takes classes of one name for one class.
        """
        name = ".".join((package, *self.chapter.split("/"), self.path.stem))
        spec = importlib.util.spec_from_file_location(name, self.path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.path} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return Program(module)


@dataclass(frozen=True, slots=True)
class Program:
    """An imported case file."""

    module: ModuleType

    def make(self) -> Any:
        """The object to compile, made anew."""
        build = getattr(self.module, "build", None)
        return build() if build else self.module.program

    @property
    def is_traced(self) -> bool:
        """Whether the program is to be traced, and not compiled of its source."""
        return hasattr(self.module, "example")

    def example(self) -> Any:
        """The arguments of the run that is recorded, made anew."""
        return self.module.example()

    @property
    def is_frozen(self) -> bool:
        """Whether the program is a module that is to be frozen."""
        return hasattr(self.module, "freezing")

    def freezing(self) -> dict[str, Any]:
        """Options of `freeze`."""
        return dict(self.module.freezing())

    def options(self) -> dict[str, Any]:
        """Options of the trace."""
        return dict(getattr(self.module, "options", dict)())

    def calls(self) -> list[Call]:
        """The calls to make, with fresh arguments."""
        inputs = getattr(self.module, "inputs", list)
        return [item if isinstance(item, Call) else Call(tuple(item)) for item in inputs()]


def find_cases(root: Path = CASES, chapter: str | None = None, pattern: str = "") -> list[Case]:
    """The cases under `root`, sorted: of one chapter if given, with `pattern` in their names."""
    found = (Case(path, root) for path in sorted(root.rglob("*.py")))
    return [case for case in found if _chosen(case, chapter, pattern)]


def find_scripted(root: Path = CASES, chapter: str | None = None) -> list[Case]:
    """The cases whose programs are compiled of their source, and neither traced nor frozen."""
    cases = find_cases(root, chapter)
    return [case for case in cases if not (case.is_traced or case.is_frozen)]


def _chosen(case: Case, chapter: str | None, pattern: str) -> bool:
    return (chapter is None or case.chapter == chapter) and pattern in case.name


def chapters(cases: list[Case]) -> Iterator[str]:
    """The chapters of `cases`, each once, in order."""
    yield from dict.fromkeys(case.chapter for case in cases)
