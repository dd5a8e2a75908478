"""Settings of a check: `[tool.minits]` in pyproject.toml, and what the command line adds.

[tool.minits]
include = ["src"]                      # what is checked where no path is given
exclude = ["src/generated", "*_pb2.py"]
dialect = "extended"
import = true                          # false: from the text alone
discover = ["compiled", "modules", "functions"]
programs = ["src/ops.py:*", "src/model.py:Net(8, 2)"]
select = ["TS"]
ignore = ["TS116"]
baseline = "minits-baseline.json"

[tool.minits.per-file-ignores]
"src/legacy/*" = ["TS4"]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from minits.records import dataclass, field

DIALECTS = ("torch", "extended")
DISCOVERED = ("compiled", "modules", "functions")
"""Kinds of programs that are looked for: what the file compiles, its module classes and instances,
and the functions of a file that has neither.
"""
_CODES = re.compile(r"TS\d{0,3}|T|ALL")


class SettingsError(Exception):
    """Raised for settings that are wrong; its text says which, and where they stand."""


@dataclass(eq=False, slots=True)
class Settings:
    """Settings of a run: the files and programs to check, and the codes to report.

    root: the folder of pyproject.toml, which paths and globs in it are relative to.
    programs: globs of files and what is compiled of them, a name, `*` or an expression.
    imported, libraries: modules and shared libraries that register operators; of the command line.
    """

    root: Path
    include: list[str] = field(default_factory=lambda: ["."])
    exclude: list[str] = field(default_factory=list)
    dialect: str = "torch"
    imports: bool = True
    discover: list[str] = field(default_factory=lambda: list(DISCOVERED))
    programs: list[tuple[str, str]] = field(default_factory=list)
    select: list[str] = field(default_factory=lambda: ["TS"])
    ignore: list[str] = field(default_factory=list)
    per_file_ignores: dict[str, list[str]] = field(default_factory=dict)
    baseline: Path | None = None
    imported: list[str] = field(default_factory=list)
    libraries: list[str] = field(default_factory=list)


def read_settings(start: Path, config: Path | None = None) -> Settings:
    """Return the settings of `config`, or of the nearest pyproject.toml with `[tool.minits]`.

    start: the folder that the search begins in; without such a file it is the root.
    Raises `SettingsError` for a file that cannot be read, and settings that do not exist.
    """
    if config is not None:
        return _settings(config, _table(config) or {})
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            if table is not None:
                return _settings(path, table)
    return Settings(start)


def checked_codes(codes: list[str], where: str) -> list[str]:
    """Return codes and beginnings of codes. Raises `SettingsError` for what is none."""
    for code in codes:
        if not _CODES.fullmatch(code):
            raise SettingsError(f"{where}: '{code}' is no code, such as TS402, nor begins one")
    return ["TS" if code == "ALL" else code for code in codes]


def _table(path: Path) -> dict[str, Any] | None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        parsed = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise SettingsError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError as problem:  # of TOML, or of UTF-8
        raise SettingsError(f"{path}: {problem}") from None
    tool = parsed.get("tool", {})
    table = tool.get("minits") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.minits must be a table")
    return table


def _settings(path: Path, table: dict[str, Any]) -> Settings:
    settings = Settings(path.resolve().parent)
    readers = {
        "include": _strings, "exclude": _strings, "dialect": _one_of(DIALECTS), "import": _truth,
        "discover": _some_of(DISCOVERED), "programs": _programs, "select": _codes,
        "ignore": _codes, "per-file-ignores": _ignores, "baseline": _path,
    }  # fmt: skip
    for key, value in table.items():
        where = f"{path}: tool.minits.{key}"
        if key not in readers:
            raise SettingsError(f"{where} is no setting; there are {', '.join(readers)}")
        attribute = "imports" if key == "import" else key.replace("-", "_")
        setattr(settings, attribute, readers[key](value, where))
    if settings.baseline is not None:
        settings.baseline = settings.root / settings.baseline
    return settings


def _strings(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SettingsError(f"{where} must be a list of strings")
    return value


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{where} must be true or false")
    return value


def _path(value: Any, where: str) -> Path:
    if not isinstance(value, str):
        raise SettingsError(f"{where} must be the name of a file")
    return Path(value)


def _one_of(known: tuple[str, ...]) -> Any:
    def read(value: Any, where: str) -> str:
        if value not in known:
            raise SettingsError(f"{where} must be one of {', '.join(known)}")
        return str(value)

    return read


def _some_of(known: tuple[str, ...]) -> Any:
    def read(value: Any, where: str) -> list[str]:
        for each in _strings(value, where):
            if each not in known:
                raise SettingsError(f"{where}: '{each}' is none of {', '.join(known)}")
        return list(value)

    return read


def _codes(value: Any, where: str) -> list[str]:
    return checked_codes(_strings(value, where), where)


def _ignores(value: Any, where: str) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise SettingsError(f"{where} must be a table of globs and lists of codes")
    return {glob: _codes(codes, f"{where}.{glob}") for glob, codes in value.items()}


def _programs(value: Any, where: str) -> list[tuple[str, str]]:
    pairs = [each.partition(":") for each in _strings(value, where)]
    for glob, _, name in pairs:
        if not glob or not name:
            raise SettingsError(f"{where}: '{glob}' must be a file and a name, as 'ops.py:*'")
    return [(glob, name) for glob, _, name in pairs]
