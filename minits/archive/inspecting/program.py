"""The code of an archive: which operators it calls, and which records the module needs.

The code is parsed, and no more: a name that stands for an operator is counted, whether or not
the call would be accepted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from minits.archive.errors import ArchiveError
from minits.archive.inspecting.inspection import Finding, OperatorEntry
from minits.archive.reading.code_files import CodeFiles, Definition
from minits.archive.reading.code_scope import is_refused
from minits.archive.reading.upgraders import is_upgraded
from minits.archive.writing.format_version import changed_in
from minits.ops.libraries import registered_by
from minits.ops.registry import schemas_for
from minits.source import SourceRange
from minits.syntax import tree

DEVICE_CURE = "minits.load(..., map_location=..., remap_devices=True) moves it"
"""The cure where code names a device."""
_QUALIFIED = re.compile(r"__torch__(?:\.\w+)+")


class ProgramReader:
    """Counts operators of all code records, and follows names from one definition to others."""

    def __init__(self, files: CodeFiles) -> None:
        self.files = files
        self.texts: dict[str, str] = {}
        self.findings: list[Finding] = []
        self._definitions: dict[str, Definition] = {}
        self._counts: Counter[str] = Counter()

    def read(self, records: Iterable[str]) -> None:
        """Parse the code records; a finding tells of each that cannot be."""
        for record in records:
            name = record.removeprefix("code/").removesuffix(".py").replace("/", ".")
            try:
                found = self.files.definitions(name)
            except ArchiveError as why:
                self.findings.append(Finding("refused", record, str(why)))
                continue
            for last, definition in found.items():
                self._definitions[f"{name}.{last}"] = definition
                self.texts.setdefault(record, definition.range.source.text)
                self._counts.update(_operators(definition))
                for device, loc in self._devices(definition).items():
                    place = "" if loc.source.filename == record else f"{loc.source.filename}, "
                    message = f"{place}line {loc.begin.line}: {device_told(device)} ({DEVICE_CURE})"
                    self.findings.append(Finding("note", record, message))

    def _devices(self, definition: Definition) -> dict[str, SourceRange]:
        """Return the devices that a definition names, each with the first place that does."""
        found: dict[str, SourceRange] = {}
        original = self.files.ranges(definition).original
        for device, loc in _devices(definition):
            found.setdefault(device, original(loc))
        return found

    def operators(self) -> list[OperatorEntry]:
        """Return the operators by name, and find fault with those that no archive may call."""
        version = self.files.container.version
        found = []
        for name, count in sorted(self._counts.items()):
            known = bool(schemas_for(name))
            if is_refused(name):
                self._refuse(f"it calls {name}, which reaches outside the program")
            elif not known:
                how = registered_by(name.partition("::")[0])
                self._refuse(
                    f"it calls the operator {name}, which this torch does not have"
                    + (f": {how}" if how else "")
                )
            upgraded = is_upgraded(name, version)
            found.append(OperatorEntry(name, count, changed_in(name), upgraded, known))
        return found

    def _refuse(self, message: str) -> None:
        self.findings.append(Finding("refused", "code", message))

    def unused(self, roots: Iterable[str]) -> list[str]:
        """Return the code records of which nothing is named by the roots, or by what they name."""
        waiting = list(roots)
        reached: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in reached:
                continue
            reached.add(name)
            waiting.append(name.rpartition(".")[0])  # of a method, its class
            if name in self._definitions:
                waiting += set(_QUALIFIED.findall(self._definitions[name].range.text))
        used = {
            definition.range.source.filename
            for name, definition in self._definitions.items()
            if name in reached
        }
        return [record for record in self.texts if record not in used]


def device_told(device: str) -> str:
    """Return the sentence about a device that code names."""
    return f"the code names the device {device}, which map_location does not change"


def names_in(text: str) -> list[str]:
    """Return the qualified names in a text, such as the tag of a list."""
    return _QUALIFIED.findall(text)


def _operators(definition: Definition) -> Iterable[str]:
    for node in tree.walk(definition):
        if isinstance(node, tree.Call):
            match node.func:
                case tree.Attribute(value=tree.Name(id="torch"), attr=name):
                    yield f"aten::{name}"
                case tree.Attribute(
                    value=tree.Attribute(value=tree.Name(id="torch"), attr="autograd"), attr=name
                ):
                    yield f"aten::{name}"
                case tree.Attribute(
                    value=tree.Attribute(value=tree.Name(id="ops"), attr=space), attr=name
                ):
                    yield f"{space}::{name}"


def _devices(definition: Definition) -> Iterator[tuple[str, SourceRange]]:
    """Yield the devices but the CPU that the code names, each with its place."""
    for node in tree.walk(definition):
        match node:
            case tree.Call(
                func=tree.Attribute(value=tree.Name(id="torch"), attr="device"),
                args=(tree.Constant(value=str(device)), *_),
            ) if device != "cpu":
                yield device, node.range
            case tree.Call(func=tree.Attribute(value=tree.Name(id="torch"), attr="cuda")):
                yield "cuda", node.range
