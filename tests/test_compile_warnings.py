"""Warnings of compilations, as Python, `minits check` and editors show them; and their edits."""

from __future__ import annotations

import json
import linecache
import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.cli.main import main
from minits.compile_warnings import collected_warnings
from minits.cures.mending import mend
from minits.diagnostics import CompileError, Diagnostic
from minits.queries.text_analysis import analyse_text
from minits.source import SourceFile
from tests.support.mistakes import programs_of

HEADER = "from typing import Dict, List, Optional\nimport torch\nfrom torch import Tensor, nn\n\n"
USED = "    if b is not None:\n        x = x + b\n    return x\n"
FORMS = {
    "unannotated": "def f(x, b=None):\n" + USED,
    "annotated": "def f(x, b: Tensor = None):\n" + USED,
    "by the module": "def f(x, b: torch.Tensor = None):\n" + USED,
    "a string": 'def f(x, b: "Tensor" = None):\n' + USED,
    "without blanks": "def f(x, b: Tensor=None):\n" + USED,
    "a method": "class M(nn.Module):\n    def forward(self, x, b=None):\n"
    "        if b is not None:\n            x = x + b\n        return x\n",
    "a callee": "def g(x, b=None):\n" + USED + "\ndef f(x):\n    return g(x, x)\n",
    "a comment": "def f(x, b=None):\n    # type: (Tensor, Tensor) -> Tensor\n" + USED,
}
SILENT = {
    "Optional": "def f(x, b: Optional[Tensor] = None):\n" + USED,
    "an int": "def f(x, b: Optional[int] = None):\n    return x\n",
    "a value": "def f(x, b: Tensor = torch.ones(2)):\n    return x + b\n",
    "none": "def f(x, b: Tensor):\n    return x + b\n",
}


def found_in(text: str, path: Path, dialect: str = "torch") -> list[Diagnostic]:
    """Return the warnings of a file's functions and modules, once each, and their faults."""
    found: list[Diagnostic] = []
    for program in programs_of(text, path):
        with collected_warnings() as collected:
            try:
                minits.script(program, dialect=dialect)
            except CompileError as fault:
                found += fault.diagnostics
        found += collected
    return found


