"""What stands in a tree, a whole check goes through it: what cannot be read is a row of its own."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from minits.cli.main import main

DATA = Path(__file__).parents[1] / "data"
FAULTY = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.nothing("\x1b[31m \u202e")
"""
NAMES = {
    b"plain.py": "TS302",
    b"bom.py": "TS302",
    b"caf\xe9.py": "TS302",
    b"esc\x1b[31m\x07.py": "TS302",
    b"new\nline.py": "TS302",
    "\u202egnp.py".encode(): "TS302",
    b"dangling.py": "TS808",
    b"circle.py": "TS808",
    b"pipe.py": "TS808",
    b"mine.py": "TS808",
    b"closed": "TS808",
    b"latin.py": "TS001",
    b"nul.py": "TS002",
    b"deep.py": "TS006",
}
Checked = Callable[..., tuple[str, str]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)
    folder = tmp_path / "tree"
    (folder / "closed").mkdir(parents=True)
    monkeypatch.chdir(folder)
    contents = {
        b"bom.py": b"\xef\xbb\xbf" + FAULTY.encode(), b"latin.py": b"x = '\xe9'\n",
        b"nul.py": b"x = 1\0\n", b"deep.py": b"x = " + b"(" * 300 + b"1" + b")" * 300 + b"\n",
    }  # fmt: skip
    for name in NAMES:
        if not os.path.lexists(name):
            Path(os.fsdecode(name)).write_bytes(contents.get(name, FAULTY.encode()))
    for name, target in (("dangling.py", "nowhere"), ("circle.py", "circle.py")):
        Path(name).unlink()
        Path(name).symlink_to(target)
    Path("pipe.py").unlink()
    os.mkfifo("pipe.py")
    refuse(monkeypatch, "open", "mine.py")
    refuse(monkeypatch, "scandir", "closed")
    refuse(monkeypatch, "listdir", "closed")
    return folder


def refuse(monkeypatch: pytest.MonkeyPatch, function: str, name: str) -> None:
    """Let a function of `os` refuse a name, as it does for everybody but root."""
    original = getattr(os, function)

    def refused(path: object = ".", *rest: object, **options: object) -> object:
        if isinstance(path, (str, Path)) and Path(path).name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return original(path, *rest, **options)

    monkeypatch.setattr(os, function, refused)


