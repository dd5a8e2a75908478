"""`python -m conformance archives --files FOLDER`: archives that lie in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from conformance.archive_files import check_files
from conformance.values import encode
from tests.support.archives import saved


class Scaled(nn.Module):
    def forward(self, x: Tensor, scale: float) -> Tensor:
        return x * scale


def folder_with(path: Path, **files: object) -> Path:
    for name, module in files.items():
        (path / f"{name}.scripted.pt").write_bytes(saved(module).getvalue())
    return path


def test_archives_are_called_with_the_input_of_their_name(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, scaled=Scaled())
    torch.save((torch.ones(2), 2.5), folder / "scaled.input.pt")
    assert list(check_files(folder)) == [("scaled.scripted.pt", None)]


def test_archives_without_an_input_are_read_and_written(tmp_path: Path) -> None:
    assert list(check_files(folder_with(tmp_path, a=Scaled()))) == [("a.scripted.pt", None)]


def test_a_difference_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path, a=Scaled())
    torch.save((torch.ones(2), 2.5), folder / "a.input.pt")
    monkeypatch.setattr(minits, "load", lambda _: minits.script(nn.Identity()))
    [(_, fault)] = check_files(folder)
    assert fault is not None
    assert "called: expected" in fault


def test_a_refusal_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise minits.ArchiveError("not today", "data.pkl")

    monkeypatch.setattr(minits, "load", refuse)
    [(_, fault)] = check_files(folder_with(tmp_path, a=Scaled()))
    assert fault == "minits refuses it: data.pkl: not today"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_quantized_tensors_are_told_with_their_scales() -> None:
    x = torch.tensor([1.0, 2.0])
    whole = encode(torch.quantize_per_tensor(x, 0.5, 3, torch.quint8))["tensor"]
    assert (whole["values"], whole["scale"], whole["zero_point"]) == (["1.0", "2.0"], "0.5", 3)
    scales, points = torch.tensor([0.5, 1.0]).double(), torch.tensor([0, 1])
    rows = encode(torch.quantize_per_channel(x, scales, points, 0, torch.qint8))["tensor"]
    assert (rows["scales"], rows["zero_points"]) == (["0.5", "1.0"], [0, 1])
