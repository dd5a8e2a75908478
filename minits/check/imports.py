"""The files that a file imports, those that its imports import included.

They are read from the texts, with `ast`: a result that is cached depends on them. Files that are
looked for and not there belong to them as well, since one that comes to be would be imported.
"""

from __future__ import annotations

import ast
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from minits.library_files import is_library
from minits.source import read_regular

_IGNORED = frozenset(sys.stdlib_module_names) | {"torch", "minits"}


def qualified_name(path: Path) -> tuple[str, Path]:
    """Return the dotted name of a file's module, and the folder that it is to be imported from."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def dependencies(path: Path, text: str) -> list[str]:
    """Return the files that the answers about a file depend on, itself left out."""
    found: dict[str, None] = {}
    pending = [(path, text)]
    while pending:
        importer, source = pending.pop()
        for candidate in _imported_files(importer, source):
            if candidate in found or candidate == str(path):
                continue
            found[candidate] = None
            if not is_library(candidate):
                try:
                    text = read_regular(candidate).removeprefix(BOM_UTF8).decode("utf-8")
                    pending.append((Path(candidate), text))
                except (OSError, UnicodeDecodeError):
                    continue  # it is not there, or is no Python
    return list(found)


def _imported_files(path: Path, text: str) -> Iterator[str]:
    name, root = qualified_name(path)
    parts = name.split(".")
    yield from (str(root.joinpath(*parts[:i], "__init__.py")) for i in range(1, len(parts)))
    package = parts if path.stem == "__init__" else parts[:-1]
    for imported in dict.fromkeys(_imported_names(text, package)):
        if imported.partition(".")[0] not in _IGNORED:
            yield from _candidates(imported, root)


def _imported_names(text: str, package: list[str]) -> Iterator[str]:
    """Yield the dotted names of modules, and of what may be one: `from a import b` names a.b."""
    try:
        parsed = ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*module, alias.name]) for alias in node.names)


def _candidates(name: str, root: Path) -> tuple[str, ...]:
    """Return the files that an import of a name looks for; of a library, its first one."""
    parts = name.split(".")
    own = _python_files(root, parts[:1])
    if not any(Path(each).is_file() for each in own) and not (root / parts[0]).is_dir():
        origin = _installed(parts[0])
        if origin is None or is_library(origin):
            return (*own, origin) if origin else own
        file = Path(origin)
        root = file.parents[1] if file.stem == "__init__" else file.parent
    return tuple(file for i in range(len(parts)) for file in _python_files(root, parts[: i + 1]))


def _python_files(root: Path, parts: list[str]) -> tuple[str, str]:
    module = str(root.joinpath(*parts))
    return f"{module}.py", str(Path(module, "__init__.py"))


def _installed(name: str) -> str | None:
    """Return the first file of a module that Python finds, without importing it."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None or not spec.has_location:
        return None
    return spec.origin
