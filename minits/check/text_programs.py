"""The programs of a text that is not run: its functions, and the methods of its classes."""

from __future__ import annotations

from typing import Any

from minits.check.compiled_names import TextScan
from minits.check.own_functions import reason_for_python
from minits.check.results import Unchecked
from minits.frontend.python.text_scope import read_text
from minits.source import SourceFile


def text_programs(
    source: SourceFile, dialect: str, scan: TextScan
) -> tuple[dict[str, Any], list[Unchecked]]:
    """Return compiled functions by name, and what a text alone does not tell.

    Raises `CompileError` when it cannot be parsed.
    """
    scope = read_text(source, dialect)
    functions: dict[str, Any] = {each.name: each for each in scope.functions.values()}
    unchecked = []
    for name in list(functions):
        definition = scan.functions.get(name)
        reason = reason_for_python(definition, scan) if definition is not None else None
        if reason is not None and definition is not None:
            del functions[name]
            unchecked.append(Unchecked(name, reason, definition.lineno))
    for name, type in scope.classes.items():
        functions.update({f"{name}.{key}": method for key, method in type.methods.items()})
    for name, cls in scan.classes.items():
        if name not in scope.classes and name not in scope.tuples:
            reason = "its instances are known only where the file is imported"
            unchecked.append(Unchecked(name, reason, cls.lineno))
    return functions, unchecked
