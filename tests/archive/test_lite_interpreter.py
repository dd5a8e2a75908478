"""Files of torch's lite interpreter: read where they have code, and otherwise the way to them."""

import zipfile
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.jit.mobile import _load_for_lite_interpreter

import minits
from minits.archive.errors import ArchiveError, SaveError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
X = torch.rand(1, 2)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A file for the lite interpreter, made as the documentation says."""
    minits.save(minits.script(nn.Linear(2, 2)), tmp_path / "m.pt")
    path = tmp_path / "m.ptl"
    torch.jit.load(str(tmp_path / "m.pt"))._save_for_lite_interpreter(str(path))
    return path


def test_one_with_code_is_read(saved: Path) -> None:
    loaded = minits.load(saved)
    torch.testing.assert_close(loaded(X), _load_for_lite_interpreter(str(saved))(X))


def test_one_without_code(saved: Path, tmp_path: Path) -> None:
    path = tmp_path / "bytecode.ptl"
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if "/code/" not in name:
                new.writestr(name, old.read(name))
    with pytest.raises(ArchiveError, match=r"lite interpreter.*has bytecode, and no TorchScript"):
        minits.load(path)


def test_saving_says_how(tmp_path: Path) -> None:
    module = minits.script(nn.Linear(2, 2))
    for save in (module._save_for_lite_interpreter, module._save_to_buffer_for_lite_interpreter):
        with pytest.raises(SaveError, match=r"_save_for_lite_interpreter\('m.ptl'\)"):
            save(str(tmp_path / "m.ptl"))
    with pytest.warns(UserWarning, match="without bytecode"):
        minits.save(module, tmp_path / "m.ptl")
    torch.testing.assert_close(minits.load(tmp_path / "m.ptl")(X), module(X))
