"""The answers of `minits check`: faults, what was not checked, and a summary.

Text goes to standard error, as the faults of all commands; other formats to standard output.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from minits.check.files import display_path
from minits.check.formats import FORMATS
from minits.check.formats.text import as_text, text_width
from minits.check.results import FileResult
from minits.cli.errors import UsageError
from minits.cli.report import report_text, show
from minits.records import dataclass
from minits.terminal_text import printable


@dataclass(eq=False, slots=True)
class Counts:
    """The numbers of a summary.

    warnings: findings that do not make the check fail.
    known: faults that the baseline lists; gone: those that it lists and that are no longer there.
    written: faults that a new baseline lists. mended: those that `--fix` mended.
    """

    files: int
    programs: int
    unchecked: int
    internal: int
    faults: int = 0
    warnings: int = 0
    faulty_files: int = 0
    known: int = 0
    gone: int = 0
    written: int | None = None
    mended: int | None = None

    @classmethod
    def of(cls, results: list[FileResult]) -> Counts:
        """Return the numbers of results."""
        counts = cls(
            len(results),
            sum(len(result.programs) for result in results),
            sum(len(result.unchecked) for result in results),
            sum(len(result.internal) for result in results),
        )
        counts.count_faults(results)
        return counts

    def count_faults(self, results: list[FileResult]) -> None:
        """Count the faults and the warnings that are left in the results."""
        errors = [[each for each in r.diagnostics if each.is_error] for r in results]
        self.faults = sum(map(len, errors))
        self.faulty_files = sum(map(bool, errors))
        self.warnings = sum(len(result.diagnostics) for result in results) - self.faults


def report_results(results: list[FileResult], counts: Counts, options: argparse.Namespace) -> None:
    """Show the faults in the chosen format, and the summary. Raises `UsageError`."""
    if counts.written is None:
        _report_faults(results, options)
    for result in results:
        for failure in result.internal:
            report_text(f"minits: {failure}")
        if options.verbose or counts.files == 1:
            for each in result.unchecked:
                place = f"{display_path(result.path)}:{each.line}"
                report_text(f"{place}: note: {each.name} is not checked: {each.reason}")
    _report_summary(results, counts, options)


def _report_faults(results: list[FileResult], options: argparse.Namespace) -> None:
    width = text_width() if options.output_file is None else None
    if options.format == "text":
        shown = [as_text(each, width) for result in results for each in result.diagnostics]
        if options.output_file is None:
            for text in shown:
                report_text(text)
            return
        written = "".join(f"{printable(text)}\n" for text in shown)
    else:
        written = FORMATS[options.format](results)
        written += "\n" if written else ""
    if options.output_file is None:
        sys.stdout.write(written)
        return
    try:
        Path(options.output_file).write_text(written, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot write {options.output_file}: {problem.strerror}") from None


def _report_summary(results: list[FileResult], counts: Counts, options: argparse.Namespace) -> None:
    """Write how many faults there are: to standard output if there are none, and no format is."""
    parts = []
    if counts.warnings and counts.written is None:
        parts.append(_number(counts.warnings, "warning"))
    if counts.mended is not None:
        parts.append(f"{counts.mended} mended")
    if counts.written is not None:
        parts.append(f"the baseline lists {_number(counts.written, 'fault')}")
    if counts.known:
        parts.append(f"{counts.known} more in the baseline")
    if counts.gone:
        parts.append(f"{counts.gone} of the baseline gone (--write-baseline forgets what is gone)")
    if counts.unchecked:
        hint = "" if options.verbose or counts.files == 1 else " (--verbose lists them)"
        parts.append(f"{counts.unchecked} not checked{hint}")
    if counts.faults:
        where = f" in {counts.faulty_files} of {counts.files} files" if counts.files > 1 else ""
        report_text("; ".join([f"{_number(counts.faults, 'error')}{where}", *parts]), "bold")
        return
    what = display_path(results[0].path) if counts.files == 1 else _number(counts.files, "file")
    programs = _number(counts.programs, "program")
    text = "; ".join([f"{what}: {programs}, no errors", *parts])
    if options.format == "text" and counts.mended is None:  # else it may be the mended text
        show(text)
    else:
        report_text(text)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"
