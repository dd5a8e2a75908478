"""What the page on native code says about libraries is true."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minits.cli.main import main
from minits.native_build.library_functions import OWN_NAMES, TENSOR_NAMES
from minits.native_build.make_files import BUILD_FLAGS, make_files
from tests.support.native_libraries import need_compiler

need_compiler()
ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")
SECTION = SECTION.partition("## Ahead of time")[2].partition("\n## ")[0]


def test_the_commands_that_build_print_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = re.findall(r"```console\n(\$ minits build .*\n(?:build/)(?:.|\n)*?)```", SECTION)
    assert len(found) == 2
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for shown in found:
        command, *lines = shown.splitlines()
        assert main(shlex.split(command.removeprefix("$ minits "))) == 0
        printed = capsys.readouterr()
        assert [*printed.err.splitlines(), *printed.out.splitlines()] == lines


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_the_commands_with_tensors_print_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shown,) = re.findall(r"```console\n(\$ minits build \S+voice.*?)```", SECTION, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    building, *others = shown.removeprefix("$ ").split("\n$ ")
    assert main(shlex.split(building.removeprefix("minits "))) == 0
    for text in others:
        command, *lines = text.splitlines()
        words = shlex.split(command)
        words[:1] = [sys.executable, "-I", "-S"] if words[0] == "python" else words[:1]
        ran = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
        )
        assert sorted(ran.stdout.splitlines()) == sorted(lines)


def test_the_c_is_that_of_the_examples() -> None:
    shown = re.findall(r"```C\n(.*?)```", SECTION, re.DOTALL)
    for text, file in zip(shown, ["counting.c", "voice.c"], strict=True):
        assert text in (ROOT / "examples" / "native" / file).read_text(encoding="utf-8")


def test_it_names_the_functions_of_the_header() -> None:
    table = SECTION.partition("| function | does |")[2].partition("\n\n")[0]
    assert re.findall(r"model_(\w+)\(", table) == [*OWN_NAMES, *TENSOR_NAMES]


@pytest.mark.parametrize("has_torch", [False, True])
def test_files_for_make_are_ten_lines(has_torch: bool) -> None:
    for text in make_files("model", has_torch).values():
        assert len(text.splitlines()) <= 10
        assert BUILD_FLAGS in text
        assert "torch" in text if has_torch else "torch" not in text
