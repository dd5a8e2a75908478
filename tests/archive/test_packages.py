"""The TorchScript in a `torch.package`: read by the name of its pickle, without Python objects."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.package import PackageExporter, PackageImporter, package_exporter

import minits
from minits.archive.container import package
from minits.cli.main import main
from tests.support.archives import packed, records_of, refused, saved

START = torch.tensor([1.0, 2.0])


class Scaled(nn.Module):
    def __init__(self, scale: int) -> None:
        super().__init__()
        self.linear, self.scale = nn.Linear(2, 2), scale

    def forward(self, x: Tensor, start: Tensor = START) -> Tensor:
        return self.linear(x + start) * self.scale


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that writes a package of values, by the names of their pickles."""
    monkeypatch.setattr(package_exporter, "_gate_torchscript_serialization", False)

    def write(values: Mapping[str, Any]) -> io.BytesIO:
        buffer = io.BytesIO()
        with PackageExporter(buffer) as exporter:
            for name, value in values.items():
                exporter.save_pickle(*name.split("/"), value)
        buffer.seek(0)
        return buffer

    return write


X = torch.ones(1, 2)


def test_the_only_module(packages: Any) -> None:
    scripted = torch.jit.script(Scaled(2))
    file = packages({"models/net.pkl": {"net": scripted}, "models/names.pkl": ["a"]})
    by_torch = PackageImporter(file).load_pickle("models", "net.pkl")["net"]
    assert torch.equal(by_torch(X), scripted(X))
    for name in (None, "0", "models/net.pkl"):
        file.seek(0)
        loaded = minits.load(file, module=name)
        assert torch.equal(loaded(X), scripted(X))
    again = io.BytesIO(loaded.save_to_buffer())
    assert torch.equal(torch.jit.load(again)(X), scripted(X))


def test_modules_of_one_class_and_storage(packages: Any) -> None:
    first, second = torch.jit.script(Scaled(2)), torch.jit.script(Scaled(3))
    second.linear.weight = first.linear.weight
    file = packages({"m/a.pkl": first, "m/b.pkl": [first, second], "m/c.pkl": second})
    told = "3 modules|2 modules of TorchScript: 0 in m/a.pkl; 0, 1 in m/b.pkl; 1 in m/c.pkl"
    refused(file, told)
    for name, module in ("m/a.pkl", first), ("m/c.pkl", second), ("1", second):
        file.seek(0)
        assert torch.equal(minits.load(file, module=name)(X), module(X))
    for name, match in ("m/b.pkl", "m/b.pkl has several"), ("m/d.pkl", "none of the name m/d.pkl"):
        file.seek(0)
        with pytest.raises(minits.ArchiveError, match=match):
            minits.load(file, module=name)


def test_names_where_there_are_none(packages: Any) -> None:
    with pytest.raises(minits.ArchiveError, match=r"no torch\.package"):
        minits.load(saved(Scaled(2)), module="0")
    refused(packages({"m/a.pkl": ["no module"]}), r"torch\.package without TorchScript")


def test_damaged_packages(packages: Any) -> None:
    pair = {"m/a.pkl": torch.jit.script(Scaled(2)), "m/b.pkl": torch.jit.script(Scaled(3))}
    records = records_of(packages(pair))
    data = ".data/ts_code/0/data.pkl"
    for record, content, match in (
        ("m/a.pkl", records["m/a.pkl"][:-20], "2 modules of TorchScript: 1 in m/b.pkl"),
        ("m/a.pkl", b"\x80\x03X\xff\xff\xff\xffunpackage_script_module", "1 in m/b.pkl"),
        (".data/ts_code/1/data.pkl", b"", "0 in m/a.pkl"),
    ):
        refused(packed({**records, record: content}), match)
    for record in (data.replace("data.pkl", "constants.pkl"), ".data/0.storage"):
        rest = {name: content for name, content in records.items() if name != record}
        with pytest.raises(minits.ArchiveError, match=r"no such record|no record"):
            minits.load(packed(rest), module="0")


def test_pickles_are_looked_at_for_a_limited_time(
    packages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "_MOST_OPERATIONS", 3)
    pair = {"m/a.pkl": torch.jit.script(Scaled(2)), "m/b.pkl": torch.jit.script(Scaled(3))}
    refused(packages(pair), "modules of TorchScript: 0, 1\n")


def test_inspected(packages: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "package.pt"
    pair = {"m/a.pkl": torch.jit.script(Scaled(2)), "m/b.pkl": torch.jit.script(Scaled(3))}
    path.write_bytes(packages(pair).getvalue())
    assert main(["inspect", str(path)]) == 1
    assert "0 in m/a.pkl; 1 in m/b.pkl" in capsys.readouterr().out
    assert main(["inspect", str(path), "--module", "m/b.pkl", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["producer"] == "torch.package" and told["findings"] == []
    names = [record["name"] for record in told["records"]]
    assert "data.pkl" in names and any(name.startswith("data/") for name in names)
