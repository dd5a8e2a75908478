"""Reports on a run of PyTorch's tests, as tables, as text and as JSON."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from conformance.options import write_report
from conformance.upstream import eligibility, scope
from conformance.upstream.runner import Result

Rows = list[tuple[str, int, int]]

EXPLAINED = Path(__file__).with_name("explained.txt")
"""`test<TAB>why it fails` lines, or `cause<TAB>...` for all tests that `cause` says it of."""
UNEXPLAINED = "not explained"


def rows(results: list[Result], eligible: dict[str, str]) -> Rows:
    """(category, eligible, passed) for each category that was run, and for all."""
    counted = Counter(eligible[result.name] for result in results)
    passed = Counter(eligible[result.name] for result in results if result.outcome == "passed")
    found = [(name, counted[name], passed[name]) for name in scope.CATEGORIES if counted[name]]
    return [*found, ("all", counted.total(), passed.total())]


def per_cent(passed: int, counted: int) -> str:
    return f"{100 * passed / counted:.1f} %" if counted else "–"


def table(results: list[Result], eligible: dict[str, str], implementation: str) -> Table:
    """The measure: per category how many tests count and how many of them pass."""
    made = Table("category", title=f"PyTorch's TorchScript tests: {implementation}")
    for column in ("eligible", "passed", "per cent"):
        made.add_column(column, justify="right")
    for name, counted, passed in rows(results, eligible):
        if name == "all":
            made.add_section()
        made.add_row(name, str(counted), str(passed), per_cent(passed, counted))
    return made


def eligibility_table(path: Path) -> Table:
    """The number of tests that count, per category, and of those that do not, per reason."""
    made = Table("", "why", title=str(path.name))
    made.add_column("tests", justify="right")
    counted = Counter(eligibility.read(path).values())
    for name in scope.CATEGORIES:
        made.add_row("eligible", name, str(counted[name]))
    made.add_row("eligible", "all", str(counted.total()), end_section=True)
    for why, number in _kinds(eligibility.read_excluded(path)).most_common():
        made.add_row("excluded", why, str(number))
    return made


def _kinds(excluded: dict[str, str]) -> Counter[str]:
    """Count reasons by their kind: names of internals, as `torch._C: parse_ir`, stand behind it."""
    return Counter(_KIND.match(why)[0] for why in excluded.values())  # type: ignore[index]


_KIND = re.compile(r"(fails with torch.jit: )?[^:]*")

_PAGE = """\
# PyTorch's own TorchScript tests

This page is written by `python -m conformance upstream PATH --markdown docs/upstream.md`, where
PATH is the `test` folder of PyTorch's 1.13.1 source: `test_jit.py` and `jit/*.py`, run with
torch.jit replaced by minits. Nothing of these files is in this repository but the names of the
tests that count, in `conformance/upstream/eligible.txt`: those that pass with torch.jit itself on
the torch that is installed, neither reach into torch's C++ internals nor look for nodes that
torch's executor makes as it runs a graph, and do not pass with nothing in the place of torch.jit
as well. The reason for each exclusion stands there too.

A test that uses a part of torch.jit that minits lacks fails, also where it expects an error. So
does one that expects an error in torch's words and gets it in minits' words.

{measure}

## What fails, and why

{failures}

## What does not count

A file that is left out as a whole is one line here.

{reasons}
"""


def cause(result: Result) -> str:
    """The cause that a failed test has in common with others."""
    line = result.error
    if result.outcome != "failed":
        return f"{result.outcome}: {line}"
    named = re.search(r"minits has no [\w.]+", line)
    if named:
        return named[0]
    if re.match(r"AssertionError: .* does not match ", line):
        return "raises, but not in torch's words"
    line = re.sub(r"^\w+: (?=.*TS\d{3})", "", line)
    line = re.sub(r"\S*/[\w./-]+:\d+:\d+: ", "", line)
    line = re.sub(r"0x[0-9a-f]+|\b\d+(\.\d+)?\b", "N", line)
    line = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'…'", line)
    return line[:140]


def by_cause(results: list[Result]) -> list[tuple[str, list[Result]]]:
    """The failures, grouped by cause, the most frequent first."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.outcome != "passed":
            groups[cause(result)].append(result)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def print_failures(console: Console, results: list[Result]) -> None:
    """Every test that failed with the first line of its error, below its cause."""
    for why, group in by_cause(results):
        text = [f"{len(group)} × {why}"]
        text += [f"    {result.name}: {result.error}" for result in group]
        console.print("\n".join(text), markup=False, highlight=False, soft_wrap=True)


def write_json(
    path: Path, results: list[Result], eligible: dict[str, str], implementation: str
) -> None:
    """Write everything."""
    tests = {
        result.name: {
            "category": eligible[result.name],
            "outcome": result.outcome,
            "results": {"passed": result.outcome == "passed"},
            "reasons": {} if result.outcome == "passed" else {"passed": result.error},
        }
        for result in results
    }
    totals = {name: (passed, counted) for name, counted, passed in rows(results, eligible)}
    faults = [f"{each.name}: {each.error}" for each in results if each.outcome != "passed"]
    write_report(path, "upstream", implementation, totals, faults, tests)


def write_markdown(
    path: Path,
    results: list[Result],
    eligible: dict[str, str],
    excluded: dict[str, str],
    explained: Path = EXPLAINED,
) -> None:
    """Write the page docs/upstream.md."""
    measure = [
        (name, counted, passed, per_cent(passed, counted))
        for name, counted, passed in rows(results, eligible)
    ]
    reasons = _kinds(excluded).most_common()
    text = _PAGE.format(
        measure=_markdown(("category", "eligible", "passed", "per cent"), measure),
        failures=_markdown(("category", "test", "why"), _explained(results, eligible, explained)),
        reasons=_markdown(("tests or files", "reason"), [(n, why) for why, n in reasons]),
    )
    path.write_text(text)


def _explained(
    results: list[Result], eligible: dict[str, str], path: Path
) -> list[tuple[object, ...]]:
    """A row for each test that fails, and one for all that fail for a reason with a name."""
    known = read_explained(path)
    rows: list[tuple[object, ...]] = []
    for name in scope.CATEGORIES:
        failed = [r for r in results if r.outcome != "passed" and eligible[r.name] == name]
        shared = Counter(why for r in failed if r.name not in known and (why := cause(r)) in known)
        rows += [
            (name, f"{count} test{'s' * (count > 1)}", known[why])
            for why, count in shared.most_common()
        ]
        for result in failed:
            if result.name in known or cause(result) not in known:
                why = known.get(result.name, f"{UNEXPLAINED}: {cause(result)}")
                rows.append((name, f"`{result.name}`", why))
    return rows


def read_explained(path: Path = EXPLAINED) -> dict[str, str]:
    """The explanations of failures, by the tests' names or by their common cause."""
    lines = path.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {row[0]: row[1] for row in rows}


def _markdown(head: tuple[str, ...], body: Sequence[tuple[object, ...]]) -> str:
    """A table."""
    lines = [head, ("---",) * len(head), *body]
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
