"""Functions that are compiled from a text.

Source: torch/csrc/jit/python/script_init.cpp (`CompilationUnit`).
"""

from __future__ import annotations

import sys

from minits.diagnostics import error
from minits.frontend.modules.method_stubs import text_function
from minits.frontend.python.scopes import CallerScope
from minits.gc_pause import gc_paused
from minits.recursion import deep_recursion
from minits.runtime.script import ScriptFunction
from minits.source import GIVEN_AS_TEXT, SourceFile
from minits.syntax import parse_definitions


class CompilationUnit:
    """Functions compiled from texts; they are its attributes.

    A function calls those of its own text by name. Other names mean what they mean where the text
    is given to the unit: `_frames_up` calls further out.
    """

    def __init__(self, text: str = "", _frames_up: int = 0) -> None:
        self._functions: dict[str, ScriptFunction] = {}
        if text:
            self.define(text, _frames_up + 1)

    def define(self, text: str, _frames_up: int = 0) -> None:
        """Add the functions of a text. Raises `CompileError`; then nothing is added."""
        scope = CallerScope(sys._getframe(1 + _frames_up))
        with gc_paused(), deep_recursion():
            self._functions.update(self._compiled(text, scope))

    def _compiled(self, text: str, scope: CallerScope) -> dict[str, ScriptFunction]:
        for definition in parse_definitions(SourceFile(GIVEN_AS_TEXT, text)):
            if definition.name in self._functions or definition.name in scope.functions:
                raise error(
                    definition.range,
                    "TS615",
                    f"the function '{definition.name}' is defined already",
                    fix="give it another name",
                )
            scope.functions[definition.name] = text_function(definition, scope)
        return {name: ScriptFunction(each) for name, each in scope.functions.items()}

    def find_function(self, name: str) -> ScriptFunction | None:
        """Return a function, or None if there is none of that name."""
        return self._functions.get(name)

    def get_functions(self) -> list[ScriptFunction]:
        """Return all functions, in the order in which they were defined."""
        return list(self._functions.values())

    def __getattr__(self, name: str) -> ScriptFunction:
        """Return the function of a name. Raises AttributeError."""
        found = self.__dict__.get("_functions", {}).get(name)
        if found is None:
            raise AttributeError(f"the CompilationUnit has no function '{name}'")
        return found  # type: ignore[no-any-return]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._functions})
