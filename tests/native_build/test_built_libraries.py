"""`minits build`: the files of a library, C programs and other languages that call it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import minits
from minits.cli.main import main
from minits.native_build.building import write_library
from minits.native_build.programs import exported
from tests.support.native_libraries import compiled_with, output_of
from tests.support.needs import need_compiler

need_compiler()
ROOT = Path(__file__).parents[2]
FUNCTIONS = str(ROOT / "examples" / "functions.py")
EXAMPLES = ROOT / "examples" / "native"
COUNTING = str(EXAMPLES / "counting.py")
PRINTED = "collatz: 111\nstart: 97\nsteps: 118\nthe: 2\ncat: 1\nand: 1\nhat: 1\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    assert main(["build", COUNTING, "-o", str(folder)]) == 0
    return folder


def run_example(folder: Path, *flags: str) -> str:
    source, program = str(EXAMPLES / "counting.c"), str(folder / "counting")
    command = ["gcc", "-g", "-fwrapv", "-Wall", "-Wextra", *flags, f"-I{folder}", source]
    made = subprocess.run(
        [*command, str(folder / "model.c"), "-lm", "-o", program], capture_output=True, text=True
    )
    if "asan" in made.stderr or "sanitize" in made.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert (made.returncode, made.stderr) == (0, "")
    ran = subprocess.run([program, "27"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.splitlines() == [
        "ValueError: -5 never reaches 1",
        '  at counting.py:12: raise ValueError("{} never reaches 1".format(n))',
    ]
    return ran.stdout


def test_it_writes_five_files(built: Path) -> None:
    names = {"model.c", "model.h", "Makefile", "CMakeLists.txt", "libmodel.so"}
    assert {path.name for path in built.iterdir()} >= names
    for name in ("Makefile", "CMakeLists.txt"):
        assert len((built / name).read_text().splitlines()) <= 10


def test_functions_are_named_as_in_the_program_and_have_its_lines(built: Path) -> None:
    text = (built / "model.c").read_text()
    for name in ("collatz", "count_words"):
        assert re.search(rf"static int32_t {name}\(", text)
    assert "// counting.py:15: n = n // 2 if n % 2 == 0 else 3 * n + 1" in text
    assert "#line" not in text


def test_the_example_in_c_runs(built: Path) -> None:
    assert run_example(built) == PRINTED


def test_the_example_in_c_runs_under_sanitizers(built: Path) -> None:
    assert run_example(built, "-fsanitize=address,undefined") == PRINTED


def test_the_example_in_another_language_runs(built: Path) -> None:
    library, script = built / "libmodel.so", EXAMPLES / "counting_by_ctypes.py"
    printed = output_of(sys.executable, "-I", "-S", script, library, 27)
    assert printed == "collatz: 111\nValueError: -5 never reaches 1, line 12\n"


def test_the_library_links_nothing_but_the_c_library(built: Path) -> None:
    needed = output_of("readelf", "-d", built / "libmodel.so")
    assert set(re.findall(r"NEEDED.*\[(.*)\]", needed)) <= {
        "libc.so.6", "libm.so.6", "libpthread.so.0"
    }  # fmt: skip
    defined = output_of("nm", "-D", "--defined-only", built / "libmodel.so")
    assert {line.split()[-1] for line in defined.splitlines()} == {
        f"model_{each}"
        for each in "create call declarations parameters classes clear clear_error destroy".split()
    }


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_the_makefile_builds_it(built: Path, tmp_path: Path) -> None:
    for name in ("model.c", "model.h", "Makefile"):
        shutil.copy(built / name, tmp_path)
    assert "-shared model.c" in output_of("make", "-C", tmp_path)
    assert minits.load_native(tmp_path).collatz(27) == 111


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_cmake_builds_it(built: Path, tmp_path: Path) -> None:
    for name in ("model.c", "model.h", "CMakeLists.txt"):
        shutil.copy(built / name, tmp_path)
    output_of("cmake", "-S", tmp_path, "-B", tmp_path / "out")
    output_of("cmake", "--build", tmp_path / "out")
    assert minits.load_native(tmp_path / "out").collatz(27) == 111


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_cmake_finds_torch(tmp_path: Path) -> None:
    """The file has no path of this machine: the prefix is given, as to find_package(Torch)."""

    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x) + 1

    program = list(exported(minits.script(f), "f"))
    write_library(program, tmp_path, "model")
    text = (tmp_path / "CMakeLists.txt").read_text()
    assert str(Path(torch.__file__).parent) not in text
    out, prefix = tmp_path / "out", torch.utils.cmake_prefix_path
    refused = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", out], capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0 and "Could not find TORCH_CPU" in refused.stderr
    for folder in (prefix, Path(torch.__file__).parent):
        shutil.rmtree(out)
        output_of("cmake", "-S", tmp_path, "-B", out, f"-DCMAKE_PREFIX_PATH={folder}")
        output_of("cmake", "--build", out)
        torch.testing.assert_close(minits.load_native(out).f(torch.ones(2)), torch.full((2,), 2.0))


def test_two_libraries_are_linked_into_one_program(tmp_path: Path) -> None:
    for name, program in (("one", "collatz"), ("other", "edit_distance")):
        arguments = ["build", f"{FUNCTIONS}:{program}", "-o", str(tmp_path), "--name", name]
        assert main([*arguments, "--no-compile"]) == 0
    (tmp_path / "main.c").write_text(
        """
