"""The modules and tensors that a pickle describes, told without making any of them.

The classes' own code says which attributes are parameters and buffers; classes that the archive
lacks are shown as the pickle has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from minits.archive.errors import ArchiveError
from minits.archive.inspecting.inspection import Finding, ModuleEntry, TensorEntry
from minits.archive.pickling.descriptions import (
    DictOf,
    EnumOf,
    ListOf,
    ObjectOf,
    SparseOf,
    StorageOf,
    TensorOf,
)
from minits.archive.pickling.globals import (
    CPP_CLASSES,
    PACKED_CLASSES,
    STORAGES,
    is_of_library,
)
from minits.archive.reading.class_bodies import ClassBody, read_body
from minits.archive.reading.code_files import CodeFiles
from minits.identity import Identity
from minits.syntax import tree


class ContentsReader:
    """Goes through what one pickle describes; everything is visited once.

    `folder` has the storages. `classes` are the names of the classes that were met.
    """

    def __init__(self, files: CodeFiles, folder: str) -> None:
        self.files, self.folder = files, folder
        self.modules: list[ModuleEntry] = []
        self.storages: dict[str, StorageOf] = {}
        self.findings: list[Finding] = []
        self.classes: dict[str, ClassBody | None] = {}
        self._limit = 2 * files.container.limits.nesting
        self._paths: dict[Identity, str] = {}
        self._seen: set[Identity] = set()

    # ---- Objects -------------------------------------------------------------------------------

    def read_root(self, root: Any) -> None:
        """Enter the root and all objects below it, in the order of the pickle."""
        if not isinstance(root, ObjectOf):
            self._find("refused", "the archive holds no module")
            return
        waiting = [("", root)]
        while waiting:
            path, described = waiting.pop()
            below = self._object(path, described)
            waiting += reversed(below)

    def _object(self, path: str, described: ObjectOf) -> list[tuple[str, ObjectOf]]:
        """Enter one object and return those that it refers to."""
        entry = ModuleEntry(path, described.class_name)
        self.modules.append(entry)
        if Identity(described) in self._paths:
            entry.same_as = self._paths[Identity(described)]
            return []
        self._paths[Identity(described)] = path
        if path.count(".") >= self._limit:
            self._find("refused", f"{path[:80]}... is nested too deeply")
            return []
        body = self._class(described.class_name)
        if body is not None:
            entry.methods = {n: _signature(method) for n, method in body.methods.items()}
        if not isinstance(described.state, DictOf):
            state = "the state"
            return list(self._parts(entry, path, state, described.state, "attribute"))
        below: list[tuple[str, ObjectOf]] = []
        for name, value in described.state.items:
            role = _role(body, name)
            below += self._parts(entry, _joined(path, str(name)), str(name), value, role)
            if body is not None and str(name) in body.attributes:
                entry.attributes[str(name)] = body.attributes[str(name)].range.text[:200]
        return below

    def _parts(
        self, entry: ModuleEntry, path: str, name: str, value: Any, role: str
    ) -> Iterator[tuple[str, ObjectOf]]:
        """Enter the tensors of an attribute's value, and yield its objects with their paths."""
        waiting = [(path, name, value)]
        while waiting:
            path, name, value = waiting.pop()
            match value:
                case ObjectOf():
                    yield path, value
                case TensorOf() | SparseOf():
                    entry.tensors.append(self.tensor(path, name, value, role))
                case ListOf(items=items) | tuple(items):
                    waiting += reversed(self._items(path, name, value, enumerate(items)))
                case DictOf(items=items):
                    waiting += reversed(self._items(path, name, value, items))
                case EnumOf(class_name=class_name):
                    self._class(class_name)

    def _items(self, path: str, name: str, value: Any, items: Any) -> list[tuple[str, str, Any]]:
        """Return the items of a container that was not met before, with their paths and names."""
        if Identity(value) in self._seen or len(path) > 100 * self._limit:
            return []
        self._seen.add(Identity(value))
        return [(f"{path}[{_key(key)}]", f"{name}[{_key(key)}]", item) for key, item in items]

    # ---- Classes -------------------------------------------------------------------------------

    def _class(self, name: str) -> ClassBody | None:
        if name not in self.classes:
            self.classes[name] = self._read_class(name)
        return self.classes[name]

    def _read_class(self, name: str) -> ClassBody | None:
        if name in PACKED_CLASSES or is_of_library(name):
            return None
        if name.startswith(CPP_CLASSES):
            self._find("refused", f"it has an object of the C++ class {name}")
            return None
        try:
            definition = self.files.find(name)
            if isinstance(definition, tree.ClassDef):
                body = read_body(definition)
                if "__getstate__" in body.methods and "__setstate__" in body.methods:
                    self._find("runs", "its __setstate__ runs when the archive is loaded", name)
                return body
        except ArchiveError:
            return None  # the code's own finding says why
        self._find("refused", f"its code does not define the class {name}")
        return None

    # ---- Tensors -------------------------------------------------------------------------------

    def tensor(
        self, path: str, name: str, described: TensorOf | SparseOf, role: str
    ) -> TensorEntry:
        """Return the entry of a tensor, and note its storages."""
        same_as = self._paths.get(Identity(described))
        self._paths.setdefault(Identity(described), path)
        if isinstance(described, SparseOf):
            layout = "sparse_coo" if len(described.parts) == 2 else "sparse_csr"
            storages = [part.storage for part in described.parts]
        else:
            layout, storages = "strided", [described.storage]
            if described.quantizer is not None:
                layout, *numbers = described.quantizer
                storages = [*(n.storage for n in numbers if isinstance(n, TensorOf)), *storages]
        for storage in storages:
            self._note(storage)
        values = storages[-1]
        return TensorEntry(
            name,
            role,
            STORAGES.get(values.dtype, values.dtype),
            described.size,
            described.requires_grad,
            values.device,
            f"{self.folder}/{values.key}",
            layout,
            same_as,
            _quantizer(described),
        )

    def constants(self, name: str, described: Any) -> Iterator[TensorEntry]:
        """Yield the entries of a constant: a tensor, or those that an object of C++ packs."""
        if isinstance(described, (TensorOf, SparseOf)):
            yield self.tensor(name, name, described, "constant")
        elif isinstance(described, ObjectOf) and described.class_name in PACKED_CLASSES:
            below = ModuleEntry(name, described.class_name)
            label = f"{name}: {described.class_name.rpartition('.')[2]}"
            list(self._parts(below, label, label, described.state, "constant"))
            yield from below.tensors

    def _note(self, storage: StorageOf) -> None:
        record = f"{self.folder}/{storage.key}"
        known = self.storages.setdefault(record, storage)
        if (known.dtype, known.numel) != (storage.dtype, storage.numel):
            self._find("refused", "the storage is described twice, differently", record)

    def _find(self, kind: str, message: str, subject: str | None = None) -> None:
        self.findings.append(Finding(kind, subject or f"{self.folder}.pkl", message))


