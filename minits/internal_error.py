"""The boundary: a fault of minits itself leaves it as one class, `InternalError`.

    with internal_errors("compiling f"):
        ...

passes on what is documented (`CompileError` and its like), what the user's own Python raises while
it is run (properties, hooks, `__prepare_scriptable__`), and what says that the machine lacks
something (`OSError`, `MemoryError`). A program that is nested too deeply for the compiler, which
calls itself for each level, is at fault itself (TS116). Everything else should not have happened.
"""

from __future__ import annotations

import sys
import traceback
from contextlib import ContextDecorator
from pathlib import Path
from types import CodeType, TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minits.diagnostics import CompileError
    from minits.source import SourceRange

_DOCUMENTED = frozenset(
    "minits.diagnostics.CompileError minits.archive.errors.ArchiveError "
    "minits.archive.errors.SaveError minits.ops.errors.ScriptError "
    "minits.runtime.argument_faults.ArgumentError minits.runtime.strict_fusion.FusionError "
    "minits.runtime.module_attributes.AttributeRefused minits.runtime.interpreter.OutOfSteps "
    "minits.passes.user_passes.PassFault minits.cli.errors.UsageError "
    "minits.check.results.NoProgram "
    "minits.internal_error.InternalError".split()
)
"""By name, so that nothing is imported for them."""
_PACKAGE = str(Path(__file__).parent)


class InternalError(RuntimeError):
    """minits failed at a fault of its own; `__cause__` is what it failed with."""


class internal_errors(ContextDecorator):
    """Turns what should not happen in a block, or in a function, into an `InternalError`.

    `doing`: what goes on there, for the message.
    """

    def __init__(self, doing: str) -> None:
        self.doing = doing

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Raise an InternalError in place of an error that the program does not explain.

        Raises `CompileError` (TS116) where a program is nested too deeply.
        """
        if isinstance(error, Exception) and _is_internal(error, where):
            if isinstance(error, RecursionError):
                raise too_deep("this program") from None
            raise internal_error(error, self.doing) from error


def too_deep(what: str, loc: SourceRange | None = None) -> CompileError:
    """Make the error of a program for which Python's stack is too small."""
    from minits.diagnostics import error

    message = f"{what} is nested too deeply to be compiled"
    fix = (
        "move parts of it into functions, or choose by a list or dict: each elif, early return, "
        "break and operator nests what comes before or after it"
    )
    return error(loc, "TS116", message, fix=fix)


def internal_error(error: Exception, doing: str) -> InternalError:
    """Make the error that says what failed, and what to report."""
    what = told(type(error).__name__, str(error))
    return InternalError(
        f"{doing} failed by a fault of minits, not of the program: {what}\n"
        f"Please report it to the authors of minits, with the program and this line: "
        f"{report_line(error)}"
    )


def report_line(error: BaseException) -> str:
    """Return the versions, the exception, and the line of minits that raised it."""
    import torch

    version = sys.modules["minits"].__version__
    python = ".".join(map(str, sys.version_info[:3]))
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(_PACKAGE)]
    location = "an unknown line"
    if own:
        file = Path(own[-1].filename).relative_to(Path(_PACKAGE).parent).as_posix()
        location = f"{file}:{own[-1].lineno} in {own[-1].name}"
    versions = f"minits {version}, torch {torch.__version__}, Python {python}"
    return f"{versions}: {type(error).__name__} at {location}"


def told(class_name: str, message: str) -> str:
    """Return an exception as text: `IndexError: out of range`, or its class alone."""
    return f"{class_name}: {message}" if message else class_name


def _is_internal(error: Exception, where: TracebackType | None) -> bool:
    if isinstance(error, (OSError, MemoryError, Warning)):
        return False
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in type(error).__mro__}
    return not (names & _DOCUMENTED or _is_of_user(where))


def _is_of_user(where: TracebackType | None) -> bool:
    """Return whether the user's own Python was running, or a property of a module of torch."""
    return any(_is_foreign(frame.f_code) for frame, _ in traceback.walk_tb(where))


def _is_foreign(code: CodeType) -> bool:
    import sysconfig

    import lark
    import torch

    file = code.co_filename
    if file.startswith(str(Path(torch.__file__).parent)):
        helper = Path(file).name in ("_jit_internal.py", "_sources.py", "_ops.py", "overrides.py")
        return not helper and code.co_name != "__getattr__"
    ours = (_PACKAGE, str(Path(lark.__file__).parent), "<")
    standard = file.startswith(sysconfig.get_path("stdlib")) and "site-packages" not in file
    return not (file.startswith(ours) or standard)


_NEVER_OF_PROGRAMS = (AssertionError, AttributeError, NameError)
"""Errors that neither generated code nor an operator raises for a fault of the program."""


def is_internal_in_call(error: Exception) -> bool:
    """Return whether an exception of generated code is minits' own fault, and none of the program.

    Operators of Python's own raise `KeyError`, `IndexError` and the like for the program; kernels,
    and what starts them, have no reason to look up keys in vain.
    """
    if isinstance(error, RuntimeError):
        return False
    last = None
    for frame, _ in traceback.walk_tb(error.__traceback__):
        last = frame
    if last is None:
        return False
    is_own = last.f_code.co_filename.startswith(_PACKAGE)
    if is_own and Path(last.f_code.co_filename).parent.name in ("kernels", "runtime"):
        return isinstance(error, (*_NEVER_OF_PROGRAMS, KeyError))
    is_generated = last.f_globals.get("__name__") == "minits.generated"
    return (is_own or is_generated) and isinstance(error, _NEVER_OF_PROGRAMS)
