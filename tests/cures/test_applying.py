"""Edits made in texts: at their places, those that overlap one after the other."""

from pathlib import Path

from minits.cures.applying import applied
from minits.cures.mending import mend
from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement, inserting, replacing
from minits.source import SourceFile, SourceRange
from tests.support.mistakes import faults_of, mended_by_edits


def fault(source: SourceFile, edit: Edit | None) -> Diagnostic:
    return Diagnostic(SourceRange(source, 0, 1), "TS999", "a fault", edit=edit)


def at(source: SourceFile, word: str) -> SourceRange:
    start = source.text.index(word)
    return SourceRange(source, start, start + len(word))


SOURCE = SourceFile("a.py", "one = twö\nthree = four\n")


def text_after(*edits: Edit, unsafe: bool = False, source: SourceFile = SOURCE) -> str:
    return applied(source, [fault(source, each) for each in edits], unsafe=unsafe).text


def test_replacements_and_insertions() -> None:
    edits = (
        replacing(at(SOURCE, "four"), "4"),
        inserting(at(SOURCE, "twö"), before="(", after=")"),
    )
    assert text_after(*edits) == "one = (twö)\nthree = 4\n"


def test_unsafe_edits_are_asked_for() -> None:
    edit = replacing(at(SOURCE, "four"), "4", is_safe=False)
    assert edit.applicability == "unsafe"
    assert text_after(edit) == SOURCE.text
    assert text_after(edit, unsafe=True) == "one = twö\nthree = 4\n"


def test_of_two_that_overlap_the_first_is_made() -> None:
    first, second = replacing(at(SOURCE, "three"), "3"), replacing(at(SOURCE, "three = four"), "5")
    found = applied(SOURCE, [fault(SOURCE, first), fault(SOURCE, second)])
    assert found.text == "one = twö\n3 = four\n"
    assert [each.edit for each in found.mended] == [first]


def test_an_edit_is_made_as_a_whole_or_not_at_all() -> None:
    other = SourceFile("b.py", "elsewhere")
    both = Edit((Replacement(at(SOURCE, "one"), "1"), Replacement(at(other, "else"), "x")))
    assert text_after(both) == SOURCE.text


def test_what_two_faults_insert_at_one_place_is_inserted_once() -> None:
    edit = inserting(at(SOURCE, "one"), after=": int")
    assert text_after(edit, edit) == "one: int = twö\nthree = four\n"


def test_the_lines_of_a_function_have_their_place_in_the_file() -> None:
    part = SourceFile("a.py", "three = four\n", first_line=2)
    assert text_after(replacing(at(part, "four"), "4")).endswith("three = 4\n")
    after = SourceFile("a.py", "one = twö\n")
    assert text_after(replacing(SourceRange(after, 6, 9), "2")).startswith("one = 2\n")


def test_columns_are_bytes_of_utf_8() -> None:
    source = SourceFile("a.py", "x = 'ö'; y = 2x\r\n")
    assert text_after(replacing(at(source, "2x"), "2 * x"), source=source) == (
        "x = 'ö'; y = 2 * x\r\n"
    )


def test_a_text_that_has_changed_since_is_left_alone() -> None:
    changed = SourceFile("a.py", "one = twö\nfive = six\n")
    for edit in (replacing(at(SOURCE, "four"), "4"), replacing(at(SOURCE, "three = four"), "")):
        assert text_after(edit, source=changed) == changed.text
    assert text_after(replacing(at(SOURCE, "four"), "4"), source=SourceFile("a.py", "")) == ""


HEAD = "import torch\nfrom typing import Optional\nfrom torch import Tensor, nn\n"
SEVERAL = f"""{HEAD}

def f(n: int, x: Optional[int]):
    xs = []
    xs.append(+n)
    if n in {{1, +2}}:
        xs.append(3)
    if x != None:
        xs.append(x)
    return xs
"""


def test_edits_within_edits_take_rounds(tmp_path: Path) -> None:
    path = tmp_path / "several.py"
    path.write_text(SEVERAL, encoding="utf-8")
    done = mended_by_edits(SEVERAL, path, unsafe=False)
    assert done.left == () and len(done.mended) >= 4
    assert "xs: list[int] = []\n    xs.append(n)\n    if n in [1, 2]:" in done.text
    assert "if x is not None:" in done.text
    assert faults_of(done.text, path) == []


def test_a_diff_shows_the_change_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plus.py"
    text = "def f(n: int):\n    return +n"
    path.write_text(text, encoding="utf-8")
    done = mended_by_edits(text, path, unsafe=False)
    assert done.diff("plus.py") == (
        "--- plus.py\n+++ plus.py\n@@ -1,2 +1,2 @@\n def f(n: int):\n"
        "-    return +n\n\\ No newline at end of file\n"
        "+    return n\n\\ No newline at end of file\n"
    )
    assert path.read_text(encoding="utf-8") == text


def test_a_round_that_makes_it_no_python_is_taken_back() -> None:
    source = SourceFile("a.py", "x = y\n")

    def check(text: str) -> list[Diagnostic]:
        loc = SourceRange(SourceFile("a.py", text), 4, 5)
        if "(" in text:
            return [Diagnostic(loc, "TS003", "'(' is never closed")]
        return [Diagnostic(loc, "TS999", "a fault", edit=replacing(loc, "("))]

    assert mend(source, check).text == source.text


def test_an_edit_that_does_not_help_ends() -> None:
    def check(text: str) -> list[Diagnostic]:
        loc = SourceRange(SourceFile("a.py", text), 0, 0)
        return [Diagnostic(loc, "TS999", "a fault", edit=replacing(loc, "#"))]

    assert mend(SourceFile("a.py", "x"), check).text == "#" * 20 + "x"


IMPORTS = """from __future__ import annotations

import torch
import sys


def f(x: float):
    import math
    y = math.floor(x)
    return y
"""


def test_an_import_moves_to_the_top(tmp_path: Path) -> None:
    path = tmp_path / "imports.py"
    path.write_text(IMPORTS, encoding="utf-8")
    done = mended_by_edits(IMPORTS, path, unsafe=True)
    moved = IMPORTS.replace("    import math\n", "").replace(
        "import torch", "import math\nimport torch"
    )
    assert done.text == moved and done.left == ()


OPTIONAL = f"""{HEAD}

class Net(nn.Module):
    cache: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.cache = None

    def fill(self, x: Tensor):
        self.cache = x

    def forward(self, x: Tensor):
        if self.cache is None:
            self.fill(x)
        return x + self.cache
"""


def test_a_copy_of_what_a_method_may_change_is_no_safe_edit(tmp_path: Path) -> None:
    path = tmp_path / "optional.py"
    path.write_text(OPTIONAL, encoding="utf-8")
    (found,) = faults_of(OPTIONAL, path)
    assert found.edit is not None and not found.edit.is_safe
