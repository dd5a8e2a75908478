"""What pyproject.toml says, which faults are reported, and the baseline."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from minits.check.selection import is_selected
from minits.check.settings import Settings, SettingsError, read_settings
from minits.cli.main import main

ROOT = Path(__file__).parents[2]
FAULTY = """
import torch


@torch.jit.script
def f(x):
    unknown(x)
    return x.nothing()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / ".cache"))
    for name in ("src/new.py", "src/legacy/old.py", "src/made_pb2.py", "tools/run.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FAULTY)
    return tmp_path


def faults(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    main(["check", "--format=json", *arguments])
    found = json.loads(capsys.readouterr().out)["faults"]
    return [(each["file"], each["code"]) for each in found]


def configure(project: Path, text: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.minits]\n{text}")


OF_NO_PAGE = ("root", "per_file_ignores", "imports", "imported", "libraries")
"""Fields of another spelling, and those of the command line."""


def test_the_settings_of_the_page_are_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "check.md").read_text("utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    path = tmp_path / "pyproject.toml"
    path.write_text(block)
    settings = read_settings(tmp_path)
    assert settings.include == ["src"]
    assert settings.programs == [("src/ops.py", "*"), ("src/net.py", "Net(8, 2)")]
    assert settings.per_file_ignores == {"src/legacy/": ["TS4", "TS302"]}
    assert settings.baseline == tmp_path / "minits-baseline.json"
    named = set(re.findall(r"^([\w-]+) =", block, re.MULTILINE))
    assert {name.replace("-", "_").replace("import", "imports") for name in named} == {
        slot for slot in Settings.__slots__ if slot not in OF_NO_PAGE
    } | {"imports"}


def test_include_exclude_and_ignores_of_files(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(
        project,
        'include = ["src"]\nexclude = ["*_pb2.py"]\n'
        '[tool.minits.per-file-ignores]\n"src/legacy/" = ["TS31"]\n',
    )
    assert faults(capsys) == [
        ("src/new.py", "TS311"), ("src/new.py", "TS302"), ("src/legacy/old.py", "TS302"),
    ]  # fmt: skip
    assert faults(capsys, "tools") == [("tools/run.py", "TS311"), ("tools/run.py", "TS302")]
    assert faults(capsys, "--exclude=src/legacy", "--ignore=TS302") == [("src/new.py", "TS311")]


def test_programs_are_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "new.py").write_text(
        "import torch\nfrom torch import nn\n\n\ndef f(n: int):\n    return n.nothing\n\n\n"
        "class Net(nn.Module):\n    def __init__(self, inner):\n        super().__init__()\n"
        "        self.inner = inner\n\n    def forward(self, x):\n        return self.inner(x, x)\n"
    )
    assert faults(capsys, "src/new.py") == []
    configure(project, 'programs = ["src/new.py:f", "src/new.py:Net(nn.ReLU())"]')
    assert faults(capsys, "src/new.py") == [("src/new.py", "TS302"), ("src/new.py", "TS402")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing = 1", "tool.minits.nothing is no setting"),
        ("include = 'src'", "tool.minits.include must be a list of strings"),
        ("dialect = 'other'", "tool.minits.dialect must be one of torch, extended"),
        ("select = ['F401']", "'F401' is no code"),
        ("programs = ['ops.py']", "'ops.py' must be a file and a name"),
        ("discover = ['all']", "'all' is none of compiled, modules, functions"),
        ("import = 1", "tool.minits.import must be true or false"),
        ("baseline = 1", "tool.minits.baseline must be the name of a file"),
        ("per-file-ignores = []", "must be a table of globs"),
        ("include = [", "pyproject.toml: "),
    ],
)
def test_wrong_settings_are_misuse(
    text: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(project, text)
    assert main(["check"]) == 2
    assert message in capsys.readouterr().err


def test_a_file_of_settings_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        read_settings(tmp_path, tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    ("select", "ignore", "is_reported"),
    [
        (["TS"], [], True),
        (["TS"], ["TS4"], False),
        (["TS402"], ["TS4"], True),
        (["TS4"], ["TS40"], False),
        (["TS3"], [], False),
        (["TS402"], ["TS402"], False),
    ],
)
def test_the_longer_beginning_of_a_code_decides(
    select: list[str], ignore: list[str], is_reported: bool
) -> None:
    settings = Settings(Path(), select=select, ignore=ignore)
    assert is_selected("TS402", settings) == is_reported


def test_a_baseline_keeps_old_faults_quiet(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["check", "src", "--baseline=known.json"]
    assert main([*arguments, "--write-baseline"]) == 0
    assert "the baseline lists 6 faults" in capsys.readouterr().out
    assert main(arguments) == 0
    assert "no errors; 6 more in the baseline" in capsys.readouterr().out
    path = project / "src" / "new.py"
    path.write_text(
        f"# a line above\n{FAULTY}\n\n@torch.jit.script\ndef g(x):\n    return x.more()\n"
    )
    assert main(arguments) == 1
    assert capsys.readouterr().err.endswith("1 error in 1 of 3 files; 6 more in the baseline\n")
    path.write_text("import torch\n")
    assert main(arguments) == 0
    assert "2 of the baseline gone" in capsys.readouterr().out


def test_what_is_no_baseline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("{", "[]", '{"version": 1, "faults": [1]}', '{"version": 9, "faults": []}'):
        (project / "known.json").write_text(text)
        assert main(["check", "src", "--baseline=known.json"]) == 2
        assert "baseline" in capsys.readouterr().err


COMMENTS = {
    "# minits: ignore": [],
    "#minits:ignore": [],
    "# as in v1  # minits: ignore[TS302]": [],
    "# minits: ignore[TS9, TS3]": [],
    "# minits: ignore [TS302] why": [],
    "# minits: ignore[TS301]": ["TS302"],
    "# minits: ignore[]": ["TS302"],
    "# minits: ignored": ["TS302"],
    "# noqa": ["TS302"],
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment_ignores_faults_of_its_line(
    comment: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FAULTY.replace("    unknown(x)\n", "").replace("nothing()", f"nothing()  {comment}")
    (project / "src/new.py").write_text(text)
    for _ in "ab":  # the second time from the cache
        assert [code for _, code in faults(capsys, "src/new.py")] == COMMENTS[comment]
    assert faults(capsys, "src/legacy") != []


def test_a_comment_stands_on_the_first_or_last_line_of_a_fault(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FAULTY.replace("    unknown(x)\n", "")
    call = "x.nothing(  # minits: ignore\n        1,\n    )"
    (project / "src/new.py").write_text(text.replace("x.nothing()", call))
    assert faults(capsys, "src/new.py") == []
    call = "x.nothing(\n        1,  # minits: ignore\n    )"
    (project / "src/new.py").write_text(text.replace("x.nothing()", call))
    assert len(faults(capsys, "src/new.py")) == 1


def test_an_ignored_fault_is_not_mended(project: Path) -> None:
    text = "import torch\n\n\n@torch.jit.script\ndef f(x):\n    return torch.softmaxx(x, 0){}\n"
    path = project / "src/new.py"
    path.write_text(text.format("  # minits: ignore"))
    main(["check", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text() == text.format("  # minits: ignore")
    path.write_text(text.format(""))
    main(["check", "--fix", "--unsafe-fixes", str(path)])
    assert "softmax(" in path.read_text()
