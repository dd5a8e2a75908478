"""The command `python -m conformance upstream`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from conformance.upstream import eligibility, report, scope
from conformance.upstream.runner import TIMEOUT, Result, Run, find_files, run_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=upstream)
    parser.add_argument("path", type=Path, metavar="PATH", help="the `test` folder of PyTorch")
    parser.add_argument("--impl", choices=("torch", "minits"), default="minits")
    parser.add_argument("--category", choices=scope.CATEGORIES, help="only tests of this category")
    parser.add_argument(
        "--test", default="", metavar="TEXT", help="only tests with TEXT in the name"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT,
        metavar="SECONDS",
        help="of the processor, per test",
    )
    parser.add_argument("--failures", action="store_true", help="show what fails, by cause")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to FILE")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write a page, docs/upstream.md"
    )
    parser.add_argument(
        "--eligible",
        action="store_true",
        help="run all tests, or the files or else tests with TEXT in the name, with torch.jit "
        "itself, and write the list of those that count",
    )
    parser.add_argument("--list", type=Path, default=eligibility.PATH, metavar="FILE")


def upstream(options: argparse.Namespace) -> int:
    """Return the exit status: 0 if all tests passed, 1 if some did not, 2 for misuse."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=132)
    if not hasattr(os, "fork"):
        console.print("this system has no fork(), by which each test gets a process of its own")
        return 2
    if not find_files(options.path):
        console.print(f"{options.path}: no test_jit.py and no jit/test_*.py", soft_wrap=True)
        return 2
    if options.eligible:
        return _find_eligible(options, console)
    if not options.list.exists():
        console.print(f"{options.list} is missing; --eligible writes it", soft_wrap=True)
        return 2
    return _measure(options, console)


def _find_eligible(options: argparse.Namespace, console: Console) -> int:
    """The control: run what is in scope with torch.jit itself, and without it."""
    run = Run(options.path, "torch", options.timeout, options.jobs, is_recorded=True)
    files = [file for file in find_files(options.path) if options.test in file]
    known = (*eligibility.read(options.list), *eligibility.read_excluded(options.list))
    tests = [name for name in known if "::" in name and options.test in name]
    asked = dict.fromkeys(files) if files else _by_file(tests)
    results = list(_with_progress(run_files(run, asked), None))
    results = without_idle(run, results)
    eligibility.write(results, version("torch"), options.list, files or tests)
    console.print(report.eligibility_table(options.list))
    return 0


def without_idle(run: Run, results: list[Result]) -> list[Result]:
    """Exclude the tests that pass with nothing in the place of torch.jit too."""
    passed = [result.name for result in results if result.outcome == "passed"]
    without = Run(run.root, "none", run.timeout, run.jobs)
    idle = {
        result.name
        for result in _with_progress(run_files(without, _by_file(passed)), len(passed))
        if result.outcome == "passed"
    }
    return [
        Result(result.name, "excluded", "compiles nothing") if result.name in idle else result
        for result in results
    ]


def _by_file(tests: Iterable[str]) -> dict[str, list[str] | None]:
    files: dict[str, list[str] | None] = {}
    for name in tests:
        names = files.setdefault(name.partition("::")[0], [])
        assert names is not None
        names.append(name)
    return files


def _measure(options: argparse.Namespace, console: Console) -> int:
    eligible = {
        name: category
        for name, category in eligibility.read(options.list).items()
        if options.test in name and options.category in (None, category)
    }
    if not eligible:
        console.print("no such test")
        return 2
    run = Run(options.path, options.impl, options.timeout, options.jobs)
    results = sorted(
        _with_progress(run_files(run, _by_file(eligible)), len(eligible)),
        key=lambda result: result.name,
    )
    if options.failures:
        report.print_failures(console, results)
    console.print(report.table(results, eligible, options.impl))
    if options.json:
        report.write_json(options.json, results, eligible, options.impl)
    if options.markdown:
        excluded = eligibility.read_excluded(options.list)
        report.write_markdown(options.markdown, results, eligible, excluded)
    return 0 if all(result.outcome == "passed" for result in results) else 1


def _with_progress(results: Iterable[Result], total: int | None) -> Iterator[Result]:
    """Pass on the results while a bar on stderr counts them."""
    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task: TaskID = bar.add_task("tests", total=total)
        for result in results:
            bar.update(task, advance=1, refresh=True)
            yield result
