"""300 drawn wrong programs: their edits are made until they compile, or a cure in words is left.

Cures that led in a circle, or to an error without a cure, were found so.
"""

import linecache
import sys
import types
from pathlib import Path

import pytest

import minits
from minits.cures.applying import applied
from minits.cures.mending import Mended, mend
from minits.diagnostics import CompileError, Diagnostic
from minits.source import SourceFile
from tests.support.wrong_programs import WrongProgram, wrong_programs

COUNT, PARTS, SEED = 300, 10, 42
NO_CIRCLE = 6
"""Rounds of edits that a program with one mistake may need."""


def faults_of(program: WrongProgram, text: str, path: Path) -> list[Diagnostic]:
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
    entry = vars(module)[program.entry]
    try:
        minits.script(entry() if program.entry == "build" else entry)
    except CompileError as fault:
        return list(fault.diagnostics)
    return []


def mended(program: WrongProgram, path: Path) -> tuple[Mended, int]:
    """Return the program with all edits made, and how often it was checked meanwhile."""
    rounds: list[str] = []

    def check(text: str) -> list[Diagnostic]:
        rounds.append(text)
        return faults_of(program, text, path)

    return mend(SourceFile(str(path), program.text), check, unsafe=True), len(rounds)


@pytest.mark.one_in(10)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_cures_come_to_an_end(part: int, tmp_path: Path) -> None:
    drawn = list(wrong_programs(COUNT, SEED))[part::PARTS]
    helped = 0
    for number, program in enumerate(drawn):
        path = tmp_path / f"wrong_{part}_{number}.py"
        try:
            first = faults_of(program, program.text, path)
        except (NameError, TypeError, SyntaxError, ValueError):
            continue  # Python itself says so
        done, rounds = mended(program, path)
        what = f"{program.case}: {program.mistake}\n{done.text}"
        assert rounds <= NO_CIRCLE, what
        for fault in done.left:
            assert fault.fix, f"{fault.render()}\n{what}"
        again = applied(SourceFile(str(path), done.text), done.left, unsafe=True)
        assert again.text == done.text, what
        helped += bool(first) and done.left == ()
    assert helped >= 2
