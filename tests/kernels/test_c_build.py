"""Building C text: the cache, who may have written it, and what is said where it fails."""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from minits.kernels import c_build

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)
ADD_ONE = "int add_one(int x) { return x + 1; }"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    caches = (c_build.cache_folder, c_build.compiler, c_build._machine)
    for function in caches:
        function.cache_clear()
    yield tmp_path / "kernels"
    monkeypatch.undo()
    for function in caches:
        function.cache_clear()


@needs_compiler
def test_text_becomes_a_library_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert c_build.build(ADD_ONE).add_one(41) == 42
    (library,) = folder.iterdir()
    assert library.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0

    def must_not_run(*_: object) -> None:
        raise AssertionError("the cache was not used")

    monkeypatch.setattr(c_build, "_run", must_not_run)
    assert c_build.build(ADD_ONE).add_one(1) == 2


@needs_compiler
def test_what_others_could_have_written_is_built_again(folder: Path) -> None:
    c_build.build(ADD_ONE)
    (library,) = folder.iterdir()
    library.unlink()  # not overwritten: this process has it loaded
    library.write_bytes(b"not mine")
    library.chmod(0o722)
    assert c_build.build(ADD_ONE).add_one(1) == 2


@needs_compiler
def test_a_folder_that_others_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    other = c_build.cache_folder()
    assert other != folder
    assert other.stat().st_mode & 0o077 == 0
    assert c_build.build(ADD_ONE).add_one(1) == 2
    assert not list(folder.iterdir())
    shutil.rmtree(other)


@needs_compiler
def test_a_library_does_not_change_how_the_process_computes() -> None:
    library = c_build.build("double half(double x) { return x * 0.5; }")
    library.half.restype, library.half.argtypes = ctypes.c_double, [ctypes.c_double]
    assert library.half(5e-324 * 4) == 5e-324 * 2
    assert (torch.tensor([1e-40]) * 1.0).item() != 0.0


@needs_compiler
def test_a_text_that_is_no_c_is_told_with_the_compilers_word(folder: Path) -> None:
    with pytest.raises(c_build.NoCompiler, match="does not build a kernel"):
        c_build.build("this is no C")
    assert not list(folder.iterdir())


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(c_build.NoCompiler, match="CC=no-such-compiler"):
        c_build.build(ADD_ONE)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(c_build.NoCompiler, match="install gcc"):
        c_build.build(ADD_ONE)
