"""The command line: `python -m conformance run`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from conformance import report, suite, thresholds
from conformance.case import Case, find_cases

AS_C = {"MINITS_NATIVE": "whole", "MINITS_BUILD": "now", "MINITS_PLANS": "memory"}
"""The environment in which all calls are planned, the first ones too, and what can be C is: plans
on disk are generated Python."""


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if all is well, 1 if a measure fails, 2 for misuse."""
    os.environ.setdefault("MINITS_BUILD", "now")  # most programs are called but once
    options = _parser().parse_args(arguments)
    result: int = options.command(options)
    return result


def _run(options: argparse.Namespace) -> int:
    cases = find_cases(chapter=options.chapter, pattern=options.case)
    console = Console()
    if not console.is_terminal:
        console = Console(width=132)
    if not cases:
        console.print("no such case")
        return 2
    if options.backend == "native":
        os.environ.update(AS_C)
    if options.sanitize:
        from conformance import sanitizers

        if not sanitizers.is_on():
            sanitizers.start_again(sys.argv[1:])
    if options.update:
        return _update(options, cases, console)
    return _check(options, cases, console)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_fuzz(commands.add_parser("fuzz", help="check random programs"))
    _add_upstream(commands.add_parser("upstream", help="run PyTorch's own TorchScript tests"))
    _add_fusion(commands.add_parser("fusion", help="which of torch's operators fuse"))
    _add_archives(commands.add_parser("archives", help="save the programs, and run them loaded"))
    _add_samples(commands.add_parser("ops", help="check every operator"), "database", "schemas")
    _add_samples(commands.add_parser("nn", help="check every module of torch.nn"), "modules")
    _add_tracing(commands.add_parser("tracing", help="trace operators and modules of torch"))
    _add_orders(commands.add_parser("orders", help="compile programs in random orders"))
    _add_foreign(commands.add_parser("foreign", help="compile what installed packages define"))
    _add_texts(commands.add_parser("texts", help="write all that minits prints, to compare states"))
    language = commands.add_parser("language", help="write docs/language from rules and cases")
    language.set_defaults(command=_language)
    run = commands.add_parser("run", help="run the cases and compare with what torch.jit did")
    run.set_defaults(command=_run)
    run.add_argument("--impl", choices=("torch", "minits"), default="minits")
    run.add_argument(
        "--backend", choices=("native",), help="run as C what can be, and tell what cannot, and why"
    )
    run.add_argument(
        "--sanitize", action="store_true", help="with --backend native: under gcc's sanitizers"
    )
    run.add_argument("--chapter", help="only the cases of this folder")
    run.add_argument("--case", default="", metavar="TEXT", help="only cases with TEXT in the name")
    run.add_argument("--update", action="store_true", help="record anew what torch.jit does")
    run.add_argument("--json", type=Path, metavar="FILE", help="write all results to FILE")
    run.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    run.add_argument("--diff", action="store_true", help="show why each failing case fails")
    return parser


def _add_fuzz(fuzz: argparse.ArgumentParser) -> None:
    fuzz.set_defaults(command=_fuzz)
    kinds = fuzz.add_mutually_exclusive_group()
    kinds.add_argument("--kernels", action="store_true", help="fused kernels (the default)")
    kinds.add_argument("--language", action="store_true", help="what torch.jit and minits accept")
    kinds.add_argument("--calls", action="store_true", help="histories of calls of one program")
    kinds.add_argument("--archive", action="store_true", help="damaged archives that are loaded")
    fuzz.add_argument(
        "--backends",
        default="python,interpreter",
        metavar="NAMES",
        help="with --language: whose calls to compare, of python,interpreter,native",
    )
    fuzz.add_argument("--gradients", action="store_true", help="compare gradients with eager's")
    fuzz.add_argument("-n", type=int, default=1000, metavar="N", help="how many programs")
    fuzz.add_argument("--seed", type=int, default=0)
    fuzz.add_argument("--jobs", type=int, metavar="N", help="processes, the cores' number or more")


def _add_samples(parser: argparse.ArgumentParser, *sources: str) -> None:
    from conformance.samples.command import add_arguments

    add_arguments(parser, sources)


def _add_upstream(parser: argparse.ArgumentParser) -> None:
    from conformance.upstream.command import add_arguments

    add_arguments(parser)


def _add_foreign(parser: argparse.ArgumentParser) -> None:
    from conformance.foreign.command import add_arguments

    add_arguments(parser)


def _add_tracing(parser: argparse.ArgumentParser) -> None:
    from conformance.tracing.command import add_arguments

    add_arguments(parser)


def _add_texts(parser: argparse.ArgumentParser) -> None:
    from conformance.texts.command import add_arguments

    add_arguments(parser)


def _add_orders(parser: argparse.ArgumentParser) -> None:
    from conformance.orders.command import add_arguments

    add_arguments(parser)


def _add_fusion(parser: argparse.ArgumentParser) -> None:
    from conformance.fusion.command import add_arguments

    add_arguments(parser)


