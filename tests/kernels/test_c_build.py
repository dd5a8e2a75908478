"""Building C text: the cache, who may have written it, and what is said where it fails."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import torch

from minits.kernels.cpu import c_build, c_compiler, cache

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)
ADD_ONE = "int add_one(int x) { return x + 1; }"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has built nothing."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    forget(monkeypatch)
    return tmp_path / "kernels"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load libraries from their files again."""
    monkeypatch.setattr(c_build, "_LIBRARIES", c_build.Libraries())


@needs_compiler
def test_text_becomes_a_library_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert c_build.build(ADD_ONE).add_one(41) == 42
    (library,) = folder.iterdir()
    assert library.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0

    def must_not_run(*_: object) -> None:
        raise AssertionError("the cache was not used")

    monkeypatch.setattr(c_compiler, "run", must_not_run)
    assert c_build.build(ADD_ONE).add_one(1) == 2
    forget(monkeypatch)
    assert c_build.build(ADD_ONE).add_one(1) == 2
    assert c_build.build(f"{ADD_ONE}  // model.py:12").add_one(1) == 2


@needs_compiler
def test_a_folder_that_others_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    other = cache.cache_folder()
    assert other != folder
    assert other.stat().st_mode & 0o077 == 0
    assert c_build.build(ADD_ONE).add_one(1) == 2
    assert not list(folder.iterdir())


@needs_compiler
def test_a_library_does_not_change_how_the_process_computes() -> None:
    library = c_build.build("double half(double x) { return x * 0.5; }")
    library.half.restype, library.half.argtypes = ctypes.c_double, [ctypes.c_double]
    assert library.half(5e-324 * 4) == 5e-324 * 2
    assert (torch.tensor([1e-40]) * 1.0).item() != 0.0


@needs_compiler
def test_a_text_that_is_no_c_is_told_with_the_compilers_word(folder: Path) -> None:
    with pytest.raises(c_build.NoCompiler, match=r"does not build a kernel: .*error"):
        c_build.build("this is no C")
    assert not list(folder.iterdir())
    assert c_build.build(ADD_ONE).add_one(1) == 2, "the compiler is as good as it was"


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(c_build.NoCompiler, match="CC=no-such-compiler"):
        c_build.build(ADD_ONE)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(c_build.NoCompiler, match="install gcc"):
        c_build.build(ADD_ONE)


# ---- Folders in which C is built -----------------------------------------------------------------


def test_an_interrupted_build_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt), c_compiler.scratch_folder(tmp_path) as made:
        assert made.parent == tmp_path
        raise KeyboardInterrupt
    assert list(tmp_path.glob("minits-build-*")) == []


def test_folders_of_processes_that_were_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen(["true"])
    gone.wait()
    folders = {
        name: tmp_path / f"minits-build-{name}"
        for name in (f"{gone.pid}-old", f"{gone.pid}-new", f"{os.getpid()}-old", "other-old")
    }
    for name, folder in folders.items():
        folder.mkdir(mode=0o700)
        (folder / "0.o").write_bytes(b"")
        if name.endswith("old"):
            os.utime(folder, (0, 0))
    with c_compiler.scratch_folder(tmp_path):
        pass
    left = {name for name, folder in folders.items() if folder.exists()}
    assert left == {f"{gone.pid}-new", f"{os.getpid()}-old", "other-old"}
