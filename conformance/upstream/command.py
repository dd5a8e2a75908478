"""The command `python -m conformance upstream`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from conformance import options
from conformance.implementations import implementation
from conformance.upstream import eligibility, report, scope
from conformance.upstream.runner import TIMEOUT, Result, Run, find_files, run_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=upstream)
    parser.add_argument("path", type=Path, metavar="PATH", help="the `test` folder of PyTorch")
    options.add_implementation(parser)
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
    options.add_scheduler(parser)
    options.add_json(parser)
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


def upstream(chosen: argparse.Namespace) -> int:
    """Return the exit status: 0 if all tests passed, 1 if some did not, 2 for misuse."""
    console = options.console()
    implementation(chosen.impl)  # one that is not there is misuse
    if not hasattr(os, "fork"):
        console.print("this system has no fork(), by which each test gets a process of its own")
        return 2
    if not find_files(chosen.path):
        console.print(f"{chosen.path}: no test_jit.py and no jit/test_*.py", soft_wrap=True)
        return 2
    if chosen.eligible:
        return _find_eligible(chosen, console)
    if not chosen.list.exists():
        console.print(f"{chosen.list} is missing; --eligible writes it", soft_wrap=True)
        return 2
    return _measure(chosen, console)


def _find_eligible(chosen: argparse.Namespace, console: Console) -> int:
    """The control: run what is in scope with torch.jit itself, and without it."""
    run = Run(chosen.path, "torch", chosen.timeout, chosen.jobs, is_recorded=True)
    files = [file for file in find_files(chosen.path) if chosen.test in file]
    known = (*eligibility.read(chosen.list), *eligibility.read_excluded(chosen.list))
    tests = [name for name in known if "::" in name and chosen.test in name]
    asked = dict.fromkeys(files) if files else _by_file(tests)
    results = list(_with_progress(run_files(run, asked), None))
    results = without_idle(run, results)
    eligibility.write(results, version("torch"), chosen.list, files or tests)
    console.print(report.eligibility_table(chosen.list))
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


def _measure(chosen: argparse.Namespace, console: Console) -> int:
    eligible = {
        name: category
        for name, category in eligibility.read(chosen.list).items()
        if chosen.test in name and chosen.category in (None, category)
    }
    if not eligible:
        console.print("no such test")
        return 2
    run = Run(chosen.path, chosen.impl, chosen.timeout, chosen.jobs, scheduler=chosen.scheduler)
    results = sorted(
        _with_progress(run_files(run, _by_file(eligible)), len(eligible)),
        key=lambda result: result.name,
    )
    if chosen.failures:
        report.print_failures(console, results)
    console.print(report.table(results, eligible, chosen.impl))
    if chosen.json:
        report.write_json(chosen.json, results, eligible, chosen.impl)
    if chosen.markdown:
        excluded = eligibility.read_excluded(chosen.list)
        report.write_markdown(chosen.markdown, results, eligible, excluded)
    return 0 if all(result.outcome == "passed" for result in results) else 1


def _with_progress(results: Iterable[Result], total: int | None) -> Iterator[Result]:
    """Pass on the results while a bar on stderr counts them."""
    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task: TaskID = bar.add_task("tests", total=total)
        for result in results:
            bar.update(task, advance=1, refresh=True)
            yield result
