"""All faults of one file: `check_file` is what others call, such as a language server.

result = check_file(Path("model.py"), Settings(Path.cwd()))
result.diagnostics, result.programs, result.unchecked
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch import nn

from minits.api import script
from minits.check.compiled_names import TextScan, scan_text
from minits.check.discovery import UNNAMED, Discovery, Found, Program, child_instances
from minits.check.file_faults import not_utf8, run_failure, unreadable
from minits.check.instances import NotMade
from minits.check.results import FileResult, NoProgram, Unchecked, fault_key
from minits.check.running import Session, line_range, place_of, quiet
from minits.check.settings import Settings
from minits.check.user_places import at_user_place
from minits.compilation_state import STATE
from minits.diagnostics import CompileError, Diagnostic, Note, error
from minits.internal_error import InternalError, internal_errors
from minits.library_files import is_library
from minits.records import replace
from minits.recursion import deep_recursion
from minits.source import SourceFile, SourceRange, read_regular
from minits.syntax import parse_program

ARCHIVES = (".pt", ".pth")


def check_file(
    path: Path,
    settings: Settings,
    *,
    names: tuple[str, ...] = (),
    is_named: bool = True,
    text: str | None = None,
    session: Session | None = None,
) -> FileResult:
    """Return the faults of a file, and what was compiled and what was not.

    path: absolute, or `<stdin>`; a Python file, IR (`.ir`) or an archive (`.pt`).
    names: what to compile; all programs if there are none.
    is_named: whether the file is named, and not its folder or a glob; then its functions are
        programs if it compiles nothing and defines no module.
    text: the file's text, where it is not the one on disk.
    session: that of the files checked before, whose modules stay imported.

    Raises `NoProgram` for a name that the file does not have.
    """
    if session is None:
        with Session(settings.dialect) as own:
            return check_file(
                path, settings, names=names, is_named=is_named, text=text, session=own
            )
    result, known = FileResult(str(path)), len(session.warnings)
    try:
        with internal_errors("minits check"):
            if path.suffix in ARCHIVES and text is None:
                from minits.check.archives import check_archive

                check_archive(path, result)
            else:
                source = read_source(path) if text is None else SourceFile(str(path), text)
                _FileCheck(source, settings, result, session).check(names, is_named)
    except OSError as problem:
        result.add(unreadable(str(path), problem).diagnostics)
    except CompileError as fault:
        result.add(fault.located(SourceRange.at(str(path), 1, 0)).diagnostics)
    except InternalError as failure:
        result.internal.append(str(failure))
    result.add(_own_warnings(session.warnings, str(path), known))
    result.diagnostics.sort(key=_order)
    return result


def _own_warnings(found: list[Diagnostic], path: str, known: int) -> Iterator[Diagnostic]:
    """Yield the new warnings of the user's files, and of the `known` ones those of this file."""
    for number, each in enumerate(found):
        assert each.range is not None, "a warning is of a place"
        filename = each.range.source.filename
        if filename == path or (number >= known and not is_library(filename)):
            yield each


