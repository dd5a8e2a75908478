"""The TorchScript in a `torch.package`: the records of one of its modules, named as in an archive.

    .data/ts_code/0/data.pkl         data.pkl           of the module 0
    .data/ts_code/0/constants.pkl    constants.pkl
    .data/ts_code/code/__torch__.py  code/__torch__.py  of all modules
    .data/3.storage                  data/3.storage, or constants/3.storage

A pickle that the package was made with, such as `models/net.pkl`, may hold several modules, and
Python objects, which need Python code to be loaded. It is never unpickled: its operations are
looked at for the numbers of its modules.

Source: torch/csrc/jit/serialization/export_module.cpp (`ScriptModuleSerializer::writeFiles`),
torch/package/package_exporter.py (`PackageExporter.save_pickle`).
"""

from __future__ import annotations

import pickletools
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from minits.archive.container.zip_directory import Entry
from minits.archive.errors import ArchiveError

Read = Callable[[str], memoryview]
"""Returns the bytes of a record of the package."""
_SCRIPTS = ".data/ts_code/"
_SHARED = ("byteorder", ".data/version", ".data/serialization_id")
_UNPACKAGE = "torch.jit._script unpackage_script_module"
_STORAGE = re.compile(rb"[0-9]+\.storage")
_MOST_OPERATIONS = 1_000_000
"""Of a pickle of the package, that are looked at."""


def is_package(entries: dict[str, Entry]) -> bool:
    """Return whether a ZIP file with these entries is a `torch.package`."""
    return ".data/extern_modules" in entries or any(map(_is_script, entries))


def records_of_module(
    entries: dict[str, Entry], read: Read, wanted: str | None
) -> dict[str, Entry]:
    """Return the entries of a module under the names that they have in an archive.

    `wanted` is its number, or the name of a pickle that holds no other module; None for the only
    one. Raises `ArchiveError`, which tells the names.
    """
    numbers = [name.split("/")[2] for name in entries if _is_root(name)]
    if not numbers:
        raise ArchiveError(
            "this is a torch.package without TorchScript in it",
            fix="open it with torch.package.PackageImporter",
        )
    number = _chosen(numbers, entries, read, wanted)
    start = f"{_SCRIPTS}{number}/"
    records = {
        "data.pkl": entries[f"{start}data.pkl"],
        **{name.removeprefix(start): entries[name] for name in entries if name.startswith(start)},
        **{name.removeprefix(_SCRIPTS): entries[name] for name in entries if _is_code(name)},
        **{name: entries[name] for name in _SHARED if name in entries},
    }
    for kind in ("data", "constants"):
        pickle = f"{start}{kind}.pkl"
        for key in sorted(_storages(read, pickle) if pickle in entries else ()):
            if f".data/{key}" in entries:
                records[f"{kind}/{key}"] = entries[f".data/{key}"]
    return records


def _is_script(name: str) -> bool:
    return name.startswith(_SCRIPTS)


def _is_root(name: str) -> bool:
    return re.fullmatch(r"\.data/ts_code/[0-9]{1,9}/data\.pkl", name) is not None


def _is_code(name: str) -> bool:
    return name.startswith(f"{_SCRIPTS}code/")


def _storages(read: Read, pickle: str) -> set[str]:
    return {key.decode() for key in _STORAGE.findall(read(pickle))}


def _chosen(numbers: list[str], entries: dict[str, Entry], read: Read, wanted: str | None) -> str:
    if wanted is None and len(numbers) == 1:
        return numbers[0]
    if wanted in numbers:
        return wanted
    pickles = {name: found for name in entries if (found := _modules_in(name, read))}
    known = [number for number in pickles.get(wanted or "", ()) if number in numbers]
    if len(known) == 1:
        return known[0]
    holders = "; ".join(f"{', '.join(found)} in {name}" for name, found in pickles.items())
    message = f"this torch.package has {len(numbers)} modules of TorchScript"
    if wanted is not None:
        message += f", and none of the name {wanted}" if not known else f"; {wanted} has several"
    raise ArchiveError(
        f"{message}: {holders or ', '.join(numbers)}"[:2000],
        fix=f"name one of them, as in minits.load(f, module={numbers[0]!r})",
    )


# ---- Pickles of the package --------------------------------------------------------------------


def _modules_in(name: str, read: Read) -> list[str]:
    """Return the numbers of the modules in a pickle of the package, each once."""
    if name.startswith(".data/") or not name.endswith(".pkl"):
        return []
    content = bytes(read(name))
    if b"unpackage_script_module" not in content:
        return []
    try:
        return list(dict.fromkeys(_numbers_in(content)))
    except ValueError:  # its operations are damaged
        return []


def _numbers_in(pickle: bytes) -> Iterator[str]:
    """Yield the text after each mention of the function that makes a module."""
    memo: dict[Any, str | None] = {}
    value: str | None = None
    is_awaited = False
    for operation, argument, _ in islice(pickletools.genops(pickle), _MOST_OPERATIONS):
        match operation.name:
            case "BINPUT" | "LONG_BINPUT" | "PUT":
                memo[argument] = value
                continue
            case "BINGET" | "LONG_BINGET" | "GET":
                value = memo.get(argument)
            case "MEMOIZE":
                memo[len(memo)] = value
                continue
            case _:
                value = argument if isinstance(argument, str) else None
        if value == _UNPACKAGE:
            is_awaited = True
        elif is_awaited and value is not None:
            is_awaited = False
            yield value
