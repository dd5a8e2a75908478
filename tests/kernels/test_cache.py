"""The folder of built kernels stays small, and what is in use stays in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from minits.kernels.cpu import c_build, cache


def make(folder: Path, name: str, hours: float, size: int = 10) -> Path:
    """A file that was last used so many hours ago."""
    path = folder / name
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - hours * 3600,) * 2)
    return path


def trim_to(patch: pytest.MonkeyPatch, folder: Path, files: int = 100, size: int = 1 << 20) -> None:
    patch.setattr(cache, "MOST_FILES", files)
    patch.setattr(cache, "MOST_BYTES", size)
    cache.trim(folder)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_few_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        make(tmp_path, f"{number}.so", hours=1000 + number)
    trim_to(monkeypatch, tmp_path, files=8)
    assert len(names(tmp_path)) == 8


def test_the_least_recently_used_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to three quarters of what is allowed."""
    paths = [make(tmp_path, f"{number}.so", hours=number) for number in range(9)]
    assert cache.use(paths[8])
    trim_to(monkeypatch, tmp_path, files=8)
    assert names(tmp_path) == [f"{number}.so" for number in (0, 1, 2, 3, 4, 8)]


def test_bytes_count_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "small.so", hours=1, size=10)
    make(tmp_path, "large.so", hours=2, size=1000)
    make(tmp_path, "old.so", hours=3, size=10)
    trim_to(monkeypatch, tmp_path, size=1019)
    assert names(tmp_path) == ["small.so"]
    trim_to(monkeypatch, tmp_path, size=10)
    assert names(tmp_path) == ["small.so"]


def test_only_kernels_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.so", hours=1)
    make(tmp_path, "notes.txt", hours=5)
    make(tmp_path, "begun.tmp", hours=0.5)
    make(tmp_path, "abandoned.tmp", hours=2)
    (tmp_path / "folder.so").mkdir()
    (tmp_path / "link.so").symlink_to(tmp_path / "notes.txt")
    trim_to(monkeypatch, tmp_path, files=0)
    assert names(tmp_path) == ["begun.tmp", "folder.so", "link.so", "notes.txt"]


def test_what_is_used_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path, "a.so", hours=1)
    gone = make(tmp_path, "b.so", hours=2)
    found = list(cache._files(tmp_path))
    monkeypatch.setattr(cache, "_files", lambda folder: iter(found))
    cache.use(path)
    gone.unlink()
    trim_to(monkeypatch, tmp_path, files=0)
    assert names(tmp_path) == ["a.so"]


def test_a_file_that_is_gone_is_not_used(tmp_path: Path) -> None:
    assert not cache.use(tmp_path / "a.so")
    cache.trim(tmp_path / "nothing")


def test_trimmed_at_the_first_build_and_seldom_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trimmed: list[Path] = []
    monkeypatch.setattr(cache, "trim", trimmed.append)
    monkeypatch.setattr(cache, "_built", count())
    for _ in range(65):
        cache.note_built(tmp_path / "a.so")
    assert trimmed == [tmp_path, tmp_path]


TRIM = """
import sys
from pathlib import Path
from minits.kernels.cpu import cache
cache.MOST_FILES = 4
for _ in range(50):
    for number in range(20):
        (Path(sys.argv[1]) / f"{sys.argv[2]}{number}.so").write_bytes(b"x")
    cache.trim(Path(sys.argv[1]))
"""


def test_several_processes_trim_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None fails over a file that another has deleted."""
    running = [
        subprocess.Popen([sys.executable, "-c", TRIM, str(tmp_path), name]) for name in "abc"
    ]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    trim_to(monkeypatch, tmp_path, files=4)
    assert len(names(tmp_path)) <= 4


@pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)
def test_kernels_are_marked_as_used_and_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "_built", count())
    monkeypatch.setattr(c_build._LIBRARIES, "get", lambda key: None)
    text = "int one(void) { return 1; }"
    others = [make(tmp_path, f"{number}.so", hours=number + 1) for number in range(3)]
    monkeypatch.setattr(cache, "MOST_FILES", 2)
    assert c_build.build(text).one() == 1
    assert not any(path.exists() for path in others)
    (built,) = tmp_path.iterdir()
    os.utime(built, (0, 0))
    before = time.time()
    assert c_build.build(text).one() == 1
    assert built.stat().st_mtime > before - 1
    built.unlink()
    assert c_build.build(text).one() == 1