@pytest.mark.parametrize("dialect", ["torch", "extended"])
@pytest.mark.parametrize("form", FORMS)
def test_a_tensor_that_is_none_by_default(form: str, dialect: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(HEADER + FORMS[form], encoding="utf-8")
    (found,) = found_in(HEADER + FORMS[form], path, dialect)
    assert (found.code, found.severity) == ("TS217", "warning")
    assert found.range is not None and found.range.text.startswith("b")
    assert found.fix == "annotate `b: Optional[Tensor] = None`"
    torch.jit.script(programs_of(HEADER + FORMS[form], path)[-1])  # no error there
    if form == "a comment":  # whose types are those of the parameters
        assert found.edit is None
        return
    assert found.edit is not None and found.edit.is_safe
    done = mend(SourceFile(str(path), HEADER + FORMS[form]), lambda text: found_in(text, path))
    assert done.left == ()
    assert "b: Optional[Tensor] = None" in done.text.replace("]=None", "] = None")


@pytest.mark.parametrize("form", SILENT)
def test_other_defaults_do_not_warn(form: str, tmp_path: Path) -> None:
    assert found_in(HEADER + SILENT[form], tmp_path / "program.py") == []


def test_the_edit_is_a_guess_where_none_is_not_asked_for(tmp_path: Path) -> None:
    """A Tensor is added, which an Optional cannot be."""
    text = HEADER + "def f(x, b: Tensor = None):\n    return x + b\n"
    (found,) = found_in(text, tmp_path / "program.py")
    assert found.edit is not None and not found.edit.is_safe


@pytest.mark.parametrize(
    ("imports", "written"),
    [
        ("import torch\nfrom torch import Tensor\n", "Tensor | None"),
        ("import torch\n# an Optional Tensor\n", "torch.Tensor | None"),
        ("import torch, typing\nTensor = typing.Optional[torch.Tensor]\n", "Tensor | None"),
        ("from typing import Optional\nimport torch\n", "Optional[torch.Tensor]"),
    ],
)
def test_the_edit_has_names_of_the_file(imports: str, written: str, tmp_path: Path) -> None:
    (found,) = found_in(f"{imports}\ndef f(x, b=None):\n{USED}", tmp_path / "program.py")
    assert found.edit is not None
    assert [each.text.lstrip(": ") for each in found.edit.replacements] == [f"{written} = "]


def test_a_call_that_leaves_it_out_is_mended_where_it_is_declared(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    text = HEADER + FORMS["unannotated"] + "\ndef g(x):\n    return f(x)\n"
    path.write_text(text, encoding="utf-8")
    linecache.checkcache(str(path))
    (warned, error) = found_in(text, path)
    assert (warned.code, error.code) == ("TS217", "TS216")
    assert error.fix == "annotate `b: Optional[Tensor] = None`, or give 'b' in the call"
    assert [note.message for note in error.notes] == ["'b' is declared here"]
    done = mend(SourceFile(str(path), text), lambda new: found_in(new, path))
    assert done.left == ()


def unannotated(x: Tensor, b=None):  # type: ignore[no-untyped-def]
    if b is not None:
        x = x + b
    return x


def test_a_call_from_python_names_the_cure() -> None:
    with pytest.warns(UserWarning, match=r"annotate `b: .*\[TS217\]") as seen:
        compiled = minits.script(unannotated)
    (found,) = seen
    place = (found.filename, found.lineno)
    assert place == (__file__, unannotated.__code__.co_firstlineno)
    assert torch.equal(compiled(torch.ones(2), torch.ones(2)), torch.full((2,), 2.0))
    for _ in range(3):
        with pytest.raises(RuntimeError) as failed:
            compiled(torch.ones(2))
        if sys.version_info >= (3, 11):
            (note,) = failed.value.__notes__
            assert note.startswith("help: 'b' is None in this call, and its type is Tensor: ")


def test_warnings_of_libraries_are_not_shown(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    assert found_in(HEADER + FORMS["unannotated"], folder / "program.py") == []


# ---- In `minits check` and in editors ------------------------------------------------------------


WARNS = HEADER + FORMS["unannotated"] + "\nscripted = torch.jit.script(f)\n"


def check(path: Path, *options: str) -> int:
    return main(["check", "--no-cache", str(path), *options])


@pytest.fixture
def warning(tmp_path: Path) -> Path:
    path = tmp_path / "warns.py"
    path.write_text(WARNS, encoding="utf-8")
    return path


def test_check_shows_a_warning_and_succeeds(warning: Path, capsys: Any) -> None:
    assert check(warning) == 0
    out, err = capsys.readouterr()
    assert f"{warning}:5:10: warning: 'b' has no annotation, so it is a Tensor" in err
    assert "help: annotate `b: Optional[Tensor] = None`" in err
    assert "1 program, no errors; 1 warning" in out


def test_check_without_imports(warning: Path, capsys: Any) -> None:
    assert check(warning, "--no-import") == 0
    assert "[TS217]" in capsys.readouterr().err


def test_check_ignores_a_warning(warning: Path, capsys: Any) -> None:
    assert check(warning, "--ignore", "TS217") == 0
    out, err = capsys.readouterr()
    assert "1 program, no errors" in out
    assert "warning" not in out.replace(str(warning), "") + err


def test_check_mends_a_warning(warning: Path, capsys: Any) -> None:
    assert check(warning, "--fix") == 0
    assert "def f(x, b: Optional[Tensor] = None):" in warning.read_text(encoding="utf-8")
    assert "[TS217]" not in capsys.readouterr().err


def test_a_baseline_knows_warnings(warning: Path, tmp_path: Path, capsys: Any) -> None:
    baseline = str(tmp_path / "baseline.json")
    assert check(warning, "--baseline", baseline, "--write-baseline") == 0
    assert check(warning, "--baseline", baseline) == 0
    assert "1 more in the baseline" in capsys.readouterr().out


def test_formats_have_warnings(warning: Path, capsys: Any) -> None:
    shown = {}
    for name in ("json", "sarif", "github", "junit"):
        assert check(warning, "--format", name) == 0
        shown[name] = capsys.readouterr().out
    (fault,) = json.loads(shown["json"])["faults"]
    assert fault["severity"] == "warning"
    (result,) = json.loads(shown["sarif"])["runs"][0]["results"]
    assert result["level"] == "warning"
    assert shown["github"].startswith("::warning ")
    root = ET.fromstring(shown["junit"])
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
    assert root.find("testsuite/testcase/system-out") is not None


def test_a_function_of_two_files_is_warned_of_once(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "b_shared.py").write_text(HEADER + FORMS["unannotated"], encoding="utf-8")
    for name in ("a_first", "c_second"):
        text = "import torch\nfrom b_shared import f\n\n@torch.jit.script\ndef g(x):\n"
        (tmp_path / f"{name}.py").write_text(f"{text}    return f(x, x)\n", encoding="utf-8")
    for order in ("a_first", "b_shared", "c_second"), ("c_second", "b_shared", "a_first"):
        paths = [str(tmp_path / f"{name}.py") for name in order]
        assert main(["check", "--no-cache", "--jobs=1", *paths]) == 0
        assert capsys.readouterr().err.count("[TS217]") == 1


def test_a_wrapper_is_a_row_of_the_check(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "wrapped.py"
    path.write_text(
        "import functools\nimport torch\n\ndef doubled(f):\n    @functools.wraps(f)\n"
        "    def inner(x):\n        return 2 * f(x)\n    return inner\n\n"
        "@torch.jit.script\n@doubled\ndef f(x: torch.Tensor):\n    return x\n",
        encoding="utf-8",
    )
    assert check(path) == 0
    assert "warning: f is compiled without its decorator" in capsys.readouterr().err


def test_editors_show_the_warnings_of_programs() -> None:
    source = SourceFile("/nowhere/warns.py", WARNS)
    (found,) = analyse_text(source).diagnostics
    assert (found.code, found.severity) == ("TS217", "warning")
    assert found.range is not None and found.range.source is source


def test_a_block_has_its_own_warnings() -> None:
    def plain(x, b=None):  # type: ignore[no-untyped-def]
        return x

    with warnings.catch_warnings(), collected_warnings() as outer:
        warnings.simplefilter("error")
        with collected_warnings() as inner:
            minits.script(plain)
    assert (len(outer), len(inner)) == (0, 1)


def test_a_compilation_that_fails_does_not_warn(tmp_path: Path) -> None:
    text = HEADER + "def f(x, b=None):\n    return x.nothing()\n"
    assert [each.code for each in found_in(text, tmp_path / "program.py")] == ["TS302"]
