"""Programs made at random of functions that call each other several times.

C gives what the interpreter gives, and tells of errors what C without calls tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

import minits
from minits.codegen.script_traceback import raise_explained
from minits.native.function import NativeFunction
from minits.runtime.interpreter import run
from tests.native.test_random_programs_as_c import ARGUMENTS, HELPERS, PARAMETERS, START, Maker
from tests.support.agreement import comparable
from tests.support.needs import need_compiler

need_compiler()
NAMES = re.findall(r"(\w+): ", PARAMETERS)
RESULT = "Tuple[int, float, List[int], str, Dict[str, int]]"
COUNTS: dict[int, int] = {}


class CallMaker(Maker):
    """Makes functions `h0`, `h1` and `f`; each calls those before it, in branches and loops."""

    names: Sequence[str] = NAMES

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.known: list[str] = []

    def source(self) -> str:
        parts = [HELPERS]
        for name, depth in (("h0", 1), ("h1", 1), ("f", 2)):
            start = [f"    {each}" for each in START]
            lines = [*start, *self.block(depth, 1), f"    return {self.result()}", ""]
            parts.append("\n".join([f"def {name}({PARAMETERS}) -> {RESULT}:", *lines]))
            self.known.append(name)
        return "\n".join(parts)

    def result(self) -> str:
        return self.random.choice(
            ("a, x, ks, s, counts", "b, y, ms, u, others", "len(ks), x, ls, 'é', counts")
        )

    def block(self, depth: int, indent: int) -> list[str]:
        lines = super().block(depth, indent)
        more = [self.call() for _ in range(2) if self.known and self.is_likely(0.4)]
        return [*lines, *(f"{'    ' * indent}{each}" for each in more)]

    def call(self) -> str:
        """Return a call of a function before, of variables and other values."""
        other = {"a": self.integer(), "x": self.real(), "ks": "ls", "s": "u", "p": self.condition()}
        given = [other.get(each, each) if self.is_likely(0.4) else each for each in self.names]
        name = self.random.choice(self.known)
        targets = self.random.choice(("a, x, ks, s, counts", "b, y, ms, u, others"))
        return f"{targets} = {name}({', '.join(given)})"


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the result, or the class and message of the error, and the calls that it tells."""
    try:
        return (comparable(function(*deepcopy(arguments))),)
    except RuntimeError as error:
        kind, message = type(error).__name__, str(error)
        try:
            raise_explained(error)
        except RuntimeError as explained:
            return kind, message, str(explained)


@pytest.mark.one_in(16)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", range(40))
def test_agrees(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = CallMaker(seed).source()
    try:
        function = minits.CompilationUnit(source).f
    except minits.CompileError:
        pytest.skip("the program is at fault")
    graph = function.graph_after(["optimize"])
    native = NativeFunction(graph, "f")
    COUNTS[seed] = len(native._printer.callees)
    monkeypatch.setattr("minits.native.printer.outline_calls", lambda *given, **options: None)
    inlined = NativeFunction(graph, "f")
    for arguments in ARGUMENTS:
        found = outcome(native, arguments)
        assert found == outcome(inlined, arguments), source
        assert found[:2] == outcome(lambda *values: run(graph, *values), arguments)[:2], source


def test_some_have_calls() -> None:
    """Each process has run some of the programs, in the default run few."""
    assert len(COUNTS) < 5 or any(COUNTS.values())
