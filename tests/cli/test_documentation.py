"""`minits explain CODE` and `minits docs`: pages that are there without a network."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minits.cli.main import main
from minits.passes.remarks import FIXES

ROOT = Path(__file__).parents[2]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    return (status, *capsys.readouterr())


def test_a_code_is_explained_by_its_section(capsys) -> None:
    status, out, _ = run(capsys, "explain", "ts003")
    assert status == 0
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    section = page[page.index("## TS003") : page.index("## TS004")]
    shown = section.replace("```python fails", "This fails:\n\n```python")
    assert out == shown.replace("```python mended", "Mended:\n\n```python").rstrip() + "\n"
    assert run(capsys, "docs", "TS003")[1] == out


@pytest.mark.slow
def test_every_code_is_explained(capsys) -> None:
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    codes = re.findall(r"^## (TS\d{3})", page, re.MULTILINE)
    assert len(codes) > 100
    for code in codes:
        status, out, _ = run(capsys, "explain", code)
        assert status == 0
        assert out.startswith(f"## {code} ")
        assert re.findall(r"^##? ", out, re.MULTILINE) == ["## "]


@pytest.mark.parametrize("code", [*FIXES, "cut-off-by(aten::mm)", "fused"])
def test_every_code_of_a_remark_is_explained(capsys, code: str) -> None:
    status, out, _ = run(capsys, "explain", code)
    assert status == 0
    assert code.partition("(")[0] in out
    assert "minits docs fusion" in out


def test_pages_are_listed_and_shown(capsys) -> None:
    _, out, _ = run(capsys, "docs")
    names = [line.split()[0] for line in out.splitlines()]
    assert {"fusion", "extensions", "errors", "language", "language/tuples"} <= set(names)
    text = (ROOT / "docs" / "fusion.md").read_text("utf-8")
    for name in ("fusion", "docs/fusion.md", "fusion.md"):
        assert run(capsys, "docs", name) == (0, text, "")
    _, out, _ = run(capsys, "docs", "fusion#what-was-fused-and-what-was-not")
    assert out.startswith("## What was fused, and what was not\n")
    assert re.findall("^#.*", out, re.MULTILINE) == ["## What was fused, and what was not"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["explain", "TS000"], "there is no code TS000; did you mean TS010?"),
        (["explain", "frobnicate"], "'frobnicate' is no code of an error"),
        (["docs", "fussion"], "there is no page 'fussion'; did you mean fusion?"),
        (["docs", "fusion#nothing"], "there is no heading of fusion#nothing"),
    ],
)
def test_misuse(capsys, arguments: list[str], told: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert told in err


def test_messages_name_pages_that_there_are(capsys) -> None:
    named = set()
    for path in (ROOT / "minits").rglob("*.py"):
        named |= set(re.findall(r"`?minits docs ([a-z-]+)", path.read_text("utf-8")))
    assert named >= {"extensions", "native", "fusion"}
    for name in named - {"and", "lists"}:
        assert run(capsys, "docs", name)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_a_terminal_gets_rendered_text() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    subprocess.run(
        [sys.executable, "-m", "minits", "explain", "TS003"],
        stdout=theirs, stdin=subprocess.DEVNULL, env=environment, check=True,
    )  # fmt: skip
    os.close(theirs)
    text = b""
    try:
        while chunk := os.read(ours, 65536):
            text += chunk
    except OSError:  # how the end of a terminal is told
        pass
    assert b"\x1b[" in text
    assert b"```" not in text and b"Brackets do not match" in text