def _quantizer(described: TensorOf | SparseOf) -> str | None:
    """Return the scale and zero point of a quantized tensor, or the axis of its scales, as text."""
    if isinstance(described, SparseOf) or described.quantizer is None:
        return None
    numbers = described.quantizer[1:]
    if len(numbers) == 2:
        return f"scale {_short(numbers[0])}, zero point {_short(numbers[1])}"
    return f"scales along axis {_short(numbers[2])}"


def _short(number: Any) -> str:
    return f"{number:.6g}" if isinstance(number, (int, float)) else "?"


def _signature(method: tree.FunctionDef) -> str:
    """Return `(x: Tensor) -> Tensor`, as the code has it, without `self`."""
    text = method.range.source.text[method.range.start : method.body[0].range.start]
    text = " ".join(text.partition("(")[2].rstrip().rstrip(":").split())
    return f"({re.sub(r'^self: [^,)]*(, )?', '', text)}"


def _role(body: ClassBody | None, name: Any) -> str:
    if body is not None and name in body.lists.get("__parameters__", ()):
        return "parameter"
    if body is not None and name in body.lists.get("__buffers__", ()):
        return "buffer"
    return "attribute"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _key(key: Any) -> str:
    return repr(key)[:80] if isinstance(key, (int, str, float)) else key.__class__.__name__
