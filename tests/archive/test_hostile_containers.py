"""ZIP files that mean harm, or are damaged: each is refused with an `ArchiveError`, quickly."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
import torch

import minits
from minits.archive.container.limits import Limits
from minits.archive.container.reader import Container
from tests.support.archives import packed, refused
from tests.support.hostile_archives import RECORDS


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "does not begin as a ZIP file"),
        (b"\x80\x02}.", "does not begin as a ZIP file"),
        (packed({}).getvalue(), "no entries"),
        (packed(RECORDS).getvalue()[:-30], "ends in the middle"),
        (packed(RECORDS).getvalue() + b"more", "bytes after the end"),
        (b"\x18\0\0\0PTMF" + b"\0" * 40, "a flatbuffer of torch's lite interpreter"),
        (b"more" + packed(RECORDS).getvalue(), "does not begin as a ZIP file"),
    ],
)
def test_no_archive_at_all(content: bytes, match: str) -> None:
    refused(content, match)


def test_empty_files(tmp_path: Path) -> None:
    (tmp_path / "empty.pt").touch()
    with pytest.raises(minits.ArchiveError, match="the file is empty"):
        minits.load(tmp_path / "empty.pt")
    with pytest.raises(minits.ArchiveError, match="gives no bytes"):
        minits.load(io.StringIO("text"))


@pytest.mark.parametrize("name", ["data.pkl", "constants.pkl", "version", "code/__torch__.py"])
def test_missing_records(name: str) -> None:
    records = {n: r for n, r in RECORDS.items() if n != name}
    refused(packed(records), "no record|does not define the class")


@pytest.mark.parametrize("version", ["0\n", "11\n", "", "x\n", "-1\n", "3.0", "9" * 50])
def test_bad_versions(version: str) -> None:
    refused(packed({**RECORDS, "version": version}), "version")


def test_files_of_others() -> None:
    buffer = io.BytesIO()
    torch.save({"weight": torch.ones(2)}, buffer)
    refused(buffer.getvalue(), r"a file of torch\.save")
    refused(packed({"model.json": b"{}"}), r"torch 1\.3")


def zip_with(names: list[str]) -> io.BytesIO:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name in names:
            file.writestr(zipfile.ZipInfo(name), b"x")
    return buffer


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["a/x", "a/x"], "two entries"),
        (["a/x", "a/X"], "two entries"),
        (["a/x", "b/x"], "below one folder"),
        (["/a/x"], "no proper name"),
        (["a/../x"], "no proper name"),
        (["a//x"], "no proper name"),
        (["a/./x"], "no proper name"),
        (["a/b\\x"], "no proper name"),
        (["a/"], "no proper name"),
    ],
)
def test_names_of_entries(names: list[str], match: str) -> None:
    refused(zip_with(names), match)


def patched(offset_from: bytes, offset: int, value: bytes) -> bytes:
    content = bytearray(packed(RECORDS).getvalue())
    at = content.index(offset_from) + offset
    content[at : at + len(value)] = value
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (patched(b"PK\1\2", 8, b"\1"), "encrypted"),
        (patched(b"PK\1\2", 10, b"\x0c"), "unknown way"),
        (patched(b"PK\1\2", 20, b"\xff\0\0\0"), "two sizes"),
        (patched(b"PK\1\2", 42, b"\1"), "does not begin where"),
        (patched(b"PK\3\4", 30, b"b"), "contradict"),
        (patched(b"PK\3\4", 14, b"\1\2\3\4"), "two sizes or checksums"),
        (patched(b"PK\5\6", 12, b"\xff"), "directory"),
        (patched(b"PK\5\6", 8, b"\xff"), "several disks"),
        (patched(b"PK\5\6", 4, b"\1"), "several disks"),
    ],
)
def test_directories(content: bytes, match: str) -> None:
    refused(content, match)


def test_overlapping_entries() -> None:
    content = bytearray(packed(RECORDS).getvalue())
    first = content.index(b"PK\1\2")
    second = content.index(b"PK\1\2", first + 1)
    content[second + 42 : second + 46] = content[first + 42 : first + 46]
    refused(bytes(content), "contradict|overlaps")


def test_checksums() -> None:
    content = packed(RECORDS).getvalue().replace(b"return x", b"return y", 1)
    refused(content, "checksum")
    with pytest.raises(minits.ArchiveError, match="undefined value y"):
        minits.load(io.BytesIO(content), limits=Limits(check_crc=False))


def test_budgets_of_containers() -> None:
    bomb = packed({**RECORDS, "code/__torch__.py": "#" * 2**22}, zipfile.ZIP_DEFLATED)
    refused(bomb, "at most 1000 are read", code_bytes=1000)
    refused(bomb, "more than deflate can pack", compression_ratio=100)
    refused(bomb, "unpacks to more than 1000 bytes", inflated_bytes=1000)
    refused(packed(RECORDS), "at most 3 are read", entries=3)
    refused(packed(RECORDS), "at most 10 are read", pickle_bytes=10)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_folders_are_no_records() -> None:
    """`zip -r` writes entries for them."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for folder in ("archive/", "archive/code/", "archive/.data/"):
            file.writestr(folder, b"")
        for name, record in RECORDS.items():
            file.writestr(f"archive/{name}", record)
    assert sorted(Container(memoryview(content.getvalue())).names()) == sorted(RECORDS)
    minits.load(io.BytesIO(content.getvalue()))
    for names in (["archive/data.pkl/", "archive/data.pkl"], ["archive/x/", "archive/x/"]):
        doubled = io.BytesIO()
        with zipfile.ZipFile(doubled, "w") as file:
            for name in names:
                file.writestr(zipfile.ZipInfo(name), b"" if name.endswith("/") else b"x")
        refused(doubled, "two entries")


def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    """torch raises ValueError."""
    with pytest.raises(minits.ArchiveError, match="is a directory") as raised:
        minits.load(tmp_path)
    assert isinstance(raised.value, ValueError)


def test_containers_do_not_need_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(packed(RECORDS).getvalue())
    assert sorted(Container.open(path).names()) == sorted(RECORDS)
