"""`minits check`: options, what is shown, and the exit status.

It imports no torch, so that a check whose answers are cached is quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.cli.fixing import add_fix_options, fix_files, is_fixing
from minits.cli.operators import add_operators
from minits.lazily import lazily

FORMATS = ("text", "json", "sarif", "github", "junit")


def add_check(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Add the command `check`."""
    parser = subparsers.add_parser(
        "check",
        help="report every fault of the programs of files",
        epilog="Settings stand in [tool.minits] of pyproject.toml: see `minits docs check`.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, FILE:NAME, folders, globs, archives (.pt), `-` for standard input; without "
        "any, those that pyproject.toml includes, or the working folder",
    )
    parser.add_argument("--module", metavar="EXPR", help="compile the module of this expression")
    parser.add_argument(
        "--dialect",
        choices=("torch", "extended"),
        help="extended also accepts what `minits docs extensions` lists",
    )
    parser.add_argument(
        "--no-import", action="store_true", help="compile from the text alone, run no file"
    )
    parser.add_argument("--config", metavar="FILE", help="read settings from this file")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="leave out these files"
    )
    parser.add_argument("--verbose", "-v", action="store_true", help="list what was not checked")
    parser.add_argument("--jobs", "-j", type=int, metavar="N", help="processes to use")
    parser.add_argument("--no-cache", action="store_true", help="compile what is known, too")
    add_operators(parser)
    _add_reporting(parser)
    add_fix_options(parser)
    parser.set_defaults(run=lazily("minits.cli.checking:run_check"))


def _add_reporting(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("which faults are reported, and how")
    for name in ("--select", "--ignore"):
        group.add_argument(
            name,
            action="append",
            metavar="CODES",
            help=f"{name[2:]} faults by codes or their beginnings: TS4,TS302",
        )
    group.add_argument("--baseline", metavar="FILE", help="report no fault that this file lists")
    group.add_argument(
        "--write-baseline", action="store_true", help="list all faults in the baseline's file"
    )
    group.add_argument("--format", choices=FORMATS, default="text", help="text if not given")
    group.add_argument("--output-file", "-o", metavar="FILE", help="write the faults to this file")


def run_check(options: argparse.Namespace) -> int:
    """Check what is named, and return the exit status. Raises `UsageError`."""
    from minits.check.settings import SettingsError

    try:
        return _Run(options).run()
    except SettingsError as fault:
        raise UsageError(str(fault)) from None


class _Run:
    """One run of the command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.settings = _settings(options)

    def run(self) -> int:
        """Return the exit status: 1 for faults, 3 where minits failed. Raises `UsageError`."""
        from minits.check.baseline import drop_known, write_baseline
        from minits.check.selection import select_faults
        from minits.cli.check_report import Counts, report_results
        from minits.cli.report import report_hint

        options, settings = self.options, self.settings
        fixes = is_fixing(options)
        files = self._files()
        results = self._results([each for each in files if not (fixes and each.is_input)])
        select_faults(results, settings)
        mended = None
        if fixes:
            results, mended = fix_files(files, results, settings, options)
        if options.diff:
            return 1 if mended else 0
        counts = Counts.of(results)
        counts.mended = mended
        if options.write_baseline:
            if settings.baseline is None:
                raise UsageError("--write-baseline needs --baseline FILE, or one in pyproject.toml")
            counts.written = write_baseline(settings.baseline, results)
            counts.faults = 0
        elif settings.baseline is not None:
            counts.known, counts.gone = drop_known(settings.baseline, results)
            counts.count_faults(results)
        report_results(results, counts, options)
        if settings.imports and not all(each.is_named for each in files):
            report_hint(
                "files with programs are run, to find these; --no-import compiles functions and "
                "script classes from their texts"
            )
        if counts.internal:
            return 3
        return 1 if counts.faults else 0

    def _files(self) -> list[Any]:
        from minits.check.files import Checked, find_files

        options, settings = self.options, self.settings
        paths = options.paths or [str(settings.root / each) for each in settings.include]
        files = find_files(paths, settings)
        if options.module is not None:
            if len(files) != 1 or files[0].names:
                raise UsageError("--module is for one file: name it, and nothing of it")
            files = [Checked(files[0].path, (options.module,))]
        return list(dict.fromkeys(files))

    def _results(self, files: list[Any]) -> list[Any]:
        from minits.check.cache import ResultCache, result_cache
        from minits.check.project import check_project, options_of
        from minits.check.results import NoProgram

        options, settings = self.options, self.settings
        kinds = options_of(settings)
        cache = ResultCache(None, "") if options.no_cache else result_cache(kinds)
        try:
            with _progress(len(files)) as progress:
                return check_project(files, settings, cache, options.jobs, progress)
        except NoProgram as fault:
            raise UsageError(str(fault)) from None
        except OSError as problem:
            raise UsageError(f"cannot read {problem.filename}: {problem.strerror}") from None


def _settings(options: argparse.Namespace) -> Any:
    """Return the settings of pyproject.toml, as the options change them. Raises SettingsError."""
    from minits.check.settings import checked_codes, read_settings

    config = Path(options.config) if options.config else None
    settings = read_settings(_start(options.paths), config)
    settings.exclude = [*settings.exclude, *options.exclude]
    settings.imported, settings.libraries = options.imported, options.libraries
    settings.dialect = options.dialect or settings.dialect
    settings.imports = settings.imports and not options.no_import
    if options.select is not None:
        settings.select = checked_codes(_split(options.select), "--select")
    if options.ignore is not None:
        settings.ignore += checked_codes(_split(options.ignore), "--ignore")
    if options.baseline is not None:
        settings.baseline = Path(options.baseline)
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs must be a positive number")
    if not settings.imports and options.module is not None:
        raise UsageError("--module evaluates code, which --no-import forbids")
    return settings


def _start(paths: list[str]) -> Path:
    """Return the folder that the search for pyproject.toml begins in: that of all the paths."""
    folders = [_folder(each) for each in paths if each != "-"]
    existing = [str(each) for each in folders if each is not None]
    return Path(os.path.commonpath(existing)) if existing else Path.cwd()


def _folder(text: str) -> Path | None:
    path = Path(text.rpartition(":")[0] or text)
    path = Path(os.path.realpath(path if path.exists() else text))
    if path.is_dir():
        return path
    return path.parent if path.is_file() else None


def _split(given: list[str]) -> list[str]:
    return [code.strip() for each in given for code in each.split(",") if code.strip()]


@contextmanager
def _progress(files: int) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error while files are checked, if that is a terminal."""
    if files < 2 or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("checking", total=files)
        yield lambda done, of: bar.update(task, completed=done)
