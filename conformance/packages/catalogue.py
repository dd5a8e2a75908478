"""The packages, as `packages.toml` names and pins them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import tomlkit

FILE = Path(__file__).with_name("packages.toml")


@dataclass(frozen=True, slots=True)
class Package:
    """One package of the index and its tests."""

    name: str
    version: str
    tests: tuple[str, ...] = ()
    """Files and folders of its source distribution; each gets a process of its own."""
    own_tests: tuple[str, ...] = ()
    """Files of `own_tests/`, written here for a package whose source distribution has no tests."""
    is_installed: bool = True
    """Whether pip installs the package; else its source is imported as it is, and `needs` are all
    its requirements."""
    needs: tuple[str, ...] = ()
    """Further requirements, pinned: those of its tests, and all of them where `dependencies` is
    false."""
    dependencies: bool = True
    """Whether pip also installs what the package itself requires."""
    environment: dict[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    """Parts of the names of the tests that are run, where not all are: thousands of models take
    hours."""
    leave_out: tuple[str, ...] = ()
    """Parts of the names of tests that are not run: they need a network or many minutes."""
    conftest: str = ""
    """Text of the conftest.py that its source distribution lacks: fixtures."""
    quick: bool = False
    """Whether `--quick` runs it."""


def packages(file: Path = FILE) -> dict[str, Package]:
    """Read the packages by name. Raises `TypeError` for keys that `Package` lacks."""
    tables = tomlkit.parse(file.read_text("utf-8")).unwrap()
    return {
        name: Package(
            name, **{key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}
        )
        for name, table in tables.items()
    }
