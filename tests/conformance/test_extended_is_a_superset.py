"""What torch.jit accepts, the extended dialect compiles to the same graph."""

from __future__ import annotations

import re

import pytest

import minits
from conformance.case import CASES, Program, chapters, find_scripted

DIFFERENT = {"tuples/named_or_plain"}
"""Cases with NamedTuples in attributes that have no annotation: torch.jit takes them for plain
tuples, and in the extended dialect they keep the names of their fields."""


def graph_of(program: Program, dialect: str) -> str:
    """The graphs' text, without what counts the classes and warnings of the process."""
    compiled = minits.script(program.make(), dialect=dialect)
    functions = [compiled]
    if isinstance(compiled, minits.ScriptModule):
        functions = [getattr(compiled, name) for name in compiled.method_names()]
    graphs = [function.graph for function in functions if hasattr(function, "graph")]
    return re.sub(r"___torch_mangle_\d+\.|\[warn_id=\d+\]", "", "\n".join(map(str, graphs)))


@pytest.mark.one_in(8)
@pytest.mark.filterwarnings("ignore:.* is compiled without its decorator")
@pytest.mark.parametrize("chapter", list(chapters(find_scripted(CASES))))
def test_programs_of_a_chapter_have_the_same_graph_in_both_dialects(chapter: str) -> None:
    different = []
    for case in find_scripted(CASES, chapter):
        if case.error_line is not None:
            continue
        program = case.load()
        try:
            graph = graph_of(program, "torch")
        except minits.CompileError:  # one of conformance/known_failures.txt
            continue
        if graph_of(program, "extended") != graph:
            different.append(case.name)
    assert different == [name for name in sorted(DIFFERENT) if name.startswith(f"{chapter}/")]
