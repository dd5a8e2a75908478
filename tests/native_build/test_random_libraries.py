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
from tests.native.test_random_programs_as_c import ARGUMENTS, Maker
from tests.support.agreement import comparable
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()
IN_PART = ("aten::index failed", "aten::rindex failed", "aten::hash failed")
"""Messages that hang on operands in ways of which a library tells the operator alone."""


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return comparable(function(*deepcopy(arguments)))
    except RuntimeError as error:
        return class_name_of(error), message_of(error)


@pytest.mark.one_in(8)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", [*range(1000, 1012), 1117])
def test_agrees(seed: int) -> None:
    source = Maker(seed).source()
    try:
        function = minits.CompilationUnit(source).f
    except minits.CompileError:
        pytest.skip("the program is at fault")
    graph, model = function.graph_after(["optimize"]), library(function)
    for arguments in ARGUMENTS:
        found = outcome(model.f, arguments)
        expected = outcome(lambda *values: run(graph, *values), arguments)
        assert found == expected or found[1] in IN_PART, source
