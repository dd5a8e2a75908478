"""A fault has no consequences: nothing else is told of a program with one undefined name.

Expressions of programs that minits accepts are replaced by undefined names; see
`tests/support/undefined_names.py`. Two in one statement are both told.
"""

import ast
import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from conformance.case import Program as CaseProgram
from conformance.case import find_scripted
from tests.support.undefined_names import NotBuilt, Place, Program, replaced

EXTENDED = Path(__file__).parent / "extended"
LEFT_OUT = {
    # A module has no attribute for a function, or an object, that fails to compile; this is told
    # where the attribute is used.
    "module_attributes/annotated_in_init",
    "modules/function_attributes",
    "strings/text_of_objects",
}
FIRST, SECOND = "unknown_a", "unknown_b"


def cases(dialect: str) -> list[Program]:
    """Return the programs of the conformance suite."""
    return [
        Program(case.path, lambda module: CaseProgram(module).make(), dialect)
        for case in find_scripted()
        if case.error_line is None and case.name not in LEFT_OUT
    ]


def functions_of_the_extended_dialect() -> list[Program]:
    """Return the functions that the tests of that dialect compile."""
    return [
        Program(
            path,
            lambda module, name=node.name: getattr(module, name),  # type: ignore[misc]
            "extended",
            range(node.lineno, (node.end_lineno or 0) + 1),
        )
        for path in sorted(EXTENDED.glob("test_*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not (node.decorator_list or node.name.startswith(("test", "check")))
    ]


PROGRAMS = {
    "torch": lambda: cases("torch"),
    "extended": lambda: cases("extended"),
    "extensions": functions_of_the_extended_dialect,
}


def told(program: Program, names: dict[Place, str], folder: Path) -> list[str] | None:
    """Return the undefined names that are told, and other messages.

    None where Python cannot make the program.
    """
    try:
        found = program.faults(replaced(program.path.read_text("utf-8"), names), folder)
    except NotBuilt:
        return None
    return [
        each.range.text
        if each.range is not None and each.message == f"undefined value {each.range.text}"
        else each.message
        for each in found
    ]


def shown(program: Program, names: dict[Place, str], faults: list[str] | None) -> str:
    """Return what went wrong with a program, for the message of a failed test."""
    lines = replaced(program.path.read_text("utf-8"), names).splitlines()
    number = min(place.span[0][0] for place in names)
    return f"{program.path}:{number}: {lines[number - 1].strip()}\n    {faults}"


def pairs(places: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """Yield the pairs of expressions in one statement that do not overlap, in their order."""
    for first, second in itertools.permutations(places, 2):
        if first.statement == second.statement and first.is_before(second):
            yield first, second


def check_one(programs: Sequence[Program], number: int, folder: Path) -> None:
    """Check programs with an undefined name, for up to so many expressions of each."""
    draw = random.Random(1)
    tried, found = 0, 0
    wrong: list[str] = []
    for program in programs:
        places = program.places(folder)
        for place in draw.sample(places, min(number, len(places))):
            names = {place: FIRST}
            faults = told(program, names, folder)
            if faults is not None:
                tried, found = tried + 1, found + bool(faults)
            if faults not in ([FIRST], [], None):  # code that is never compiled has no faults
                wrong.append(shown(program, names, faults))
    assert not wrong, "\n".join(wrong)
    assert found > 0.8 * tried > 100


def check_two(programs: Sequence[Program], number: int, folder: Path) -> None:
    """Check programs with two undefined names in a statement, for up to so many pairs of each."""
    draw = random.Random(2)
    found = 0
    wrong: list[str] = []
    for program in programs:
        both = list(pairs(program.places(folder)))
        for first, second in draw.sample(both, min(number, len(both))):
            names = {first: FIRST, second: SECOND}
            if all(told(program, {place: FIRST}, folder) for place in names):
                faults = told(program, names, folder)
                found += 1
                if faults != [FIRST, SECOND]:
                    wrong.append(shown(program, names, faults))
    assert not wrong, "\n".join(wrong)
    assert found > 50


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* is compiled without its decorator")
@pytest.mark.parametrize("kind", PROGRAMS)
def test_nothing_follows_from_an_undefined_name(kind: str, tmp_path: Path) -> None:
    programs = PROGRAMS[kind]()
    check_one(random.Random(0).sample(programs, min(150, len(programs))), 2, tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* is compiled without its decorator")
@pytest.mark.parametrize("kind", PROGRAMS)
def test_two_undefined_names_in_a_statement_are_both_told(kind: str, tmp_path: Path) -> None:
    programs = PROGRAMS[kind]()
    check_two(random.Random(0).sample(programs, min(80, len(programs))), 2, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROGRAMS)
def test_nothing_follows_wherever_the_name_is(kind: str, tmp_path: Path) -> None:
    check_one(PROGRAMS[kind](), 1000, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROGRAMS)
def test_two_undefined_names_are_told_wherever_they_are(kind: str, tmp_path: Path) -> None:
    check_two(PROGRAMS[kind](), 10, tmp_path)
