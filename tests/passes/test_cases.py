"""Passes on graphs written by hand: `data/*.txt` hold IR before and after.

`UPDATE=1 pytest tests/passes/test_cases.py` writes what the passes do into the files; review the
difference as code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import run_pipeline

DATA = Path(__file__).with_name("data")
CASE = re.compile(
    r"\[case (\w+)\]\n\[passes ([\w,?()-]+)\]\n(.*?)\[out\]\n(.*?)(?=\[case|\Z)", re.S
)


@dataclass(frozen=True)
class Case:
    path: Path
    name: str
    passes: list[str]
    before: str
    after: str


def cases() -> Iterator[Case]:
    for path in sorted(DATA.glob("*.txt")):
        for name, passes, before, after in CASE.findall(path.read_text()):
            yield Case(path, name, passes.split(","), tidy(before), tidy(after))


def tidy(text: str) -> str:
    return text.rstrip("\n") + "\n"


def laid_out(text: str) -> str:
    """The text as the printer lays it out: each input on a line of its own."""
    head, separator, rest = text.partition("):\n")
    return head.replace(", %", ",\n      %") + separator + rest


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: f"{case.path.stem}-{case.name}")
def test_pass(case: Case) -> None:
    graph = parse_graph(case.before)
    verify(graph, joins="widen-joins" not in case.passes)
    assert print_graph(graph, ranges=False) == laid_out(case.before)
    with instrumented(PassPrinter(verify_each=True)):
        run_pipeline(graph, case.passes)
    found = print_graph(graph, ranges=False)
    if os.environ.get("UPDATE"):
        update(case, found)
    else:
        assert found == case.after


def update(case: Case, found: str) -> None:
    text = case.path.read_text()
    start = text.index(f"[case {case.name}]\n")
    match = CASE.search(text, start)
    assert match is not None
    case.path.write_text(f"{text[: match.start(4)]}{found}\n{text[match.end(4) :]}")


def test_all_passes_have_a_case() -> None:
    from minits.passes.pipeline import PASSES

    shown = {name for case in cases() for name in case.passes}
    calls = {"inline", "inline-functions"}  # a graph's text does not hold its callees
    of_plans = {name for name, each in PASSES.items() if each.in_context}  # they ask for metadata
    numbered = {"number-warnings"}  # by a count of the process
    of_weights = set("concat-linears conv-batch-norm conv-sums conv-products".split())
    of_weights.add("linear-batch-norm")  # tensors are no texts: see tests/freezing/test_folding.py
    of_weights.add("unwrap-numbers")  # nor are these: see tests/tracing/test_numbers_in_traces.py
    rows = set(PASSES) - calls - of_plans - numbered - of_weights
    nested = "fork(dce) fork(inline-forked-closures) closure(lift-closures)".split()
    assert {name.removesuffix("?") for name in shown} - set(nested) == rows
