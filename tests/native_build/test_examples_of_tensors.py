"""The examples with tensors: C programs and ctypes give what torch.jit gives."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import minits
from minits.cli.main import main
from minits.cli.programs import import_source
from minits.native_build.values import AnyValue, ErrorValue
from minits.source import SourceFile
from tests.support.native_libraries import output_of
from tests.support.needs import need_compiler

need_compiler()
EXAMPLES = Path(__file__).parents[2] / "examples" / "native"
FAULT = "ValueError: samples are a vector of at least 32\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("voice")
    assert main(["build", f"{EXAMPLES / 'voice.py'}:detector", "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def chances() -> list[float]:
    """What torch.jit computes for the sounds of the examples."""
    module = import_source(SourceFile.read(EXAMPLES / "voice.py"))
    script = torch.jit.script(module.detector)
    sounds = [[math.sin(0.1 * (part + 1) * i) for i in range(512)] for part in range(3)]
    with torch.no_grad():
        return [script(torch.tensor(sound)).item() for sound in sounds]


def check(printed: str, chances: list[float]) -> None:
    found = [float(line) for line in printed.splitlines()]
    assert found == pytest.approx(chances, abs=1e-4)
    assert max(chances) - min(chances) > 0.01  # state and samples matter


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
@pytest.mark.parametrize("flags", [[], ["-fsanitize=address,undefined"]])
def test_the_example_in_c_prints_what_torch_computes(
    flags: list[str], built: Path, chances: list[float], tmp_path: Path
) -> None:
    for name in ("model.c", "model.h", "Makefile"):
        shutil.copy(built / name, tmp_path)
    output_of("make", "-C", tmp_path, *([f"CFLAGS=-g -fPIC -fwrapv {flags[0]}"] if flags else []))
    links = [f"-L{tmp_path}", "-lmodel", f"-Wl,-rpath,{tmp_path}", "-lm"]
    source, program = EXAMPLES / "voice.c", tmp_path / "voice"
    output_of("gcc", "-Wall", *flags, f"-I{tmp_path}", source, "-o", program, *links)
    leaks = {"ASAN_OPTIONS": "detect_leaks=0"}  # torch's own
    command = [str(program), str(built / "model.safetensors")]
    ran = subprocess.run(command, capture_output=True, text=True, env=leaks)
    assert (ran.returncode, ran.stderr) == (0, FAULT)
    check(ran.stdout, chances)


def test_the_example_in_another_language_prints_the_same(built: Path, chances: list[float]) -> None:
    script = EXAMPLES / "voice_by_ctypes.py"
    printed = output_of(sys.executable, "-I", "-S", script, built)
    assert printed.endswith(FAULT)
    check(printed.removesuffix(FAULT), chances)


def test_unfit_memory_is_refused(built: Path) -> None:
    library = ctypes.CDLL(str(built / "libmodel.so"))
    made, error, memory = AnyValue(), ErrorValue(), (ctypes.c_char * 64)()

    def new(dtype: int, *sizes: int) -> bytes | None:
        """Return the class of the error, if there is one."""
        array = (ctypes.c_int64 * max(len(sizes), 1))(*sizes)
        given = dtype, ctypes.c_int64(len(sizes)), array, memory
        if not library.model_new_tensor(*given, ctypes.byref(made), ctypes.byref(error)):
            library.model_clear(ctypes.byref(made))
            return None
        library.model_clear_error(ctypes.byref(error))
        return error.type

    assert [new(6, 2, 3), new(6), new(11, 0, 1 << 40), new(10, 4)] == [None] * 4
    assert [new(8, 1), new(-1, 1), new(16, 1), new(6, -1)] == [b"ValueError"] * 4
    assert [new(6, 1 << 62, 4), new(7, 1 << 62)] == [b"ValueError"] * 2
    none, view = AnyValue(), (ctypes.c_int64 * 5)()
    assert library.model_read_tensor(ctypes.byref(none), view, ctypes.byref(error))
    assert error.type == b"TypeError"
    library.model_clear_error(ctypes.byref(error))


def test_a_library_without_tensors_has_no_functions_of_these(tmp_path: Path) -> None:
    assert main(["build", str(EXAMPLES / "counting.py"), "-o", str(tmp_path)]) == 0
    assert "new_tensor" not in (tmp_path / "model.h").read_text()
    assert minits.load_native(tmp_path).collatz(27) == 111
