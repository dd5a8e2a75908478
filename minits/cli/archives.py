"""Archives on the command line: `MODEL.pt`, `MODEL.pt:encoder.forward` are programs as well."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from zipfile import ZipFile, is_zipfile

from minits.archive.errors import ArchiveError
from minits.cli.errors import UsageError
from minits.runtime.loading import load
from minits.runtime.script_module import ScriptModule, methods_of


def is_archive(filename: str) -> bool:
    """Return whether a file is an archive, by its content."""
    return Path(filename).is_file() and is_zipfile(filename)


def module_of_archive(
    filename: str, name: str | None, options: argparse.Namespace, map_location: str | None
) -> tuple[str, ScriptModule, str | None]:
    """Return the path of a module of an archive, the module, and the method that is named.

    name: of a submodule, a method, or both, such as `encoder.forward`; None for the whole.
    Raises `UsageError` for an archive that cannot be loaded, for a name that it lacks, and for
    options that have no meaning for archives.
    """
    _refuse_options_of_programs(options, filename)
    try:
        module: Any = load(filename, map_location=map_location)
    except ArchiveError as fault:
        raise UsageError(f"cannot load {filename}: {fault}") from None
    path = Path(filename).stem
    parts = [] if name is None else name.split(".")
    for index, part in enumerate(parts):
        if part in methods_of(module) and index == len(parts) - 1:
            return path, module, part
        module = module._modules.get(part)
        if not isinstance(module, ScriptModule):
            raise UsageError(f"{filename} has no '{name}'")
        path = f"{path}.{part}"
    return path, module, None


def _refuse_options_of_programs(options: argparse.Namespace, filename: str) -> None:
    """Raise `UsageError` for an option that has no meaning for an archive."""
    given = {
        "--module": options.module,
        "--fn": options.fn,
        "--no-import": options.no_import,
        "--dialect": options.dialect != "torch",
    }
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} is for Python files: {filename} is an archive")


def code_record(place: str) -> tuple[str, str] | None:
    """Return the archive and the code record of a place, None where it is in no archive.

    place: `MODEL.pt/code/__torch__.py`, or `MODEL.pt` alone if it has one record of code.
    Raises `UsageError` for a record that the archive lacks, with those that it has.
    """
    head, separator, record = place.partition("/code/")
    if not is_archive(head):
        return None
    names = [name.partition("/")[2] for name in ZipFile(head).namelist() if name.endswith(".py")]
    known = [name for name in names if name.startswith("code/")]
    if separator and f"code/{record}" in known:
        return head, f"code/{record}"
    if not separator and len(known) == 1:
        return head, known[0]
    listed = ", ".join(f"{head}/{name}" for name in known[:5]) or "none"
    raise UsageError(f"name a record of code with its line, of those that it has: {listed}")
