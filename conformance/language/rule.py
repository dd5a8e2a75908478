"""A rule of the language, and the chapters that rules are in.

    Rule("list-slices", shows="containers/list_slices", breaks="slicings/float_bound",
         by="minits.frontend.emit.subscripts.slice_tensor")

A rule's text is the docstring of the case that shows it. `breaks` is a program that torch.jit
refuses, or whose call raises. `by` is the function or class of minits that makes the rule true.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.case import CASES, Case


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `shows` and `breaks` name cases; a tuple of them where one does not say it all."""

    id: str
    shows: str | tuple[str, ...]
    breaks: str | tuple[str, ...]
    by: str

    @property
    def shown(self) -> list[Case]:
        return _cases(self.shows)

    @property
    def broken(self) -> list[Case]:
        return _cases(self.breaks)

    @property
    def title(self) -> str:
        return self.id.replace("-", " ")

    @property
    def text(self) -> str:
        """The rule in words."""
        return docstring_of(self.shown[0])

    def implementation(self) -> Any:
        """Return the object that `by` names. Raises ImportError or AttributeError for none."""
        parts = self.by.split(".")
        for end in range(len(parts), 0, -1):
            try:
                found: Any = importlib.import_module(".".join(parts[:end]))
            except ModuleNotFoundError:
                continue
            for name in parts[end:]:
                found = getattr(found, name)
            return found
        raise ImportError(f"there is no {self.by}")


@dataclass(frozen=True, slots=True)
class Chapter:
    """The rules of one section of the language reference.

    `cases` lists more programs that belong here, and show no rule of their own.
    """

    name: str
    title: str
    reference: str
    rules: tuple[Rule, ...]
    cases: tuple[str, ...] = ()


def docstring_of(case: Case) -> str:
    """Return the docstring of a case's file."""
    text = ast.get_docstring(ast.parse(case.path.read_text("utf-8")))
    if not text:
        raise ValueError(f"{case.name} has no docstring")
    return " ".join(text.split())


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return all chapters in the order of the reference."""
    from conformance.language import chapters as package

    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = [importlib.import_module(f"{package.__name__}.{name}").CHAPTER for name in names]
    return tuple(found)


def _cases(names: str | tuple[str, ...]) -> list[Case]:
    names = (names,) if isinstance(names, str) else names
    return [Case(CASES / f"{name}.py", CASES) for name in names]