@pytest.fixture
def check(tree: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Checked:
    def run(*arguments: str) -> tuple[str, str]:
        assert main(["check", "--jobs=1", *(arguments or (".",))]) == 1
        out, err = capfdbinary.readouterr()
        assert not set(b"\x1b\x07\r\0") & set(out + err)
        return out.decode(), err.decode()

    return run


def test_each_file_has_its_row(check: Checked) -> None:
    for _ in range(2):  # the second time from the cache
        out, _ = check(".", "--format=json")
        faults = json.loads(out)["faults"]
        found = {os.fsencode(each["file"]): each["code"] for each in faults}
        assert found == NAMES
        assert len(faults) == len(NAMES)


def test_text_has_no_characters_that_steer_a_terminal(check: Checked) -> None:
    out, err = check(".")
    assert not out
    assert "14 errors in 14 of 14 files" in err
    assert not set("\u202e\x9b") & set(err)
    assert r"esc\x1b[31m\x07.py:8:16: error" in err
    assert r"caf\udce9.py:8:16: error" in err
    assert "dangling.py:1:1: error: cannot read the file: No such file or directory [TS808]" in err
    assert "pipe.py:1:1: error: cannot read the file: It is no regular file [TS808]" in err
    assert "closed:1:1: error: cannot read the file: Permission denied [TS808]" in err
    line = next(i for i, each in enumerate(err.splitlines()) if "\u241b[31m" in each)
    assert err.splitlines()[line + 1].strip() == "^" * 9  # the pictures are as wide


def test_sarif_and_junit_are_read_by_their_readers(check: Checked, tmp_path: Path) -> None:
    for target in ([], ["-o", str(tmp_path / "written")]):
        out, _ = check(".", "--format=sarif", *target)
        text = out or (tmp_path / "written").read_text(encoding="utf-8")
        document = json.loads(text)
        schema = json.loads((DATA / "sarif-2.1.0.json").read_text("utf-8"))
        jsonschema.Draft4Validator(schema).validate(document)
        results = document["runs"][0]["results"]
        assert len(results) == len(NAMES)
        json.dumps(document, ensure_ascii=False).encode()  # no halves of characters
        assert '"caf%E9.py"' in text
        out, _ = check(".", "--format=junit", *target)
        root = ET.fromstring((out or (tmp_path / "written").read_text(encoding="utf-8")).encode())
        assert root.get("failures") == str(len(NAMES))
        out, _ = check(".", "--format=github", *target)
        lines = (out or (tmp_path / "written").read_text(encoding="utf-8")).splitlines()
        assert [line[:7] for line in lines] == ["::error"] * len(NAMES)
        check(".", "--format=text", *target)


def test_several_processes_say_the_same(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    Path("mine.py").unlink()
    Path("closed").rmdir()
    assert main(["check", "--jobs=2", "--no-cache", "--format=json", "."]) == 1
    faults = json.loads(capfdbinary.readouterr().out)["faults"]
    found = {os.fsencode(each["file"]): each["code"] for each in faults}
    assert found == {k: v for k, v in NAMES.items() if k not in (b"mine.py", b"closed")}


@pytest.mark.parametrize("name", [b"dangling.py", b"circle.py", b"pipe.py", b"mine.py"])
def test_what_is_named_has_its_row_as_well(check: Checked, name: bytes) -> None:
    assert "[TS808]" in check(os.fsdecode(name))[1]


def test_baselines_hold_any_name(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--jobs=1", ".", "--baseline=b.json", "--write-baseline"]) == 0
    assert main(["check", "--jobs=1", ".", "--baseline=b.json"]) == 0
    assert "14 more in the baseline" in "".join(capsys.readouterr())


@pytest.mark.slow
def test_a_byte_order_mark_stays(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "import torch\n\n\ndef f(x: torch.Tensor):\n    return x.sized(0)\n"
    Path("mark.py").write_bytes(b"\xef\xbb\xbf" + text.encode())
    main(["check", "--fix", "--unsafe-fixes", "mark.py"])
    capsys.readouterr()
    assert Path("mark.py").read_bytes() == b"\xef\xbb\xbf" + text.replace("sized", "size").encode()


COMMANDS = [
    ["compile", "FILE:f"], ["compile", "FILE:f", "--remarks"],
    ["run", "FILE:f", "--input=torch.ones(2)"], ["explain", "FILE:7"],
    ["compile", "FILE:f", "--no-import"], ["compile", "FILE:wrong"],
    ["report", "FILE:f", "-o", "out.html"], ["build", "FILE:f", "-o", "out", "--line-directives"],
    ["run", "FILE:raises", "--input=torch.ones(2)"], ["check", "FILE:f"],
]  # fmt: skip
PROGRAM = """
import torch
from typing import Tuple


def f(x: torch.Tensor) -> torch.Tensor:
    if bool(x.sum() > 100): print("\x1b[31m")
    return torch.tanh(x) * 2


def raises(x: torch.Tensor) -> torch.Tensor:
    assert x.dim() > 5, "\x1b[31m"
    return x


def wrong(x: torch.Tensor) -> torch.Tensor:
    return x.nothing("\x1b[31m")
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_takes_any_name(
    tree: Path, command: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    name = os.fsdecode(b"caf\xe9\x1b[31m.py")
    Path(name).write_text(f"\ufeff{PROGRAM}", encoding="utf-8")
    arguments = [each.replace("FILE", name) for each in command]
    status = main(arguments)
    out, err = capfdbinary.readouterr()
    assert status in (0, 1), err
    assert b"\x1b" not in err
    if command[0] in ("explain", "check"):
        assert b"\x1b" not in out
