"""The faults of files themselves: one that cannot be read or is not UTF-8, one whose code fails."""

from __future__ import annotations

from minits.diagnostics import CompileError, Note, error
from minits.internal_error import told
from minits.source import SourceRange


def unreadable(filename: str, problem: OSError) -> CompileError:
    """Return the fault of a file that cannot be read, such as a link to nothing."""
    return error(
        SourceRange.at(filename, 1, 0),
        "TS808",
        f"cannot read the file: {problem.strerror or problem}",
        fix="remove it, or leave it out with --exclude",
    )


def not_utf8(filename: str, problem: UnicodeDecodeError) -> CompileError:
    """Return the fault of a file that is not UTF-8, at the line of its first other byte."""
    line = problem.object[: problem.start].count(b"\n") + 1
    return error(
        SourceRange.at(filename, line, 0),
        "TS001",
        f"this is not UTF-8: byte 0x{problem.object[problem.start]:02x} at offset {problem.start}",
        fix="save the file as UTF-8",
    )


def run_failure(loc: SourceRange | None, problem: BaseException, what: str) -> CompileError:
    """Return the fault of Python code that raised while a file was run for its objects."""
    notes = [Note("the file is run because its functions are compiled as live objects")]
    does = "install the package" if isinstance(problem, ModuleNotFoundError) else "mend the file"
    return error(
        loc,
        "TS801",
        f"{what}: {told(type(problem).__name__, str(problem))}",
        notes=notes,
        fix=f"{does}, or compile from its text alone with --no-import",
    )
