"""The definition of the name at a position: of a variable, function, class, method or attribute.

What the text says is enough for most names, so that they are found in functions that do not
compile, too; the type of an object is asked of the record. Names that are imported are looked up in
the file that has them, if it lies beside this one or in a package around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from minits.diagnostics import CompileError
from minits.frontend.values.builtins import FunctionValue
from minits.queries.bindings import attribute_range, bindings, members, name_range
from minits.queries.record import Record, contains, offset_of
from minits.queries.type_at import typed_at
from minits.source import Position, SourceFile, SourceRange
from minits.syntax import parse_module, tree
from minits.types import types as t


def definition_at(module: tree.Module, record: Record, position: Position) -> SourceRange | None:
    """Return the range of the name where what stands at a position is defined."""
    path = _path_to(module, position)
    if path is None:
        return None
    match path[-1]:
        case tree.Name(id=name):
            return _of_name(module, path, name, record, position)
        case tree.Attribute(attr=name) as node if contains(attribute_range(node), position):
            return _of_attribute(module, path, node, name, record)
        case tree.FunctionDef() | tree.ClassDef() as definition:
            found = name_range(definition)
            return found if contains(found, position) else None
        case tree.arg() as parameter:
            start = parameter.range.start
            return SourceRange(parameter.range.source, start, start + len(parameter.arg))
        case tree.alias(name=name):
            imported = next(each for each in reversed(path) if isinstance(each, tree.stmt))
            return _in_file(module.range.source, imported, name)
    return None


def _path_to(module: tree.Module, position: Position) -> list[tree.Node] | None:
    """Return the nodes around a position, from the outside in."""
    offset = offset_of(module.range.source, position)
    if offset is None:
        return None
    path: list[tree.Node] = [module]
    while True:
        inner = [
            child
            for child in tree.children(path[-1])
            if child.range.start <= offset <= child.range.end
        ]
        if not inner:
            return path
        path.append(min(inner, key=lambda each: each.range.end - each.range.start))


def _of_name(
    module: tree.Module, path: list[tree.Node], name: str, record: Record, position: Position
) -> SourceRange | None:
    use = path[-1].range
    functions = [each for each in path if isinstance(each, tree.FunctionDef)]
    for function in reversed(functions):
        found = [loc for bound, loc in bindings(function) if bound == name]
        if found:
            before = [loc for loc in found if loc.start <= use.start]
            return _through_import(module, function, name, before[-1] if before else found[0])
    for bound, loc in bindings(module):
        if bound == name:
            return _through_import(module, module, name, loc)
    return _of_function(record, position)


def _of_function(record: Record, position: Position) -> SourceRange | None:
    """Return where the compiler has found a function, such as one of torch's, in its file."""
    typed = typed_at(record, position)
    if typed is None or not isinstance(typed.value, FunctionValue):
        return None
    return name_range(typed.value.callees[0].definition)


def _of_attribute(
    module: tree.Module, path: list[tree.Node], node: tree.Attribute, name: str, record: Record
) -> SourceRange | None:
    cls = _class_of(module, path, node.value, record)
    if cls is not None:
        return _member(module, cls, name)
    if isinstance(node.value, tree.Name):
        for statement in module.body:
            if isinstance(statement, (tree.Import, tree.ImportFrom)):
                for alias in statement.names:
                    if (alias.asname or alias.name) == node.value.id:
                        found = _in_file(module.range.source, statement, alias.name, name)
                        if found is not None:
                            return found
    return _of_function(record, node.range.source.position(node.range.end))


def _class_of(
    module: tree.Module, path: list[tree.Node], base: tree.expr, record: Record
) -> tree.ClassDef | None:
    """Return the class, of this file, of which an expression is an object, or which it names."""
    if isinstance(base, tree.Name):
        around = [each for each in path if isinstance(each, (tree.ClassDef, tree.FunctionDef))]
        match around[:2]:
            case [tree.ClassDef() as cls, tree.FunctionDef(args=arguments)] if arguments.args:
                if arguments.args[0].arg == base.id:
                    return cls
        if (named := _class(module, base.id)) is not None:
            return named
    typed = typed_at(record, base.range.source.position(base.range.end))
    match typed.type if typed is not None and typed.range == base.range else None:
        case t.ClassType(name=name) | t.TupleType(name=str(name)):
            return _class(module, name.rpartition(".")[2])
    return None


def _class(module: tree.Module, name: str) -> tree.ClassDef | None:
    classes = (each for each in module.body if isinstance(each, tree.ClassDef))
    return next((each for each in classes if each.name == name), None)


def _member(module: tree.Module, cls: tree.ClassDef, name: str) -> SourceRange | None:
    """Return where a class, or one that it inherits from in this file, defines a member."""
    for each in _with_bases(module, cls):
        for member, loc in members(each):
            if member == name:
                return loc
    return None


def _with_bases(module: tree.Module, cls: tree.ClassDef) -> Iterator[tree.ClassDef]:
    seen: list[tree.ClassDef] = []
    classes = [cls]
    while classes:
        here = classes.pop(0)
        if here in seen:
            continue
        seen.append(here)
        yield here
        bases = [_class(module, base.id) for base in here.bases if isinstance(base, tree.Name)]
        classes += filter(None, bases)


# ---- Other files ---------------------------------------------------------------------------------


def _through_import(
    module: tree.Module, scope: tree.Module | tree.FunctionDef, name: str, loc: SourceRange
) -> SourceRange:
    """Return the definition in its own file of a name that is imported at `loc`, or `loc`."""
    for node in tree.walk(scope):
        if isinstance(node, (tree.Import, tree.ImportFrom)):
            for alias in node.names:
                if alias.range == loc:
                    return _in_file(module.range.source, node, alias.name) or loc
    return loc


def _in_file(
    source: SourceFile, imported: tree.Node, name: str, member: str | None = None
) -> SourceRange | None:
    """Return the file that an import of `name` means, or its definition there, or its member's."""
    match imported:
        case tree.Import():
            files = _files(source, name, 0)
        case tree.ImportFrom(module=package, level=level):
            if member is None:
                for file in _files(source, package or "", level):
                    if (found := _defined_in(file, name)) is not None:
                        return found
            files = _files(source, ".".join(filter(None, (package, name))), level)
        case _:
            return None
    for file in files:
        if member is not None:
            return _defined_in(file, member)
        return SourceRange(SourceFile(str(file), ""), 0, 0)
    return None


def _files(source: SourceFile, dotted: str, level: int) -> Iterator[Path]:
    """Yield the file of a module, if it is beside this one or in a package around it."""
    folder = Path(source.filename).parent
    folders = [folder.joinpath(*[".."] * (level - 1))] if level else [folder]
    while not level and (folders[-1] / "__init__.py").is_file():
        folders.append(folders[-1].parent)
    for root in folders:
        path = root.joinpath(*dotted.split(".")) if dotted else root
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                yield file


def _defined_in(file: Path, name: str) -> SourceRange | None:
    try:
        module = parse_module(SourceFile.read(file))
    except (OSError, UnicodeDecodeError, CompileError):
        return None
    return next((loc for bound, loc in bindings(module) if bound == name), None)
