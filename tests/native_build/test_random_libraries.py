"""Programs of numbers and containers made at random: libraries give what the interpreter gives.

Results, the classes of errors and their messages.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import minits
from minits.codegen.script_traceback import class_name_of, message_of
from minits.runtime.interpreter import run
from tests.native.test_random_programs_as_c import ARGUMENTS, PARAMETERS, RESULTS, START, Maker
from tests.support.agreement import comparable
from tests.support.native_libraries import library, need_compiler

need_compiler()
IN_PART = ("aten::index failed", "aten::rindex failed", "aten::hash failed")
"""Messages that hang on operands in ways of which a library tells the operator alone."""


class RealMaker(Maker):
    """Makes programs without complex numbers, which the header of libraries does not have."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.type = self.random.choice([each for each in RESULTS if "complex" not in each])

    def source(self) -> str:
        source = super().source()
        for complex_part in (PARAMETERS[PARAMETERS.index(", w: complex") :], START[-1]):
            source = source.replace(complex_part, "")
        return source

    def of_complex(self) -> str:
        return self.of_numbers()


COMPLEX_ARGUMENTS = 4


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return comparable(function(*deepcopy(arguments)))
    except RuntimeError as error:
        return class_name_of(error), message_of(error)


@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", range(1000, 1012))
def test_agrees(seed: int) -> None:
    source = RealMaker(seed).source()
    try:
        function = minits.CompilationUnit(source).f
    except minits.CompileError:
        pytest.skip("the program is at fault")
    graph, model = function.graph_after(["optimize"]), library(function)
    for every in ARGUMENTS:
        arguments = every[:-COMPLEX_ARGUMENTS]
        found = outcome(model.f, arguments)
        expected = outcome(lambda *values: run(graph, *values), arguments)
        assert found == expected or found[1] in IN_PART, source
