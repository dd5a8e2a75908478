"""docs/mistakes.md: each mistake is told with its cure, and the program that follows it compiles,
in torch.jit as well. Where the page says so, the edit of the error makes that program.
"""

import warnings
from pathlib import Path

import pytest
import torch

from tests.support.mistakes import Mistake, faults_of, mended_by_edits, mistakes, programs_of

MISTAKES = mistakes()


def test_the_page_is_read() -> None:
    titles = [each.title for each in MISTAKES]
    assert len(titles) == len(set(titles)) >= 60
    page = Path(__file__).parents[1] / "docs" / "mistakes.md"
    assert page.read_text(encoding="utf-8").count("\n## ") == len(titles)
    assert sum(each.kind == "safe" for each in MISTAKES) >= 20


@pytest.mark.one_in(5)
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.title.replace(" ", "-"))
def test_each_mistake(mistake: Mistake, tmp_path: Path) -> None:
    path = tmp_path / "mistake.py"
    path.write_text(mistake.fails, encoding="utf-8")
    fault, *_ = faults_of(mistake.fails, path)
    assert (fault.code, fault.fix) == (mistake.code, mistake.fix)
    places = [fault.range, *(each.range for each in fault.callers)]
    assert any(place is not None and place.source.filename == str(path) for place in places)
    assert faults_of(mistake.mended, path) == []
    safely = mended_by_edits(mistake.fails, path, unsafe=False)
    if mistake.kind == "safe":
        assert safely.text == mistake.mended
        return
    assert safely.text == mistake.fails
    edited = mended_by_edits(mistake.fails, path, unsafe=True)
    assert edited.text == (mistake.mended if mistake.kind == "unsafe" else mistake.fails)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.title.replace(" ", "-"))
def test_torch_compiles_the_mended_ones_alone(mistake: Mistake, tmp_path: Path) -> None:
    assert not _is_compiled_by_torch(mistake.fails, tmp_path / "fails.py")
    assert _is_compiled_by_torch(mistake.mended, tmp_path / "mended.py")


def _is_compiled_by_torch(text: str, path: Path) -> bool:
    path.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for program in programs_of(text, path):
                torch.jit.script(program)
        except Exception:
            return False
    return True
