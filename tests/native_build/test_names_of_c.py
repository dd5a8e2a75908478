"""Names of a program that C, its library, its compilers or a library's own text use as well."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import minits
import minits.native
import minits.native_build
from minits.cli.main import main
from minits.native_build.building import write_library
from minits.native_build.loading import load_native
from minits.native_build.programs import exported

NAMES = (
    # of the text around the program
    "group", "method", "launch", "state", "arguments", "pool", "out", "groups", "values", "result",
    "error", "model", "model_call", "of_class_0", "kind_names", "constant_0", "v_linux", "site",
    "mts_list", "mts_run_group", "mts_own_group_run", "MTS_INT", "MTS_RAISED", "mts_value",
    "aoti_torch_zero_", "torch_list_size", "print", "any", "list", "text", "self", "i", "n",
    # of C and its compilers
    "linux", "unix", "i386", "main", "auto", "register", "restrict", "typeof", "constexpr",
    "nullptr", "alignas", "thread_local", "_Bool", "_Complex", "_Generic", "_Static_assert",
    "__func__", "__LINE__", "__linux__", "__attribute__", "__int128", "__builtin_expect",
    "bool", "int32_t", "uint8_t", "uint_fast8_t", "intptr_t", "size_t", "INT64_MAX", "INT8_C",
    "SIZE_MAX", "NULL", "EOF", "template", "vector", "near",
    # of its library
    "errno", "stdin", "malloc", "free", "memcpy", "strlen", "printf", "putchar", "write", "abort",
    "exit", "round", "pow", "powf", "gamma", "y0", "index", "fork", "isnan", "strchr", "qsort",
    # of others
    "_", "_private", "x_t", "été",
)  # fmt: skip
PROGRAMS = """
from typing import List

def NAME(number: int, word: str) -> int:
    total = 0
    for k in range(number):
        total += k * 2
        if total > 1000:
            raise ValueError("big " + word)
    return total

def parameter_INDEX(NAME: int, items: List[int]) -> int:
    total = 0
    for k in range(NAME):
        total += k * 2 + len(items)
        items.append(total)
    return total + NAME

def variable_INDEX(number: int, items: List[str]) -> str:
    NAME = [number]
    for k in range(number):
        NAME.append(k * 2)
    written = ""
    for item in items:
        written += item.upper() + str(NAME[-1])
    return written
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a library of all these programs, which the compiler builds without a word."""
    folder = tmp_path_factory.mktemp("names")
    found = []
    for index, name in enumerate(NAMES):
        text = PROGRAMS.replace("NAME", name).replace("INDEX", str(index))
        defined = minits.exec_source(text)
        for each in (name, f"parameter_{index}", f"variable_{index}"):
            found += exported(minits.script(defined[each]), each)
    write_library(found, folder)
    command = "gcc -std=gnu11 -O0 -fwrapv -fPIC -shared -Wall -Werror model.c -o libmodel.so -lm"
    made = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[:5000]
    return folder


@pytest.mark.slow
def test_a_library_of_such_names_does_what_the_programs_do(built: Path) -> None:
    model = load_native(built)
    for index, name in enumerate(NAMES):
        assert getattr(model, name)(5, "w") == 20, name
        assert getattr(model, f"parameter_{index}")(3, [1, 2]) == 18, name
        assert getattr(model, f"variable_{index}")(3, ["a", "b"]) == "A4B4", name
    with pytest.raises(RuntimeError, match="big w"):
        model.linux(100, "w")


def test_only_tables_of_the_program_begin_with_mts_own() -> None:
    """Whatever a function is called, its tables are none of the helpers."""
    for package in (minits.native, minits.native_build):
        for file in (Path(package.__file__ or "").parent / "c").rglob("*.[ch]"):
            assert not re.search(r"\bmts_own_", file.read_text()), file


def test_a_library_is_not_called_like_the_helpers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.py").write_text("def one(n: int) -> int:\n    return n\n")
    assert main(["build", f"{tmp_path / 'one.py'}:one", "-o", str(tmp_path), "--name", "mts"]) == 2
    assert "--name mts" in capsys.readouterr().err
