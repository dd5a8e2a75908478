"""A folder of small files whose faults are known: `# E: TS302` stands at the line of each."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from minits.cli.main import main

DATA = Path(__file__).parents[1] / "data" / "check"
EXPECTED = re.compile(r"# E: (TS\d{3}(?: TS\d{3})*)$")
Fault = tuple[str, int, str]


def expected_faults(folder: Path) -> list[Fault]:
    found = []
    for path in sorted(folder.rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            match = EXPECTED.search(line)
            for code in match[1].split() if match else ():
                found.append((path.relative_to(folder).as_posix(), number, code))
    return sorted(found)


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict, str]:
    status = main(["check", "--format=json", *arguments])
    captured = capsys.readouterr()
    return status, json.loads(captured.out), captured.err


def faults_of(report: dict) -> list[Fault]:
    return sorted((each["file"], each["line"], each["code"]) for each in report["faults"])


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(DATA)
    return DATA


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))


def test_all_faults_are_found_once_and_none_is_false(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(list(folder.rglob("*.py"))) >= 40
    status, report, err = run_json(capsys, ".", "-j1")
    assert faults_of(report) == expected_faults(folder)
    assert status == 1
    assert re.match(r"\d+ errors in \d+ of \d+ files; \d+ not checked \(--verbose", err)


def test_processes_and_the_cache_give_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["package", "other", "functions.py:first", "typo_without_instance.py"]
    _, report, summary = run_json(capsys, *names, "-j2")
    expected = [
        fault
        for fault in expected_faults(folder)
        if fault[0].partition("/")[0] in ("package", "other", *names)
        or fault[:2] == ("functions.py", 8)
    ]
    assert faults_of(report) == expected
    assert run_json(capsys, *names) == (1, report, summary)
    _, again, _ = run_json(capsys, *names, "--no-cache")
    assert again == report


def test_what_is_not_checked_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "unannotated_init.py", "needs_more.py", "factory.py", "--verbose"]) == 0
    out, err = capsys.readouterr()
    assert out == "3 files: 1 program, no errors; 4 not checked\n"
    assert err.splitlines() == [
        "unannotated_init.py:5: note: Net is not checked: 'inner' of __init__ has no annotation "
        "and no default, and no call in the file makes it",
        "needs_more.py:5: note: Net is not checked: no sample is known for 'kind: str' of __init__",
        "factory.py:11: note: build is not checked: nothing in the file compiles it, and it is "
        "not named",
        "factory.py:15: note: optimizer_of is not checked: nothing in the file compiles it, and "
        "it is not named",
    ]


def test_a_fault_of_a_library_is_told_at_the_users_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, report, _ = run_json(capsys, "library_child.py", "library_function.py")
    child, function = report["faults"]
    assert child["notes"][0]["file"].endswith("torch/nn/modules/adaptive.py")
    assert function["notes"][0]["file"].endswith("/textwrap.py")
    assert function["line"] == 9


def test_samples_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, report, _ = run_json(capsys, "annotated_init.py")
    (fault,) = report["faults"]
    assert "checked as Net(width=8, bias=False)" in [note["message"] for note in fault["notes"]]


def test_a_named_file_is_checked_for_its_functions(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "operators.py"
    shutil.copy(folder / "functions.py", path)
    assert len(run_json(capsys, str(path))[1]["faults"]) == 2
    assert run_json(capsys, str(tmp_path))[1]["faults"] == []
    assert len(run_json(capsys, f"{path}:second")[1]["faults"]) == 1


def test_an_archive_is_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    import minits

    path = tmp_path / "model.pt"
    minits.save(minits.script(torch.nn.Linear(2, 2)), str(path))
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: 1 program, no errors\n"
    path.write_bytes(path.read_bytes()[:-40])
    status, report, _ = run_json(capsys, str(path))
    assert (status, [each["code"] for each in report["faults"]]) == (1, ["TS807"])


def test_text_of_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("def f(n: int):\n    return n.nothing\n"))
    status, report, _ = run_json(capsys, "-")
    assert (status, faults_of(report)) == (1, [("<stdin>", 2, "TS302")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_file.py"], "cannot read no_such_file.py"),
        (["*.nothing"], "no file fits *.nothing"),
        (["functions.py:nothing"], "has no 'nothing'"),
        (["needs_more.py:Net"], "Net needs arguments"),
        (["functions.py", "--select=XY1"], "'XY1' is no code"),
        ([".", "--module=Net()"], "--module is for one file"),
        (["functions.py", "--write-baseline"], "--write-baseline needs --baseline FILE"),
        (["functions.py", "--baseline=nothing.json"], "cannot read nothing.json"),
        (["functions.py", "--jobs=0"], "--jobs must be a positive number"),
    ],
)
def test_misuse(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_module_of_an_expression(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = "unannotated_init.py"
    assert main(["check", file, "--module=Net(nn.ReLU())"]) == 0
    assert main(["check", file, "--module=Net(nothing)"]) == 1
    assert "[TS803]" in capsys.readouterr().err


def test_a_process_that_ends_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ends.py").write_text(
        "import os\nimport torch\n\n\n@torch.jit.script\ndef f(x):\n    return x\n\n\n"
        "os.kill(os.getpid(), 9)\n"
    )
    (tmp_path / "fine.py").write_text(
        "import torch\n\n\n@torch.jit.script\ndef f(x):\n    return x.nothing()\n"
    )
    status, report, err = run_json(capsys, str(tmp_path), "-j2")
    assert (status, len(report["faults"])) == (3, 1)
    assert "ends.py has ended" in err


CALLED = """
import torch
from torch import Tensor, nn


def picked(x: Tensor) -> Tensor:
    return inner(x) * 2


def inner(x: Tensor) -> Tensor:
    return x.{name}()


def trained(path: str) -> None:
    open(path)


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return picked(x)
"""


@pytest.mark.parametrize("name", ["relu", "nothing"])
def test_what_the_programs_call_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / "called.py"
    path.write_text(CALLED.format(name=name))
    _, report, _ = run_json(capsys, str(path))
    assert [each["name"] for each in report["unchecked"]] == ["trained"]
    assert [each["code"] for each in report["faults"]] == ["TS302"] * (name == "nothing")


ENDS = {
    "import os; os._exit(0)": ["TS801"],
    "import sys; sys.exit(0)": ["TS801"],
    "class Stop(BaseException): pass\nraise Stop('x')": ["TS801"],
    "raise GeneratorExit": ["TS801"],
    "import os; os.chdir('/')": [],
    "import sys; sys.setrecursionlimit(200)": [],
    "import sys; sys.stderr = None": [],
    "import os\nif os.fork() == 0: os._exit(0)\nos.wait()": [],
}
FAULTY = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.nothing()
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("code", ENDS)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_what_a_file_does_to_the_process_hides_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(FAULTY.replace("nothing", "relu") + code)
    (tmp_path / "b.py").write_text(FAULTY)
    status, report, _ = run_json(capsys, ".", "-j1")
    found = [(each["file"], each["code"]) for each in report["faults"]]
    assert found == [*(("a.py", each) for each in ENDS[code]), ("b.py", "TS302")]
    assert status == 1


def test_that_files_are_run_is_said_once_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(FAULTY)
    hint = "--no-import compiles"
    main(["check", "-j1", str(tmp_path)])
    assert hint not in capsys.readouterr().err
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["check", "-j1", str(tmp_path)])
    assert capsys.readouterr().err.count(hint) == 1
    main(["check", "-j1", str(tmp_path), "--no-import"])
    assert hint not in capsys.readouterr().err
