"""The data of an inspection: records, modules, tensors, operators and findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minits.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that whoever loads the archive should know.

    `kind` is "refused" for what `minits.load` does not read, or would not read where the code that
    has it is used; "runs" for code that runs while the archive is loaded; otherwise "note".
    `subject` names the record, module, tensor or class that has it.
    """

    kind: str
    subject: str
    message: str


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """A record; `packed` is its size in the file. Sizes are in bytes."""

    name: str
    size: int
    packed: int
    is_compressed: bool


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """A tensor of a module. `role` is "parameter", "buffer" or "attribute".

    `record` has its elements; `same_as` is the path of an equal tensor, shown before; `quantizer`
    tells the scale of a quantized one.
    """

    name: str
    role: str
    dtype: str
    shape: tuple[int, ...]
    requires_grad: bool
    device: str
    record: str
    layout: str = "strided"
    same_as: str | None = None
    quantizer: str | None = None


@dataclass(slots=True)
class ModuleEntry:
    """A module, or an object of a script class.

    `methods` are signatures, `attributes` the types of what is no module; `same_as` is the path
    where the same object was shown before.
    """

    path: str
    class_name: str
    methods: dict[str, str] = field(default_factory=dict)
    tensors: list[TensorEntry] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    same_as: str | None = None


@dataclass(frozen=True, slots=True)
class OperatorEntry:
    """An operator that the code calls, and how often it stands there.

    `since` is the version of the format from which on it means what it means now, if it changed;
    `is_upgraded` says that this archive is older, so that the operator gets its older meaning.
    """

    name: str
    count: int
    since: int | None
    is_upgraded: bool
    is_known: bool


@dataclass(slots=True)
class Inspection:
    """Everything that is told of an archive. `code` is by record."""

    file: str
    size: int
    folder: str = ""
    version: int | None = None
    producer: str = "unknown"
    records: list[RecordEntry] = field(default_factory=list)
    modules: list[ModuleEntry] = field(default_factory=list)
    constants: list[TensorEntry] = field(default_factory=list)
    operators: list[OperatorEntry] = field(default_factory=list)
    extra_files: dict[str, int] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        """Return whether something was found that `minits.load` does not read."""
        return any(finding.kind == "refused" for finding in self.findings)

    def parameter_count(self) -> int:
        """Return how many elements the parameters have, each of them counted once."""
        return sum(_numel(entry.shape) for entry in self._own("parameter"))

    def _own(self, role: str) -> Iterator[TensorEntry]:
        for module in self.modules:
            for tensor in module.tensors:
                if tensor.role == role and tensor.same_as is None:
                    yield tensor

    def sizes(self) -> dict[str, int]:
        """Return the bytes in the file that each kind of record takes, of those that there are."""
        found: dict[str, int] = {}
        for record in self.records:
            kind = kind_of(record.name)
            found[kind] = found.get(kind, 0) + record.packed
        return found


def _numel(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


_KINDS = {
    "data": "weights",
    "constants": "constants",
    "code": "code",
    "extra": "extra files",
    "traced_inputs": "traced inputs",
}
_FORMAT = ("version", "byteorder", ".data/version", ".data/serialization_id")


def kind_of(record: str) -> str:
    """Return the kind of a record: "weights", "code", ...; "other" if the format lacks it."""
    if record.endswith(".debug_pkl"):
        return "ranges"
    if record in ("data.pkl", "constants.pkl", "traced_inputs.pkl"):
        return "pickles"
    if record in _FORMAT:
        return "format"
    folder, slash, _ = record.partition("/")
    return _KINDS.get(folder, "other") if slash else "other"


def as_plain(value: Any) -> Any:
    """Return the value as dicts, lists, strings and numbers, for JSON."""
    names = getattr(value, "__fields__", None)
    if names is not None:
        return {name: as_plain(getattr(value, name)) for name in names}
    match value:
        case dict():
            return {key: as_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [as_plain(item) for item in value]
    return value