def _add_archives(parser: argparse.ArgumentParser) -> None:
    from conformance.archives import READERS

    parser.set_defaults(command=_archives)
    parser.add_argument("--reader", choices=READERS, default="torch", help="who loads them")
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="compare the archives of a folder instead"
    )
    parser.add_argument(
        "--case", default="", metavar="TEXT", help="only cases with TEXT in the name"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def _archives(options: argparse.Namespace) -> int:
    """Print the cases that do something else when they were saved and loaded."""
    from conformance.archive_files import check_files
    from conformance.archives import check_archives

    console = Console()
    count = failures = 0
    with _progress() as bar:
        if options.files is None:
            cases = find_cases(pattern=options.case)
            task = bar.add_task("archives", total=len(cases))
            checked = check_archives(cases, options.reader, options.jobs)
        else:
            task = bar.add_task("archives", total=None)
            checked = check_files(options.files)
        for name, fault in checked:
            bar.update(task, advance=1, refresh=True)
            count += 1
            if fault is not None:
                failures += 1
                bar.console.print(f"{name}: {fault}", markup=False, highlight=False, soft_wrap=True)
    done = "saved and loaded" if options.files is None else "loaded, called and saved again"
    console.print(f"{count} programs {done}: {failures} differ", soft_wrap=True)
    return 1 if failures or not count else 0


def _fuzz(options: argparse.Namespace) -> int:
    """Search for a disagreement; print the shortest form of each program that has one."""
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # no warnings of torch.jit's between them
    from conformance.fuzz import search as kernels
    from conformance.fuzz.archives import search as archives
    from conformance.fuzz.calls import search as calls
    from conformance.fuzz.language import search as language
    from conformance.fuzz.language.check import BACKENDS

    counts: kernels.Counts | language.Counts | calls.Counts | archives.Counts
    jobs = options.jobs or (calls.usual_jobs() if options.calls else os.cpu_count() or 1)
    if options.language:
        counts = language.Counts()
        backends = options.backends.split(",")
        if not set(backends) <= {*BACKENDS}:
            Console().print(f"--backends takes some of {','.join(BACKENDS)}")
            return 2
        chunks = language.search(options.n, options.seed, jobs, backends)
    elif options.calls:
        counts = calls.Counts()
        chunks = calls.search(options.n, options.seed, jobs)
    elif options.archive:
        counts = archives.Counts()
        chunks = archives.search(options.n, options.seed, jobs)
    else:
        counts = kernels.Counts()
        chunks = kernels.search(options.n, options.seed, jobs, options.gradients)
    console = Console()
    failures = 0
    with _progress() as bar:
        task = bar.add_task("programs", total=options.n)
        for covered, found in chunks:
            counts = counts + covered
            bar.update(task, completed=counts.programs)
            failures += len(found)
            for failure in found:
                bar.console.print(failure, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{counts}: {failures} disagreements", soft_wrap=True)
    return 1 if failures else 0


def _language(options: argparse.Namespace) -> int:
    """Write the pages of the language."""
    from conformance.language.pages import FOLDER, write

    console = Console()
    for name in write():
        console.print(f"written {FOLDER.name}/{name}", markup=False, soft_wrap=True)
    return 0


def _update(options: argparse.Namespace, cases: list[Case], console: Console) -> int:
    with _progress() as bar:
        task = bar.add_task("recording", total=len(cases))
        done = suite.record(cases, jobs=options.jobs, progress=_advance(bar, task))
    stale = [] if options.chapter or options.case else suite.remove_stale(cases)
    for title, names in (("recorded", done.changed), ("removed", stale), ("FAULTY", done.faults)):
        for name in names:
            console.print(f"{title} {name}", markup=False, soft_wrap=True)
    console.print(f"{len(done.changed)} of {len(cases)} expectations changed")
    return 1 if done.faults else 0


def _check(options: argparse.Namespace, cases: list[Case], console: Console) -> int:
    with _progress() as bar:
        task = bar.add_task(options.impl, total=len(cases))
        verdicts = suite.check(cases, options.impl, jobs=options.jobs, progress=_advance(bar, task))
    report.print_failures(console, verdicts, options.diff)
    console.print(report.summary_table(verdicts, options.impl))
    if options.backend == "native":
        console.print("\n".join(report.backend_lines(verdicts)), markup=False, highlight=False)
    known = thresholds.read_known_failures() if options.impl == "minits" else {}
    new, mended = thresholds.regressions(verdicts, known)
    faults = thresholds.missed_thresholds(verdicts, options.impl)
    faults += [f"not a known failure: {name}" for name in new]
    faults += [f"passes, strike it out of known_failures.txt: {name}" for name in mended]
    for fault in faults:
        console.print(fault, markup=False, soft_wrap=True)
    if options.json:
        report.write_json(options.json, verdicts, options.impl, faults)
    return 1 if faults else 0


def _progress() -> Progress:
    """A bar on stderr, drawn without a thread."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )


def _advance(bar: Progress, task: object) -> suite.Progress:
    def advance(case: Case) -> None:
        bar.update(task, advance=1, refresh=True)  # type: ignore[arg-type]

    return advance


if __name__ == "__main__":
    sys.exit(main())
