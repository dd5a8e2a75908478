"""Each block of code of the pages is run, and prints what is shown; or the page says why not.

`UPDATE=1 pytest tests/docs/test_pages.py` writes what is printed into the pages, to be shortened by
hand: a line `...` stands for any lines, and `...` in a line for any text.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.page_runs import Run, commands
from tests.support.pages import (
    ROOT,
    WRITTEN,
    Block,
    blocks,
    difference,
    page_names,
    treatment,
    written_by_a_command,
)

PAGES = [page for page in page_names() if blocks(page) and not written_by_a_command(page)]
LONG = (
    "README.md", "docs/course/10-gradients.md", "docs/course/5-ssa.md",
    "docs/course/6-control-flow.md", "docs/course/7-passes.md", "docs/course/9-kernels.md",
    "docs/debugging.md", "docs/extensions.md", "docs/from-torch-jit.md", "docs/guide.md",
    "docs/native.md", "docs/passes.md",
)  # fmt: skip
"""Pages that take more than four seconds; `.ci/run` runs them."""
RUN = ("console", "python", "output", "file", "part", "program")


@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=pytest.mark.slow) if p in LONG else p for p in PAGES]
)
def test_a_page_shows_what_is_true(page: str, tmp_path: Path) -> None:
    run = Run(page, tmp_path)
    for block in blocks(page):
        kind = treatment(block)
        if kind in RUN:
            getattr(run, kind)(block)
        elif not kind:
            run.faults.append(f"{block.place}: neither run nor said why not")
    run.end()
    if os.environ.get("UPDATE"):
        path = ROOT / page
        path.write_text(run.updated(path.read_text("utf-8")), "utf-8")
    assert not run.faults, "\n\n".join(run.faults)
    if run.missing:
        pytest.skip(f"there is no {', '.join(run.missing)}")


def block(text: str, page: str = "docs/page.md") -> Block:
    (found,) = blocks(page, text)
    return found


def test_pages_that_a_command_writes_are_tested() -> None:
    for start, test in WRITTEN.items():
        assert (ROOT / start).exists()
        assert Path(start).name in (ROOT / test).read_text("utf-8") or start == "docs/language/"


@pytest.mark.parametrize("page", PAGES)
def test_tests_that_are_named_read_the_page(page: str) -> None:
    for each in blocks(page):
        if each.test:
            assert Path(page).name in (ROOT / each.test).read_text("utf-8"), each.place


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```console\n$ minits --version\n```", "console"),
        ("```python\nx = 1\n```", "python"),
        ('```python title="model.py"\nx = 1\n```', "file"),
        ("<!-- part of examples/fused.py -->\n\n```c\n;\n```", "part"),
        ("<!-- extended -->\n\n```python\nx = 1\n```", "program"),
        ("<!-- run by tests/x.py -->\n\n```c\n;\n```", "elsewhere"),
        ("*Not run by the tests: it takes hours.*\n\n```console\n$ x\n```", "not run"),
        ("*Not run by the tests.*\n\n```toml\nx = 1\n```", ""),
        ("Not run by the tests: why.\n\n```toml\nx = 1\n```", ""),
        ("```\n$ minits\n```", ""),
        ("```text\n1\n```", ""),
        ("```python fails\nx\n```", ""),
        ("    indented\n", ""),
    ],
)
def test_how_a_block_is_treated(text: str, kind: str) -> None:
    assert treatment(block(text)) == kind


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n  ...\n", "a\n", True),
        ("took ... s\n", "took 3.1 s\n", True),
        ("a\n", "a\nb\n", False),
        ("a\nb\n", "a\n", False),
        ("a\n...\nc\n", "a\nb\n", False),
        ("...x\n", "y\nx\n", False),
        ("", "a\n", False),
    ],
)
def test_what_is_shown_is_compared(shown: str, printed: str, same: bool) -> None:
    assert bool(difference(shown, printed)) != same


def test_commands_are_told_from_their_output() -> None:
    text = "$ one \\\n    two\nout\n$ three\n"
    assert commands(text) == [("one \\\n    two", "out\n"), ("three", "")]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```console\n$ minits --version\nminits 7\n```", "was not printed"),
        ("```console\n$ minits run no.py:f\n...\n```", "exit status 2"),
        ("```console\n$ exit 3\n```", "exit status 3"),
        ("```python\n1 / 0\n```", "ZeroDivisionError"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```", "was not printed"),
        ("<!-- part of examples/fused.py -->\n\n```c\nint x;\n```", "not in examples"),
        ("<!-- torch -->\n\n```python\ndef f(x):\n    return [y for y in x if 1]\n```", "TS114"),
        ("<!-- extended -->\n\n```python\ndef f(x):\n    return x\n```", "takes it: True"),
        ("<!-- torch -->\n\n```python\nx = 1\n```", ":4: "),
    ],
)
def test_what_is_untrue_is_found(text: str, fault: str, tmp_path: Path) -> None:
    run = Run("docs/page.md", tmp_path)
    for each in blocks("docs/page.md", text):
        getattr(run, treatment(each))(each)
    run.end()
    assert any(fault in found for found in run.faults), run.faults


def test_python_blocks_share_names_and_the_lines_of_the_page(tmp_path: Path) -> None:
    text = "# Page\n\n```python\nx = 1\n```\n\n```python\ny = x\n\ny.z\n```\n"
    run = Run("docs/page.md", tmp_path)
    for each in blocks("docs/page.md", text):
        run.python(each)
    run.end()
    (fault,) = run.faults
    assert 'docs_page.py", line 10' in fault and "no attribute 'z'" in fault
    assert run.updated(text) == text


def test_pages_are_updated(tmp_path: Path) -> None:
    text = "```console\n$ echo one\ntwo\n$ echo 2\n2\n```\n\nEnd.\n"
    run = Run("docs/page.md", tmp_path)
    run.console(block(text))
    assert run.updated(text) == text.replace("two", "one")


def test_commands_in_a_shell_find_minits(tmp_path: Path) -> None:
    run = Run("docs/page.md", tmp_path)
    run.console(block("```console\n$ X=1 minits --version | tr a-z A-Z\nMINITS ...\n```"))
    assert run.faults == []
