"""Every operator and every kernel statement of every example has a place in the source."""

from __future__ import annotations

import argparse
import re
from functools import cache
from pathlib import Path

import pytest

from minits.cli.main import command_line
from minits.cli.report_page import collect
from minits.report.model import Box, Compilation, Page

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def options(target: str, *inputs: str) -> argparse.Namespace:
    given = [word for text in inputs for word in ("--input", text)]
    return command_line().parse_args(["report", target, *given, "--record", "-o", "page.html"])


@cache
def page_of(target: str) -> Page:
    page, faults = collect(options(target))
    assert not faults
    return page


def compilations() -> list[tuple[Page, Compilation]]:
    return [(page, each) for path in EXAMPLES for page in [page_of(str(path))]
            for each in page.compilations]  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_operator_has_a_range(path: Path) -> None:
    page = page_of(str(path))
    operators = [row for row in page.rows if re.search(r"= \^?\w+::(?!Constant|Uninit)", row.text)]
    assert operators
    assert [row.text for row in operators if not row.links] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_kernel_statement_has_a_range(path: Path) -> None:
    kernels = [kernel for each in page_of(str(path)).compilations for kernel in each.kernels]
    lines = [line for kernel in kernels for text in kernel.lines.values() for line in text]
    statements = [
        line for line in lines if line.text.rstrip().split("//")[0].rstrip().endswith(";")
    ]
    assert [line.text for line in statements if not line.links] == []
    assert all(set(kernel.lines) == {"cpp", "cuda"} for kernel in kernels)


def test_there_are_kernels() -> None:
    assert sum(len(each.kernels) for _, each in compilations()) > 20


def test_ranges_lie_in_the_excerpts() -> None:
    for path in EXAMPLES:
        page = page_of(str(path))
        for loc in page.ranges:
            assert any(
                excerpt.file == loc.file
                and excerpt.first_line <= loc.line
                and loc.end_line < excerpt.first_line + excerpt.text.count("\n") + 1
                for excerpt in page.excerpts
            ), loc


def test_a_kernel_statement_is_of_its_very_expression() -> None:
    """Three operators stand on one line; each statement is linked to its own."""
    page = page_of(str(ROOT / "examples" / "fused.py"))
    (chain,) = [each for each in page.compilations if each.name == "chain"]
    found = {
        line.text.split("//")[0].split("=")[-1].strip(): source_text(page, line.links[0])
        for line in chain.kernels[0].lines["cuda"]
        if line.own == 1 and line.links
    }
    assert found["v0 * v1;"] == "x * a"
    assert found["v2 + v3;"] == "x * a + b"
    assert found["tanh(v0);"] == "torch.tanh"
    assert found["v5 * v6;"] == "torch.sigmoid(x * a + b) * torch.tanh(x)"


def source_text(page: Page, link: int) -> str:
    """Return the source of a range of one line."""
    loc = page.ranges[link]
    for excerpt in page.excerpts:
        lines = excerpt.text.splitlines()
        if excerpt.file == loc.file and 0 <= loc.line - excerpt.first_line < len(lines):
            return lines[loc.line - excerpt.first_line][loc.column : loc.end_column]
    raise AssertionError(loc)


def test_generated_python_is_linked() -> None:
    page = page_of(str(ROOT / "examples" / "functions.py"))
    (collatz,) = [each for each in page.compilations if each.name == "collatz"]
    linked = [line for line in collatz.python if line.links]
    assert len(linked) >= len(collatz.python) - 2
    assert {page.ranges[link].line for line in linked for link in line.links} >= {
        page.ranges[link].line for row in collatz.stages[0].rows
        for link in page.rows[row].links[:1] if "aten::" in page.rows[row].text
    }  # fmt: skip


def test_boxes_of_one_level_do_not_overlap() -> None:
    def inside(a: Box, b: Box) -> bool:
        return (b.x <= a.x and b.y <= a.y and a.x + a.width <= b.x + b.width + 0.01
                and a.y + a.height <= b.y + b.height + 0.01)  # fmt: skip

    def apart(a: Box, b: Box) -> bool:
        return (a.x + a.width <= b.x or b.x + b.width <= a.x
                or a.y + a.height <= b.y or b.y + b.height <= a.y)  # fmt: skip

    for _, each in compilations():
        boxes = each.picture.boxes
        for number, one in enumerate(boxes):
            assert all(
                apart(one, other) or inside(one, other) or inside(other, one)
                for other in boxes[:number]
            ), each.title


def test_rows_can_be_put_together_again() -> None:
    for page, each in compilations():
        rows: list[int] = []
        for stage in each.stages:
            rows = [*rows[: stage.keep], *stage.rows, *rows[len(rows) - stage.keep_end :]]
        assert page.rows[rows[0]].text.startswith("graph(")
        assert any(page.rows[row].text.startswith("  return (") for row in rows)