def read_source(path: Path) -> SourceFile:
    """Read a file. Raises `CompileError` where it cannot be read, or is not UTF-8."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # it is a fault that its files cannot be found
        return SourceFile.of_bytes(path, read_regular(path))
    except OSError as problem:
        raise unreadable(str(path), problem) from None
    except UnicodeDecodeError as problem:
        raise not_utf8(str(path), problem) from None


def _order(diagnostic: Diagnostic) -> tuple[str, int, int]:
    assert diagnostic.range is not None
    return (diagnostic.range.source.filename, *diagnostic.range.begin)


class _FileCheck:
    """The check of one text."""

    def __init__(
        self, source: SourceFile, settings: Settings, result: FileResult, session: Session
    ) -> None:
        self.source = source
        self.path = source.filename
        self.settings = settings
        self.result = result
        self.session = session
        self.led_to_library: set[tuple[str, int, int, str]] = set()
        self.failed: set[str] = set()
        """The names of the functions and classes of programs that have faults."""

    def check(self, names: tuple[str, ...], is_named: bool) -> None:
        """Fill the result. Raises `CompileError` for faults that end the check."""
        if self.path.endswith(".ir"):
            self._check_ir()
            return
        scan = self._scan()
        named = list(names) or self._configured()
        if not self.settings.imports:
            self._check_text(scan, names)
        elif named or is_named or _has_programs(scan):
            self._check_module(scan, names, named, is_named)
        elif scan.concerns_torch:
            self.result.unchecked += [
                Unchecked(name, UNNAMED, definition.lineno)
                for name, definition in scan.functions.items()
            ]

    def _scan(self) -> TextScan:
        """Return the scan of the text. Raises `CompileError` where it is no Python."""
        try:
            parsed = ast.parse(self.source.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            parse_program(self.source)
            raise run_failure(
                place_of(self.source, problem), problem, "Python cannot read the file"
            ) from None
        return scan_text(parsed)

    def _configured(self) -> list[str]:
        from pathspec import GitIgnoreSpec

        from minits.check.files import path_in_project

        relative = path_in_project(self.path, self.settings.root)
        return [
            name
            for glob, name in self.settings.programs
            if GitIgnoreSpec.from_lines([glob]).match_file(relative)
        ]

    def _check_ir(self) -> None:
        from minits.ir.parser import parse_graph
        from minits.ir.verifier import InvalidIR, verify

        try:
            verify(parse_graph(self.source.text, self.path))
        except InvalidIR as broken:
            raise error(line_range(self.source, 1), "TS906", str(broken)) from None
        self.result.programs.append("graph")

    def _check_text(self, scan: TextScan, names: tuple[str, ...]) -> None:
        from minits.check.text_programs import text_programs

        functions, unchecked = text_programs(self.source, self.settings.dialect, scan)
        if names:
            self._require(names, functions)
        self.result.unchecked += unchecked if not names else []
        for name, function in functions.items():
            if not names or name in names:
                self._compile(Program(name, function, 1), function.ensure_defined)

    def _require(self, names: tuple[str, ...], known: dict[str, Any]) -> None:
        for name in names:
            if name not in known:
                raise NoProgram(f"{self.path} defines no '{name}'")

    def _check_module(
        self, scan: TextScan, names: tuple[str, ...], named: list[str], is_named: bool
    ) -> None:
        try:
            module = self.session.module_of(self.source)
        except CompileError as fault:
            self._recorded()
            if not self.result.diagnostics:  # else it may follow from those
                raise fault
            return
        recorded = self.session.compiled.get(self.path, []) if not names else []
        discovery = Discovery(module, scan, self.settings.discover, is_named)
        with quiet(self.path):
            for name in named:
                self._find_named(discovery, name)
            if not names:
                values = [each for done in recorded for each in (done.value, done.result)]
                discovery.all(values)
        found = discovery.found
        if not names:
            self._recorded()
            self.result.unchecked += found.unchecked
        self._failed(found)
        for program in found.programs:
            self._compile(program, lambda p=program: self._script(p.value))
            if self.result.diagnostics and isinstance(program.value, nn.Module):
                for child in child_instances(program.value, discovery.names):
                    part = replace(program, name=type(child).__name__, value=child)
                    self._compile(part, lambda c=child: self._script(c), counts=False)
        used = {node.id for node in ast.walk(scan.tree) if isinstance(node, ast.Name)}
        called = {name for name in used if STATE.functions.get(discovery.names.get(name))}
        called |= _reached(scan, self.failed)  # what these compiled was taken back
        self.result.unchecked = [
            each
            for each in self.result.unchecked
            if each.reason != UNNAMED or each.name not in called
        ]

    def _find_named(self, discovery: Discovery, name: str) -> None:
        try:
            discovery.named(name)
        except LookupError:
            raise NoProgram(f"{self.path} has no '{name}'") from None
        except NotMade as why:
            raise NoProgram(
                f"{name} needs arguments ({why}): give them with --module '{name}(...)'"
            ) from None

    def _script(self, value: Any) -> Any:
        return script(value, dialect=self.settings.dialect)

    def _recorded(self) -> None:
        """Add what the file compiled when it was run."""
        for done in self.session.compiled.get(self.path, []):
            name = getattr(done.value, "__qualname__", type(done.value).__name__)
            self._add(Program(name, done.value, done.line), done.faults)
            self.result.programs.append(name)
            self.result.internal += [done.internal] if done.internal else []

    def _failed(self, found: Found) -> None:
        """Add what making a module object raised, which Python would raise as well."""
        for name, line, problem in found.failed:
            if isinstance(problem, CompileError):
                self._add(Program(name, None, line), problem.diagnostics)
            else:
                fault = run_failure(
                    place_of(self.source, problem), problem, f"making a {name} failed"
                )
                self._add(Program(name, None, line), fault.diagnostics)

    def _compile(self, program: Program, compile: Any, counts: bool = True) -> None:
        if counts:
            self.result.programs.append(program.name)
        try:
            with internal_errors("minits check"), deep_recursion():
                compile()
        except CompileError as fault:
            value = program.value
            self.failed.add(getattr(value, "__name__", type(value).__name__))
            self._add(program, fault.diagnostics)
        except InternalError as failure:
            self.result.internal.append(str(failure))
        except Exception as problem:
            if counts:
                why = f"its own Python raised {type(problem).__name__}: {problem}"
                self.result.programs.remove(program.name)
                self.result.unchecked.append(Unchecked(program.name, why, program.line))

    def _add(self, program: Program, faults: Any) -> None:
        default = line_range(self.source, program.line)
        found = []
        for each in faults:
            moved = at_user_place(each, program.value, self.path, default)
            if moved.range is not each.range and each.range is not None:
                place = fault_key(replace(moved, code=""))
                if place in self.led_to_library:
                    continue  # one fault of the library is enough for a line that calls it
                self.led_to_library.add(place)
            found.append(moved)
        if program.expression:
            note = Note(f"checked as {program.expression}")
            found = [replace(each, notes=(*each.notes, note)) for each in found]
        self.result.add(found)


def _reached(scan: TextScan, names: set[str]) -> set[str]:
    """Return the names of the file's functions that these definitions use, directly or not."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        definition = scan.functions.get(name) or scan.classes.get(name)
        if definition is not None and name not in reached:
            reached.add(name)
            waiting += [each.id for each in ast.walk(definition) if isinstance(each, ast.Name)]
    return reached


def _has_programs(scan: TextScan) -> bool:
    """Return whether a file may define programs, so that it has to be run.

    A script that trains a module of another file is not run.
    """
    has_classes = any(cls.bases for cls in scan.classes.values())
    names_torch = scan.concerns_torch or any(map(_has_forward, scan.classes.values()))
    return names_torch and (scan.compiles or has_classes or scan.has_examples)


def _has_forward(cls: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "forward" for each in cls.body)
