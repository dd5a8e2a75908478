"""From what a command line names to the files that are checked.

model.py  src/  'src/**/*.py'  model.pt  model.py:Net  -
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import has_magic
from pathlib import Path

from pathspec import GitIgnoreSpec

from minits.check.settings import Settings, SettingsError
from minits.records import dataclass

STDIN = "<stdin>"
SUFFIXES = (".py", ".ir", ".pt", ".pth")
FOUND_SUFFIXES = (".py",)
"""The files of a folder that are checked; others have to be named."""
NEVER = {"__pycache__", "node_modules", "site-packages", "build", "dist"}
"""Folders that are not entered; nor are hidden ones and virtual environments."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file to check. `names`: what is named of it; `is_named`: by itself, not by its folder."""

    path: Path
    names: tuple[str, ...] = ()
    is_named: bool = True

    @property
    def is_input(self) -> bool:
        """Return whether it is standard input."""
        return str(self.path) == STDIN


def find_files(targets: Iterable[str], settings: Settings) -> list[Checked]:
    """Return the files of paths, folders and globs, each once, in the order in which they are told.

    Raises `SettingsError` for a path that does not exist and a glob that fits nothing.
    """
    found: dict[Path, Checked] = {}
    excluded = GitIgnoreSpec.from_lines(settings.exclude)
    for target in targets:
        for each in _files_of(target, settings.root, excluded):
            known = found.get(each.path)
            names = (*known.names, *each.names) if known else each.names
            is_named = each.is_named or (known is not None and known.is_named)
            found[each.path] = Checked(each.path, names, is_named)
    return list(found.values())


def display_path(path: str | Path) -> str:
    """Return a path as messages show it: relative to the working folder, if it is in that."""
    text = str(path)
    here = f"{Path.cwd()}{os.sep}"
    return text[len(here) :] if text.startswith(here) else text


def path_in_project(path: str, root: Path) -> str:
    """Return a path relative to the root, with `/`, for globs and baselines."""
    try:
        return Path(path).relative_to(root).as_posix()
    except ValueError:
        return Path(path).as_posix().lstrip("/")


def _files_of(target: str, root: Path, excluded: GitIgnoreSpec) -> Iterator[Checked]:
    if target in ("-", STDIN):
        yield Checked(Path(STDIN))
        return
    path = _absolute(target)
    if path.is_dir():
        yield from _in_folder(path, root, excluded)
    elif os.path.lexists(target):
        yield Checked(path)
    else:
        named = _named(target)
        if named is not None:
            yield named
        elif has_magic(target):
            yield from _of_glob(target, root, excluded)
        else:
            raise SettingsError(f"cannot read {target}: No such file or directory")


def _named(target: str) -> Checked | None:
    """Return the file of `FILE:NAME`, if there is one."""
    filename, colon, name = target.rpartition(":")
    path = _absolute(filename)
    if colon and name.replace(".", "_").isidentifier():
        if filename in ("-", STDIN):
            return Checked(Path(STDIN), (name,))
        if path.is_file():
            return Checked(path, (name,))
    return None


def _of_glob(target: str, root: Path, excluded: GitIgnoreSpec) -> Iterator[Checked]:
    base = Path(Path(target).anchor)
    pattern = Path(target).relative_to(base).as_posix() if base.anchor else target
    found = [_absolute(each) for each in sorted(base.glob(pattern))]
    found = [each for each in found if not excluded.match_file(path_in_project(str(each), root))]
    if not found:
        raise SettingsError(f"no file fits {target}")
    for path in found:
        if path.is_dir():
            yield from _in_folder(path, root, excluded)
        elif path.suffix in SUFFIXES:
            yield Checked(path, is_named=False)


def _in_folder(folder: Path, root: Path, excluded: GitIgnoreSpec) -> Iterator[Checked]:
    unreadable: list[OSError] = []
    for where, folders, files in os.walk(folder, onerror=unreadable.append):
        relative = path_in_project(where, root)
        prefix = "" if relative == "." else f"{relative}/"
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in NEVER
            and not excluded.match_file(f"{prefix}{name}/")
            and not Path(where, name, "pyvenv.cfg").exists()
        )
        for name in sorted(files):
            if name.endswith(FOUND_SUFFIXES) and not excluded.match_file(prefix + name):
                yield Checked(Path(where, name), is_named=False)
    for problem in unreadable:
        yield Checked(Path(str(problem.filename)), is_named=False)


def _absolute(path: str | Path) -> Path:
    """Return a path without links; of a circle of links, which `Path.resolve` refuses, as it is."""
    return Path(os.path.realpath(path))
