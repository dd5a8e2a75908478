"""Caches use a folder only if no other user can change it, or exchange a folder above it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import minits
from minits.cache_folder import cache_folder
from minits.check.cache import result_cache
from minits.check.results import FileResult
from minits.kernels.cpu import c_build, cache
from minits.private_files import Untrusted, private_folder, read_private, write_private
from minits.syntax import tables
from tests.kernels.test_c_build import ADD_ONE, forget, needs_compiler

OTHER = 54321
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
Change = Callable[[Path], None]


def given_away(path: Path) -> None:
    os.chown(path, OTHER, OTHER, follow_symlinks=False)


def with_mode(mode: int) -> Change:
    return lambda path: path.chmod(mode)


def foreign_and_sticky(path: Path) -> None:
    given_away(path)
    path.chmod(0o1777)


def group_writable(path: Path) -> None:
    os.chown(path, -1, OTHER)
    path.chmod(0o775)


def linked(path: Path) -> None:
    """Another user's folder has a link to this user's."""
    mine = path.with_name("mine")
    path.rename(mine)
    path.mkdir()
    (path / "inner").symlink_to(mine / "inner")
    given_away(path)


def foreign_link(path: Path) -> None:
    """A sticky folder has a link of another user to this user's folder."""
    linked(path)
    os.chown(path, os.getuid(), -1)
    given_away(path / "inner")
    path.chmod(0o1777)


REFUSED: dict[str, Change] = {
    "another user's": given_away,
    "others may write": with_mode(0o707),
    "a group may write": group_writable,
    "another user's, sticky": foreign_and_sticky,
    "a link in another user's": linked,
    "another user's link": foreign_link,
}
CHANGES = [pytest.param(change, id=name, marks=as_root) for name, change in REFUSED.items()]


@pytest.fixture
def outer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder above the cache."""
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "outer" / "inner" / "cache"))
    return tmp_path / "outer"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.one_in(6)
@needs_compiler
@pytest.mark.parametrize("change", CHANGES)
def test_no_cache_is_in_a_folder_that_others_can_exchange(
    outer: Path, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(outer)
    with pytest.raises(OSError, match=r"others may write|another user"):
        cache_folder()
    assert cache.cache_folder() == cache._of_process(os.getpid())
    assert result_cache({}).folder is None
    forget(monkeypatch)
    assert c_build.build(ADD_ONE).add_one(1) == 2
    assert tables.load_tables.__wrapped__().rules
    assert not files(outer.parent)


@as_root
def test_a_sticky_folder_and_links_of_ones_own_are_no_danger(outer: Path) -> None:
    outer.chmod(0o1777)
    (outer / "inner").rename(outer / "real")
    (outer / "inner").symlink_to("../outer/real/.")
    assert cache_folder("kernels") == (outer / "real" / "cache" / "kernels").resolve()


@as_root
def test_another_user_has_made_the_folder_first(outer: Path) -> None:
    """In a sticky folder, where everybody may make one."""
    outer.chmod(0o1777)
    given_away(outer / "inner")
    with pytest.raises(Untrusted, match="another user"):
        private_folder(outer / "inner" / "cache")


def test_a_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="too many links"):
        private_folder(tmp_path / "a")


def test_folders_are_made_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = private_folder(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert [folder.stat().st_mode & 0o777 for folder in (made, made.parent)] == [0o700, 0o700]


def as_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


FILES: dict[str, Change] = {
    "link": as_link, "pipe": as_pipe, "others may write": with_mode(0o602),
    "a group may write": with_mode(0o620),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_not_read(tmp_path: Path, name: str) -> None:
    write_private(tmp_path / "file", b"content")
    assert read_private(tmp_path / "file") == b"content"
    FILES[name](tmp_path / "file")
    with pytest.raises(OSError, match=r"only this user|Too many levels"):
        read_private(tmp_path / "file")
    write_private(tmp_path / "file", b"again")
    assert read_private(tmp_path / "file") == b"again"


@as_root
def test_a_file_of_another_user_is_not_read(tmp_path: Path) -> None:
    write_private(tmp_path / "file", b"content")
    given_away(tmp_path / "file")
    with pytest.raises(Untrusted):
        read_private(tmp_path / "file")


@pytest.mark.parametrize("fault", [OSError, KeyboardInterrupt])
def test_a_file_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(fault):
        write_private(tmp_path / "file", b"content")
    assert not list(tmp_path.iterdir())


def test_results_of_check_are_written_past_links_and_read_from_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "file.py"
    source.write_text("x = 1\n")
    results = result_cache({})
    results.write(source, "", FileResult(str(source)))
    (entry,) = (tmp_path / "cache" / "check").iterdir()
    assert results.read(source, "") is not None
    as_link(entry)
    assert results.read(source, "") is None
    victim = tmp_path / "victim"
    victim.write_text("mine")
    entry.with_suffix(f".{os.getpid()}.tmp").symlink_to(victim)  # a name that can be foreseen
    results.write(source, "", FileResult(str(source)))
    assert results.read(source, "") is not None
    assert victim.read_text() == "mine"


def test_every_cache_writes_by_the_same_functions() -> None:
    """Temporary files are made in one module; the folder is named in another one."""
    folder = Path(minits.__file__).parent
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    makers = ("mkstemp(", "NamedTemporaryFile(", "mktemp(")
    assert {name for name, text in texts.items() if any(map(text.__contains__, makers))} == {
        "private_files.py"
    }
    named = ('"MINITS_CACHE"', "user_cache_dir")
    assert {name for name, text in texts.items() if any(map(text.__contains__, named))} == {
        "cache_folder.py"
    }
