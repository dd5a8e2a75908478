"""Making a failing program shorter: statements and results are left out while it still fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from conformance.fuzz.programs import Program

Fails = Callable[[Program], bool]


def shrink(program: Program, fails: Fails) -> Program:
    """Return a program from which nothing can be left out; `fails` is false for what cannot run."""
    while True:
        shorter = next(filter(fails, _shorter(program)), None)
        if shorter is None:
            return program
        program = shorter


def _shorter(program: Program) -> Iterator[Program]:
    """Programs with one result, or with a statement less, the last ones first."""
    head, *body, last = program.text.splitlines()
    results = re.findall(r"\w+", last)[1:]
    if len(results) > 1:
        for result in results:
            one = re.sub(r"Tuple\[.*\]", "Tuple[Tensor]", head)
            yield _program([one, *body, f"    return ({result},)"], program)
    begins = [i for i, line in enumerate(body) if not line.startswith(("     ", "    else"))]
    for begin, end in reversed(list(zip(begins, [*begins[1:], len(body)], strict=True))):
        yield _program([head, *body[:begin], *body[end:], last], program)


def _program(lines: list[str], program: Program) -> Program:
    return Program("".join(f"{line}\n" for line in lines), program.arguments)
