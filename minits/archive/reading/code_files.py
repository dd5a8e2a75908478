"""The code records of an archive, and the definitions in them.

What has the qualified name `__torch__.a.b.C` stands in the record `code/__torch__/a/b.py`. A record
is parsed when something in it is first named.

Source: torch/csrc/jit/serialization/import_source.cpp (`SourceImporterImpl::parseSourceIfNeeded`).
"""

from __future__ import annotations

import string

from minits.archive.container.reader import Container
from minits.archive.errors import ArchiveError
from minits.archive.reading.debug_ranges import RangeTable, read_ranges
from minits.diagnostics import CompileError
from minits.source import SourceFile
from minits.syntax import parse_module, tree

Definition = tree.ClassDef | tree.FunctionDef
_WITHIN_WORDS = f"{string.ascii_letters}{string.digits}_ ".encode()


def fault(node: tree.Node, message: str, fix: str | None = None) -> ArchiveError:
    """Make the error of a node in a code record."""
    loc = node.range
    return ArchiveError(message, loc.source.filename, loc.start, fix=fix)


class CodeFiles:
    """The definitions of all code records, by qualified names."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self._files: dict[str, dict[str, Definition] | ArchiveError] = {}
        self._ranges: dict[str, RangeTable] = {}
        self._packed = self._steps = 0
        self._namespaces = {
            ".".join(parts[: n + 1])
            for parts in map(_parts, container.names())
            for n in range(len(parts))
        }

    def find(self, name: str) -> Definition | None:
        """Return the definition of a qualified name. Raises `ArchiveError` for a faulty record."""
        prefix, _, last = name.rpartition(".")
        return self.definitions(prefix).get(last)

    def is_namespace(self, name: str) -> bool:
        """Return whether there is a record for names that begin like this."""
        return name in self._namespaces

    def ranges(self, definition: Definition) -> RangeTable:
        """Return the ranges of the program that the record of a definition stands for."""
        record = definition.range.source.filename
        if record not in self._ranges:
            self._ranges[record] = read_ranges(self.container, record)
        return self._ranges[record]

    def definitions(self, prefix: str) -> dict[str, Definition]:
        """Return the definitions of one record; `__torch__.a` is `code/__torch__/a.py`.

        Raises `ArchiveError` for a faulty record, each time.
        """
        if prefix not in self._files:
            record = f"code/{prefix.replace('.', '/')}.py"
            known = bool(prefix) and record in self.container
            try:
                self._files[prefix] = self._read(record) if known else {}
            except ArchiveError as fault:
                self._files[prefix] = fault
        found = self._files[prefix]
        if isinstance(found, ArchiveError):
            raise found
        return found

    def _read(self, record: str) -> dict[str, Definition]:
        content = self.container.read(record, self.container.limits.code_bytes)
        self._spend(record, bytes(content))
        try:
            text = bytes(content).decode()
        except UnicodeDecodeError as why:
            raise ArchiveError("the code is not UTF-8", record, why.start) from None
        try:
            module = parse_module(SourceFile(record, text), self.container.limits.blocks)
        except CompileError as why:
            raise ArchiveError(str(why), record) from None
        return _definitions(module)

    def _spend(self, record: str, content: bytes) -> None:
        """Count the work of parsing and compiling a record, all of which is parsed.

        Raises `ArchiveError` for more than its archive may cost: a few kB unpack to MBs of code.
        """
        limits = self.container.limits
        self._packed += self.container.entry(record).packed
        self._steps += len(content.translate(None, delete=_WITHIN_WORDS))
        if self._steps > limits.code_steps + limits.code_steps_each * self._packed:
            raise ArchiveError(
                f"there are {self._steps} operators and lines of code in {self._packed} bytes, "
                "more than programs have",
                record,
                fix="load it with limits=Limits(code_steps=...), a larger number, if you trust it",
            )


def _parts(record: str) -> list[str]:
    """Return the names of the folders and of the file of a code record."""
    folder, _, path = record.partition("/")
    if folder != "code" or not path.endswith(".py"):
        return []
    return path.removesuffix(".py").split("/")


def _definitions(module: tree.Module) -> dict[str, Definition]:
    """Return the classes and functions of a record by name; of equal names, the last.

    `op_version_set = 1` and imports, with which old records begin, are skipped: they repeat what is
    said elsewhere.
    """
    found: dict[str, Definition] = {}
    for statement in module.body:
        match statement:
            case tree.ClassDef() | tree.FunctionDef():
                found[statement.name] = statement
            case tree.Import() | tree.ImportFrom():
                continue
            case tree.Assign(targets=(tree.Name(id="op_version_set"),)):
                continue
            case _:
                raise fault(statement, "code records hold classes and functions, and nothing else")
    return found
