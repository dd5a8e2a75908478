"""The files and streams that archives are written to."""

from __future__ import annotations

import io
import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.archive.writing import writer


def double(x: Tensor) -> Tensor:
    return x * 2


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o755, 0o444])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "double.pt"
    path.write_bytes(b"old")
    path.chmod(mode)
    minits.save(minits.script(double), path)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert minits.load(path)(torch.ones(1)) == 2


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_new_files_have_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"")
    minits.save(minits.script(double), tmp_path / "double.pt")
    modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert len(modes) == 1


def test_links_stay(tmp_path: Path) -> None:
    (tmp_path / "target.pt").write_bytes(b"old")
    (tmp_path / "link.pt").symlink_to(tmp_path / "target.pt")
    minits.save(minits.script(double), tmp_path / "link.pt")
    assert (tmp_path / "link.pt").is_symlink()
    assert minits.load(tmp_path / "target.pt")(torch.ones(1)) == 2


def test_names_as_long_as_the_system_has_them(tmp_path: Path) -> None:
    path = tmp_path / f"{'n' * 250}.pt"
    minits.save(minits.script(double), path)
    assert minits.load(path)(torch.ones(1)) == 2


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("place", ["write", "chmod", "replace"])
def test_failures_leave_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, place: str
) -> None:
    path = tmp_path / "double.pt"
    path.write_bytes(b"old")
    compiled = minits.script(double)

    def fail(*args: Any) -> None:
        raise fault

    if place == "write":
        monkeypatch.setattr(writer.ZipWriter, "write", fail)
    else:
        monkeypatch.setattr(Path, place, fail)
    with pytest.raises(type(fault)):
        minits.save(compiled, path)
    assert [file.name for file in tmp_path.iterdir()] == ["double.pt"]
    assert path.read_bytes() == b"old"


def test_threads_may_save_to_one_path(tmp_path: Path) -> None:
    path = tmp_path / "double.pt"
    compiled = minits.script(double)
    threads = [threading.Thread(target=minits.save, args=(compiled, path)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [file.name for file in tmp_path.iterdir()] == ["double.pt"]
    assert minits.load(path)(torch.ones(1)) == 2


class Short(io.RawIOBase):
    """A stream that takes a hundred bytes at a time, as a pipe may."""

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        return min(len(content), 100)


def test_streams_that_take_a_part() -> None:
    with pytest.raises(OSError, match="the stream took 100 of the archive's"):
        minits.save(minits.script(double), Short())
    with pytest.raises(OSError, match="the stream took 100 of"):
        minits.script(double).save(Short())
    buffered = io.BufferedWriter(Short())
    minits.save(minits.script(double), buffered)


def test_streams_that_do_not_say_what_they_took() -> None:
    class Silent:
        content = b""

        def write(self, content: bytes) -> None:
            self.content += content

    stream = Silent()
    minits.save(minits.script(double), stream)
    assert minits.load(io.BytesIO(stream.content))(torch.ones(1)) == 2
