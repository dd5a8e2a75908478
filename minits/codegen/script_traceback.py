"""The messages of exceptions in compiled functions: torch's text, with lines of the program.

    The following operation failed in the TorchScript interpreter.
    Traceback of TorchScript (most recent call last):
      File "model.py", line 9, in forward
        return normalized(x)
               ~~~~~~~~~~~~ <--- HERE
      File "model.py", line 5, in normalized
        return x / y
               ~~~~~ <--- HERE
    RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at ...

Generated code has the positions of the program, and its globals say which calls were inlined there
(`FunctionWriter.stacks`), so that Python's own traceback tells all of this.

Source: torch/csrc/jit/runtime/interpreter.cpp (`handleError`).
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterable, Iterator
from itertools import takewhile
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

from minits.codegen.generated import STACKS, Stack
from minits.internal_error import internal_error, is_internal_in_call
from minits.ops.errors import ScriptError, ScriptRaise, as_script_error
from minits.source_excerpt import highlight
from minits.users_objects import ATTRIBUTE

if TYPE_CHECKING:
    from minits.codegen.expressions import Location
    from minits.source import SourceRange

_HEAD = "The following operation failed in the TorchScript interpreter.\n"


def raise_explained(error: Exception, helps: Iterable[str] = ()) -> NoReturn:
    """Raise the error that a compiled function raises for an exception of its generated code.

    helps: lines that Python shows below the error; Python 3.10 shows none.

    Raises `InternalError` for an exception that no program can cause.
    """
    if is_internal_in_call(error):
        raise internal_error(error, "a call of compiled code") from error
    explained = explained_error(as_script_error(error))
    for each in helps:
        if hasattr(explained, "add_note") and each not in getattr(explained, "__notes__", ()):
            explained.add_note(each)
    if explained is error:
        raise error
    raise explained from None


def explained_error(error: Exception) -> Exception:
    """Return an error of a program with the program's traceback in its message, if it has one."""
    if not isinstance(error, RuntimeError) or str(error).startswith(_HEAD):
        return error
    frames = [frame for stack in _stacks(error.__traceback__) for frame in stack]
    if not frames:
        return error
    lines = [f"{_HEAD}Traceback of TorchScript (most recent call last):"]
    for name, loc in frames:
        if loc is not None:
            lines += highlight(loc, name)
    vars(error)[ATTRIBUTE] = str(error)
    error.args = ("\n".join([*lines, _last_line(error)]),)
    return error


def innermost(error: Exception) -> SourceRange | None:
    """Return the place in the program of the operator that failed, if the traceback tells it."""
    frames = [frame for stack in _stacks(error.__traceback__) for frame in stack]
    return frames[-1][1] if frames else None


def message_of(error: Exception) -> str:
    """Return the message of an exception without the program's traceback in front of it."""
    return str(vars(error).get(ATTRIBUTE, error))


def class_name_of(error: Exception) -> str:
    """Return the name of an exception's class as the program knows it: `IndexError`."""
    name = type(error).__name__
    if isinstance(error, ScriptError) and name.startswith("Script"):
        name = name.removeprefix("Script")
        return name if hasattr(builtins, name) else "RuntimeError"
    return name


def _last_line(error: RuntimeError) -> str:
    if isinstance(error, ScriptRaise):
        return f"{error.class_name or 'RuntimeError'}: {error.message}"
    return f"RuntimeError: {error}"


def _stacks(traceback: TracebackType | None) -> Iterator[Stack]:
    """Yield the program's call stack for each frame of generated code, the outermost first."""
    while traceback is not None:
        stacks = traceback.tb_frame.f_globals.get(STACKS, ())
        here = _position(traceback) if stacks else None
        found = [stack for location, stack in stacks if _is_at(location, here)]
        if found:
            yield _agreed(found)
        traceback = traceback.tb_next


_Position = tuple[int | None, int | None, int | None, int | None]


def _position(traceback: TracebackType) -> _Position:
    """Return line, last line, column and last column of an instruction; in 3.10 the line only."""
    if sys.version_info < (3, 11):
        return (traceback.tb_lineno, None, None, None)
    positions = list(traceback.tb_frame.f_code.co_positions())
    return positions[traceback.tb_lasti // 2]


def _is_at(location: Location, position: _Position | None) -> bool:
    if position is None or position[0] != location["lineno"]:
        return False
    if position[2] is None:
        return True
    return position[1:] == (
        location["end_lineno"],
        location["col_offset"],
        location["end_col_offset"],
    )


def _agreed(stacks: list[Stack]) -> Stack:
    """Return the longest common suffix of the stacks, their innermost calls, or common prefix.

    There are several where one function was inlined at several calls on the same line. Their ends
    differ where lines alone are known, or more nodes came from another file than can be told apart.
    """
    shortest = min(stacks, key=len)
    for count in range(len(shortest), 0, -1):
        if all(stack[-count:] == shortest[-count:] for stack in stacks):
            return shortest[-count:]
    together = zip(*stacks, strict=False)
    agreed = takewhile(lambda frames: all(each == frames[0] for each in frames), together)
    return tuple(frames[0] for frames in agreed) or stacks[0]
