"""A fault in library code is told at the user's line, and its own place becomes a note.

The line is the innermost call in user's code that led to the library; of a library's module that is
a child of a user's, the line that assigns it in `__init__`; else the program's own line.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from torch import nn

from minits.diagnostics import Diagnostic, Note
from minits.frontend.python.sources import assignment_of
from minits.library_files import is_library
from minits.records import replace
from minits.source import SourceRange


def at_user_place(
    fault: Diagnostic, program: Any, checked: str, default: SourceRange
) -> Diagnostic:
    """Return the fault with a place in the user's code.

    program: what was compiled. checked: the file that is checked, which is the user's wherever it
    is. default: the place of the program.
    """
    loc = fault.range
    if loc is None:
        return replace(fault, range=default)
    if not _is_foreign(loc, checked):
        return fault
    calls = [each for each in fault.callers if each.range and not _is_foreign(each.range, checked)]
    own = calls[0].range if calls else _assignment(program, loc.source.filename, checked)
    note = Note("the fault is in this library, at code that your program uses", loc)
    callers = tuple(each for each in fault.callers if each not in calls[:1])
    return replace(fault, range=own or default, notes=(note, *fault.notes), callers=callers)


def _is_foreign(loc: SourceRange, checked: str) -> bool:
    filename = loc.source.filename
    return filename != checked and is_library(filename)


def _assignment(program: Any, filename: str, checked: str) -> SourceRange | None:
    """Return where the user's module assigns the child whose class is in a library's file."""
    if not isinstance(program, nn.Module):
        return None
    for owner, name, child in _children(program):
        if filename in _files(type(child)):
            user = next((c for c in type(owner).__mro__ if not _in_library(c, checked)), None)
            if user is not None:
                return assignment_of(user, name)
    return None


def _children(program: nn.Module) -> Iterator[tuple[nn.Module, str, nn.Module]]:
    """Yield each module below, with the attribute of the user's module that leads to it."""
    for owner in program.modules():
        for name, child in owner.named_children():
            yield from ((owner, name, part) for part in child.modules())


def _files(cls: type) -> list[str | None]:
    return [_file(each) for each in cls.__mro__ if each not in (nn.Module, object)]


def _file(cls: type) -> str | None:
    try:
        return inspect.getsourcefile(cls)
    except TypeError:
        return None


def _in_library(cls: type, checked: str) -> bool:
    file = _file(cls)
    return file is None or (file != checked and is_library(file))
