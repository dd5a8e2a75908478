"""`import` inside a function, in the extended dialect: done while compiling.

    if torch.jit.is_scripting():       The name stands for the package, or what it has of that name,
        import math                    as a global of the function's file would. The other branch is
        y = math.sqrt(x)               not compiled, and imports nothing.

A text that is not run imports nothing; there the names are those that it may import at its top.
"""

from __future__ import annotations

import importlib
from typing import Any

from minits.diagnostics import error
from minits.frontend.python.python_values import to_sugared
from minits.frontend.python.scopes import ClosureScope, PythonScope
from minits.frontend.python.text_scope import imported_names
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.sugared_value import SugaredValue
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin


def emit_import(emitter: Emitter, statement: tree.Import | tree.ImportFrom) -> bool:
    """Bind the names that an import binds. Raises `CompileError` (TS715)."""
    loc, scope = origin(statement), emitter.scope
    if isinstance(scope, PythonScope):
        names = _imported(statement, scope)
        emitter.scope = _ImportScope(scope, names)
    else:
        names = imported_names(statement)
    for alias in statement.names:
        name = alias.asname or alias.name.partition(".")[0]
        if name not in names:
            message = f"{alias.name} is not known where the file is not run"
            raise error(loc, "TS715", message, fix="compile without --no-import")
        value = to_sugared(names[name], loc, emitter, is_constant=True)
        emitter.environment.set(loc, name, value)
    return True


def _imported(statement: tree.Import | tree.ImportFrom, scope: PythonScope) -> dict[str, Any]:
    """Run an import and return the objects by the names that it binds. Raises `CompileError`."""
    try:
        if isinstance(statement, tree.Import):
            return dict(map(_module, statement.names))
        base = _base_module(statement, scope)
        return {alias.asname or alias.name: _member(base, alias.name) for alias in statement.names}
    except Exception as fault:  # whatever the imported file raises
        why = f"{type(fault).__name__}: {fault}"
        raise error(
            origin(statement),
            "TS715",
            f"this import failed while the function was compiled: {why}",
            fix="put it where it does not fail, or behind `if not torch.jit.is_scripting()`",
        ) from fault


def _module(alias: tree.alias) -> tuple[str, Any]:
    """`import a.b` binds `a`, `import a.b as c` binds `c` to `a.b`."""
    module = importlib.import_module(alias.name)
    if alias.asname is not None:
        return alias.asname, module
    root = alias.name.partition(".")[0]
    return root, importlib.import_module(root)


def _base_module(statement: tree.ImportFrom, scope: PythonScope) -> Any:
    package = None
    while isinstance(scope, _ImportScope):
        scope = scope.around
    if isinstance(scope, ClosureScope):
        package = scope.function.__globals__.get("__package__")
    return importlib.import_module("." * statement.level + (statement.module or ""), package)


def _member(module: Any, name: str) -> Any:
    if not hasattr(module, name):
        try:
            importlib.import_module(f"{module.__name__}.{name}")
        except ModuleNotFoundError:
            raise ImportError(f"cannot import name '{name}' from '{module.__name__}'") from None
    return getattr(module, name)


class _ImportScope(PythonScope):
    """The scope of annotations after an import: imported names, then the scope `around`."""

    def __init__(self, around: PythonScope, imported: dict[str, Any]) -> None:
        super().__init__(around.dialect)
        self.around, self.imported = around, imported

    def lookup(self, name: str) -> Any:
        return self.imported[name] if name in self.imported else self.around.lookup(name)

    def names(self) -> list[str]:
        return [*self.imported, *self.around.names()]

    def value(self, name: str, loc: SourceRange, emitter: Emitter) -> SugaredValue | None:
        return self.around.value(name, loc, emitter)
