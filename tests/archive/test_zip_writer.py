"""The container: alignment, compression, names, and what torch makes of it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.archive.container.zip_writer import ZipWriter, folder_for
from tests.support.reading_by_torch import read_by_torch, records, saved


class Small(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.arange(3.0))
        self.register_buffer("steps", torch.arange(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight + self.steps.sum()


def data_offsets(content: bytes) -> dict[str, int]:
    """Where the bytes of each record begin, by the local headers."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist():
            header = content[entry.header_offset : entry.header_offset + 30]
            name = int.from_bytes(header[26:28], "little")
            extra = int.from_bytes(header[28:30], "little")
            found[entry.filename] = entry.header_offset + 30 + name + extra
    return found


def test_records_begin_at_multiples_of_64() -> None:
    offsets = data_offsets(saved(Small()))
    assert offsets
    assert all(offset % 64 == 0 for offset in offsets.values())


def test_large_records_are_aligned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header that has room for 64-bit sizes is 20 bytes longer."""
    monkeypatch.setattr("minits.archive.container.zip_writer._LARGE", 2)
    content = saved(Small())
    assert all(offset % 64 == 0 for offset in data_offsets(content).values())
    assert torch.equal(read_by_torch(content)(torch.ones(3)), Small()(torch.ones(3)))


def test_code_is_compressed_and_data_is_not() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(Small()))) as archive:
        methods = {entry.filename: entry.compress_type for entry in archive.infolist()}
    code = [method for name, method in methods.items() if "/code/" in name]
    others = [method for name, method in methods.items() if "/code/" not in name]
    assert zipfile.ZIP_DEFLATED in code
    assert set(others) == {zipfile.ZIP_STORED}


def test_the_same_module_gives_the_same_bytes() -> None:
    compiled = minits.script(Small())
    assert compiled.save_to_buffer() == compiled.save_to_buffer()


def test_the_records_are_those_that_torch_writes() -> None:
    ours = records(saved(Small()))
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(Small()), buffer)
    theirs = records(buffer.getvalue())
    assert [name.rpartition("/")[2] for name in ours] == [
        name.rpartition("/")[2] for name in theirs if not name.endswith("serialization_id")
    ]
    for name in ("data/0", "data/1", "version", "byteorder"):
        assert ours[name] == theirs[name]


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("model.pt", "model"),
        ("/tmp/a.b/model.tar.pt", "model.tar"),
        ("model", "model"),
        ("dir\\my model (1).pt", "mymodel1"),
        ("ü.pt", "archive"),
        (".pt", "archive"),
        ("..", "archive"),
    ],
)
def test_the_folder_is_the_file_name_in_plain_characters(path: str, folder: str) -> None:
    assert folder_for(path) == folder


def test_names_that_differ_by_case_alone_are_refused() -> None:
    with ZipWriter(io.BytesIO(), "archive") as archive:
        archive.write("code/a.py", b"")
        with pytest.raises(minits.SaveError, match=r"has a record 'code/A\.py' already"):
            archive.write("code/A.py", b"")


# ---- Extra files -------------------------------------------------------------------------------


def test_extra_files_are_read_by_torch() -> None:
    extra = {"notes/read me.txt": "grüße", "raw": bytes(range(256)), "empty": ""}
    buffer = io.BytesIO()
    minits.save(minits.script(Small()), buffer, _extra_files=extra)
    buffer.seek(0)
    wanted: dict[str, Any] = dict.fromkeys([*extra, "missing"], "")
    torch.jit.load(buffer, _extra_files=wanted)
    assert wanted["notes/read me.txt"] == "grüße".encode()
    assert wanted["raw"] == extra["raw"]
    assert not wanted["empty"]
    assert not wanted["missing"]


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../up", "a//b", "a/./b", "a\\b", "a\0b"])
def test_extra_files_with_names_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(minits.SaveError, match="extra file"):
        minits.script(Small()).save_to_buffer({name: "x"})


# ---- Paths -------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [str, Path], ids=["str", "path"])
def test_saving_to_a_path(tmp_path: Path, make: Any) -> None:
    path = make(tmp_path / "small.v1.pt")
    minits.script(Small()).save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["small.v1.pt"]
    assert torch.equal(torch.jit.load(str(path))(torch.ones(3)), Small()(torch.ones(3)))
    with zipfile.ZipFile(path) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"small.v1"}


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(minits.SaveError, match=r"Parent directory .*nowhere does not exist"):
        minits.save(minits.script(Small()), tmp_path / "nowhere" / "small.pt")


def test_a_fault_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.pt"
    path.write_bytes(b"before")

    def fail(*args: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("minits.archive.container.zip_writer.ZipWriter.write", fail)
    with pytest.raises(OSError, match="disk full"):
        minits.save(minits.script(Small()), path)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["small.pt"]


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target.pt", tmp_path / "link.pt"
    link.symlink_to(target)
    minits.save(minits.script(Small()), link)
    assert link.is_symlink()
    assert torch.jit.load(str(target)) is not None


def test_saving_to_an_object_that_only_writes() -> None:
    class Sink:
        content = b""

        def write(self, content: bytes) -> None:
            self.content += content

    sink = Sink()
    minits.save(minits.script(Small()), sink)
    assert read_by_torch(sink.content)(torch.ones(3)).shape == (3,)
