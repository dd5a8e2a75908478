"""Compares the two runs of a package's tests, and prints the table."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.table import Table

from conformance.packages.catalogue import Package
from conformance.packages.runs import Outcome

_MISSING = Outcome(False, False, 0, "not run: it was not collected, or the time was over")


@dataclass(slots=True)
class Row:
    """The tests of a package that reach torch.jit, and how they end."""

    package: Package
    tests: int = 0
    under_torch: int = 0
    under_both: int = 0
    here_alone_fail: dict[str, Outcome] = field(default_factory=dict)
    here_alone_pass: list[str] = field(default_factory=list)
    trouble: str = ""
    """Why the package could not be tested."""

    def __str__(self) -> str:
        if self.trouble:
            return f"{self.package.name}: {self.trouble}"
        return (
            f"{self.package.name}: {self.tests} tests reach torch.jit, {self.under_torch} pass"
            f" under it, {self.under_both} under both, {len(self.here_alone_fail)} fail here alone"
        )


def reaching(outcomes: dict[str, Outcome]) -> list[str]:
    """Names of the tests that used torch.jit and were not skipped."""
    return [name for name, outcome in outcomes.items() if outcome.uses and not outcome.skipped]


def compare(package: Package, torch: dict[str, Outcome], here: dict[str, Outcome]) -> Row:
    """Count what the tests that reach torch.jit did under it and under the patch."""
    row = Row(package)
    for name in reaching(torch):
        ours = here.get(name, _MISSING)
        row.tests += 1
        row.under_torch += torch[name].passed
        row.under_both += torch[name].passed and ours.passed
        if torch[name].passed and not ours.passed:
            row.here_alone_fail[name] = ours
        if ours.passed and not torch[name].passed:
            row.here_alone_pass.append(name)
    return row


def table(rows: list[Row]) -> Table:
    """Show the rows, and their sums."""
    shown = Table()
    shown.add_column("package")
    for title in (
        "tests that reach torch.jit",
        "pass under torch.jit",
        "pass under both",
        "fail here alone",
        "pass here alone",
    ):
        shown.add_column(title, justify="right")
    columns = [_numbers(row) for row in rows]
    for row, numbers in zip(rows, columns, strict=True):
        name = f"{row.package.name} {row.package.version}"
        cells = [row.trouble.splitlines()[-1][:60]] if row.trouble else [str(n) for n in numbers]
        shown.add_row(name, *cells)
    shown.add_section()
    shown.add_row(
        f"{sum(not row.trouble for row in rows)} packages",
        *(str(sum(c[i] for c in columns)) for i in range(5)),
    )
    return shown


def _numbers(row: Row) -> tuple[int, int, int, int, int]:
    return (
        row.tests,
        row.under_torch,
        row.under_both,
        len(row.here_alone_fail),
        len(row.here_alone_pass),
    )