#include "one.h"
#include "other.h"
int main(void)
{
    mts_model *one, *other;
    mts_error error;
    mts_any result, n = mts_from_int(27);
    if (one_create(0, &one, &error) || other_create(0, &other, &error)) return 1;
    if (one_call(one, "collatz", &n, 1, &result, &error) || result.as.integer != 111) return 2;
    mts_any lists[] = {mts_from_items(MTS_LIST, 1, &n), mts_from_items(MTS_LIST, 0, 0)};
    if (other_call(other, "edit_distance", lists, 2, &result, &error)) return 3;
    if (result.as.integer != 1) return 4;
    one_destroy(one);
    other_destroy(other);
    return 0;
}
"""
    )
    sources = [tmp_path / name for name in ("main.c", "one.c", "other.c")]
    output_of("gcc", "-Wall", "-fwrapv", *sources, "-lm", "-o", tmp_path / "main")
    output_of(tmp_path / "main")


def test_run_native_prints_what_run_prints(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["run", f"{FUNCTIONS}:count_words", "--input", "'a b a'"]
    assert main(call) == 0
    expected = capsys.readouterr().out
    assert main([*call, "--native"]) == 0
    assert capsys.readouterr().out == expected == "{'a': 2, 'b': 1}\n"


def test_what_cannot_be_c_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = str(EXAMPLES / "shown.py")
    assert main(["build", f"{shown}:doubled", "-o", str(tmp_path)]) == 1
    said = "Union[int, str] is not native: the program cannot be a library in C"
    assert said in capsys.readouterr().err
    assert main(["build", shown, "-o", str(tmp_path), "--no-compile"]) == 0
    assert "note: doubled is left out" in capsys.readouterr().err
    assert main(["build", FUNCTIONS, "-o", str(tmp_path), "--name", "a b"]) == 2


def halves(n: int) -> int:
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count


MAIN = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result, n = mts_from_int(40);
    if (model_create(0, &model, &error)) return 1;
    if (model_call(model, "halves", &n, 1, &result, &error)) return 2;
    printf("%d", (int)result.as.integer);
    model_destroy(model);
    return 0;
}
"""


def test_line_directives_have_the_lines_of_the_program(tmp_path: Path) -> None:
    program = compiled_with(halves, MAIN, tmp_path, "-O0", line_directives=True)
    assert output_of(program) == "5"
    first = halves.__code__.co_firstlineno
    assert f'#line {first + 3} "{Path(__file__).resolve()}"' in (tmp_path / "model.c").read_text()
    if shutil.which("gdb") is None:
        return
    stop = f"break {Path(__file__).name}:{first + 3}"
    asked = ["gdb", "-q", "-nx", "-batch", "-ex", stop, "-ex", "run", "-ex", "next", str(program)]
    told = subprocess.run(asked, capture_output=True, text=True)
    if "ptrace" in told.stderr or "Could not trace" in told.stderr:
        pytest.skip("processes cannot be traced here")
    assert f"{first + 3}\t        n = n // 2" in told.stdout
    assert f"{first + 4}\t        count += 1" in told.stdout
