"""Every error code stands in docs/errors.md once, with a program that fails with it and one that is
mended.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from minits.cli.main import main
from tests.support.pages import blocks

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## (TS\d{3})\b.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


WITHOUT_HELP = ("TS805", "TS906")
"""The program's own exception, and graphs that the verifier shows with each fault at its node."""
CAUSES = {
    "TS012": "its file has changed since it was imported",
    "TS301": "help: call it",
    "TS303": "it must be known while compiling what the name means",
    "TS408": "the type of the result depends on it",
    "TS613": "Other is not compatible with it, it has forward(Other self, int n) -> int",
    "TS713": "no keyword argument 'scale' was given: this call gives none",
    "TS805": "the program raised AssertionError [TS805]",
    "TS902": "no node of the graph is named prim::FusionGroup_0",
    "TS905": "<Tensor> stands for a value that the text leaves out",
}
"""What the message of a failing example says of its cause."""


class Example(NamedTuple):
    """A program of the page. `language` is python, extended (the dialect), ir or console."""

    code: str
    language: str
    verdict: str
    text: str


def sections() -> dict[str, list[Example]]:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    found: dict[str, list[Example]] = {}
    for section in SECTION.finditer(page):
        code = section[1]
        assert code not in found, f"{code} stands in docs/errors.md twice"
        shown = blocks("docs/errors.md", section[0])
        found[code] = [Example(code, each.language, each.words, each.text) for each in shown]
    return found


def codes_in_source() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "minits").rglob("*.py"):
        found |= set(re.findall(r"[\"'](TS\d{3})[\"']", path.read_text(encoding="utf-8")))
    return found


def run_example(example: Example, folder: Path) -> list[str]:
    """Return the command line that checks the example."""
    if example.language == "console":
        command = example.text.strip().removeprefix("$ minits ")
        return [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]
    path = folder / ("example.ir" if example.language == "ir" else "example.py")
    path.write_text(example.text, encoding="utf-8")
    dialect = ["--dialect", "extended"] if example.language == "extended" else []
    return ["check", *dialect, str(path)]


def test_the_page_lists_exactly_the_codes_that_are_raised() -> None:
    assert set(sections()) == codes_in_source()


def test_every_code_has_a_failing_and_a_mended_example() -> None:
    lacking = {
        code
        for code, found in sections().items()
        if {e.verdict for e in found} not in ({"fails", "mended"}, {"warns", "mended"})
    }
    assert not lacking


@pytest.mark.one_in(16)
@pytest.mark.parametrize(
    "example",
    [
        example
        for found in sections().values()
        for example in found
        if example.verdict != "mended" and example.language in ("python", "extended")
    ],
    ids=lambda example: example.code,
)
def test_the_edit_of_a_failing_example_mends_it(
    example: Example, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = run_example(example, tmp_path)
    status = main([*command, "--fix", "--unsafe-fixes"])
    edited = (tmp_path / "example.py").read_text(encoding="utf-8")
    told = capsys.readouterr().err
    assert status == (1 if edited == example.text and example.verdict == "fails" else 0), told
    assert edited == example.text or f"[{example.code}]" not in told, edited + told


@pytest.mark.one_in(20)
@pytest.mark.parametrize(
    "example",
    [example for found in sections().values() for example in found],
    ids=lambda example: f"{example.code}-{example.verdict}",
)
def test_examples(
    example: Example,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    status = main(run_example(example, tmp_path))
    complaints = capsys.readouterr().err
    if example.verdict == "mended":
        assert status == 0, complaints
        assert "warning: " not in complaints or example.language == "console"
    else:
        assert status in ((1, 2) if example.verdict == "fails" else (0,))
        assert f"[{example.code}]" in complaints
        kind = "error: " if example.verdict == "fails" else "warning: "
        assert complaints.count(kind) == 1, "the fault alone, and none that follows from it"
        assert "help: " in complaints or example.code in WITHOUT_HELP
        assert "__torch__" not in complaints, "classes have the names that the program gives them"
        assert CAUSES.get(example.code, "") in complaints
