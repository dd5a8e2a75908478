"""The torch dialect does not know the extended one: no function of an extension's file is entered.

Each chapter of the conformance suite is compiled in the torch dialect under a profiler.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch

import minits
from conformance.case import CASES, find_cases
from minits.diagnostics import CompileError
from minits.frontend.extended import walrus

ROOM = str(Path(walrus.__file__).parent)
CHAPTERS = (
    "assignment", "attributes_and_subscripts", "augmented_assignment", "boolean_and_conditional",
    "calls", "classes", "comparisons", "comprehensions", "exits", "for_loops", "if_statements",
    "lists_and_dicts", "module_containers", "modules", "optional_and_final", "strings",
    "while_loops", "with_statements",
)  # fmt: skip
ALONE = """
import sys
from typing import Optional
import torch, minits

def f(x: torch.Tensor, mask: Optional[torch.Tensor], n: int) -> torch.Tensor:
    for i in range(n):
        if mask is not None and i > 0:
            x = x + mask
    return x if n > 2 else -x

minits.script(f)
rooms = ("minits.frontend.extended", "minits.syntax.extensions")
print([name for name in sys.modules if name.startswith(rooms)])
"""


@contextmanager
def entered_extensions() -> Iterator[set[str]]:
    """Gather the functions of the extended dialect's files that are entered inside."""
    entered: set[str] = set()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOM) and code.co_name != "<module>":
            entered.add(f"{Path(code.co_filename).stem}.{code.co_name}")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield entered
    finally:
        sys.setprofile(before)


def entered_by(program: Any) -> set[str] | None:
    """Return what the compilation of a program enters; None for one that is refused.

    A refused one may be read once more, to find out whether the other dialect accepts it.
    """
    with entered_extensions() as entered:
        try:
            minits.script(program)
        except CompileError:
            return None
    return entered


@pytest.mark.one_in(8)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_torch_dialect_enters_no_extension(chapter: str) -> None:
    entered = [entered_by(case.load().make()) for case in find_cases(CASES, chapter)]
    assert len([each for each in entered if each is not None]) > 3
    assert set().union(*(each for each in entered if each)) == set()


def checks_attribute(x: torch.Tensor, y: list[int]) -> torch.Tensor:
    while len(y) > 2 and x is not None:
        y.pop()
    return x


@pytest.mark.parametrize("compile", [minits.script, lambda f: minits.script(f, dialect="extended")])
def test_the_profiler_sees_what_the_extended_dialect_enters(compile: Callable[..., Any]) -> None:
    with entered_extensions() as entered:
        compile(checks_attribute)
    assert bool(entered) == (compile is not minits.script)


@pytest.mark.slow
def test_the_torch_dialect_does_not_import_the_extended_one(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(ALONE)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
