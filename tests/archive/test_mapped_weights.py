"""Weights that loading leaves in the file: large ones of paths, each with memory of its own."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.reading.tensors import SMALLEST_MAPPED
from tests.support.archives import CLASS, FORWARD, archive_of, records_of
from tests.support.hostile_archives import tensor

LARGE = SMALLEST_MAPPED // 4
"""Elements of float32."""


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.large = nn.Parameter(torch.arange(LARGE, dtype=torch.float32))
        self.small = nn.Parameter(torch.arange(4, dtype=torch.float32))
        self.register_buffer("view", self.large.detach()[10:20])

    def forward(self, x: Tensor) -> Tensor:
        return x * self.large.sum() + self.small.sum() + self.view.sum()


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "net.pt")
    minits.save(minits.script(Net()), path)
    return path


def is_mapped(tensor: Tensor, path: str) -> bool:
    """Whether the tensor's memory is a part of the file, as the kernel has it."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last = (int(end, 16) for end in line.split()[0].split("-"))
        if first <= tensor.data_ptr() < last:
            return line.endswith(os.path.realpath(path))
    raise AssertionError("the tensor is in no part of the memory")


needs_proc = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux alone")


@needs_proc
def test_large_weights_are_mapped(path: str) -> None:
    loaded = minits.load(path)
    assert is_mapped(loaded.large, path) and not is_mapped(loaded.small, path)
    assert torch.equal(loaded.large, torch.arange(LARGE))
    assert not is_mapped(minits.load(path, mmap=False).large, path)


def test_what_is_written_stays_out_of_the_file(path: str) -> None:
    before = Path(path).read_bytes()
    loaded, other = minits.load(path), minits.load(path)
    with torch.no_grad():
        loaded.large.fill_(-1.0)
    assert loaded.view.sum() == -10  # shares the memory
    assert other.large[3] == 3 and minits.load(path).large[3] == 3
    assert Path(path).read_bytes() == before


def test_training_and_saving_in_place(path: str) -> None:
    loaded = minits.load(path)
    loaded(torch.ones(2)).sum().backward()
    torch.optim.SGD(loaded.parameters(), lr=1.0).step()
    minits.save(loaded, path)  # puts a new file there
    assert loaded.large[3] == 1
    assert minits.load(path).large[3] == 1 and torch.jit.load(path).large[3] == 1


def test_the_file_may_go(path: str, tmp_path: Path) -> None:
    loaded = minits.load(path)
    shutil.copy(path, tmp_path / "other.pt")
    Path(path).unlink()
    assert loaded.large[5] == 5


def test_small_storages_can_be_resized(path: str) -> None:
    minits.load(path).small.detach().resize_(100)


@pytest.mark.parametrize("mmap", [True, False])
def test_one_record_that_is_described_twice_is_two_storages(tmp_path: Path, mmap: bool) -> None:
    code = CLASS + "  a : Tensor\n  b : Tensor\n" + FORWARD
    described = tensor(size=(LARGE,), numel=LARGE)
    state = b"}(X\1\0\0\0a" + described + b"X\1\0\0\0b" + described + b"u"
    path = tmp_path / "two.pt"
    content = {"data/0": b"\0" * (4 * LARGE)}
    path.write_bytes(aligned(archive_of(code, state, **content)))
    loaded = minits.load(path, mmap=mmap)
    loaded.a.fill_(1.0)
    assert loaded.b.sum() == 0


def aligned(archive: io.BytesIO) -> bytes:
    """The archive as minits writes it: storages begin at multiples of 64 bytes."""
    from minits.archive.container.zip_writer import ZipWriter

    buffer = io.BytesIO()
    with ZipWriter(buffer, "archive") as file:
        for name, content in records_of(archive).items():
            file.write(name, content)
    return buffer.getvalue()


def test_damaged_weights_are_refused(path: str) -> None:
    content = bytearray(Path(path).read_bytes())
    middle = len(content) // 2
    content[middle] ^= 1
    Path(path).write_bytes(content)
    with pytest.raises(minits.ArchiveError, match="checksum"):
        minits.load(path)


def test_bytes_are_copied() -> None:
    content = bytearray(minits.script(Net()).save_to_buffer())
    loaded = minits.load(io.BytesIO(content))
    loaded.large.detach().fill_(0.0)
    assert minits.load(io.BytesIO(content)).large[1] == 1
