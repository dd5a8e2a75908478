"""`inspect_archive`: what it tells of good archives, and what it finds in others."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.inspecting.inspection import Inspection, as_plain
from minits.archive.inspecting.inspector import inspect_archive
from tests.support.archives import CLASS, FORWARD, archive_of, packed, records_of
from tests.support.hostile_archives import RECORDS, stateful, tensor, with_data, with_tensor


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.register_buffer("scale", torch.ones(3, dtype=torch.float64))

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) * self.scale


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Block()
        self.again = self.first
        self.tied = nn.Linear(2, 3)
        self.tied.weight = self.first.linear.weight
        self.sizes = [1, 2]

    def forward(self, x: Tensor, n: int = 3) -> Tensor:
        for _ in range(n):
            x = torch.div(self.first(x) + self.again(x) + self.tied(x), 2.0)
        return x


Writer = Callable[[nn.Module, str], None]


def by_torch(module: nn.Module, path: str) -> None:
    torch.jit.save(torch.jit.script(module), path, _extra_files={"notes.txt": "text"})


def by_minits(module: nn.Module, path: str) -> None:
    minits.save(minits.script(module), path, {"notes.txt": "text"})


@pytest.fixture(params=[by_torch, by_minits])
def found(request: pytest.FixtureRequest, tmp_path: Path) -> Inspection:
    path = str(tmp_path / "net.pt")
    request.param(Net(), path)
    return inspect_archive(path)


def test_modules_and_tensors(found: Inspection) -> None:
    modules = {module.path: module for module in found.modules}
    root, first, linear, tied = (modules[path] for path in ("", "first", "first.linear", "tied"))
    assert list(modules) in (OF_TORCH, OF_MINITS)
    assert root.class_name.endswith(".Net")
    assert root.methods["forward"] == "(x: Tensor, n: int=3) -> Tensor"
    assert root.attributes["sizes"] == "List[int]"
    assert [(t.name, t.role, t.dtype, t.shape) for t in first.tensors] == [
        ("scale", "buffer", "float64", (3,))
    ]
    weight = linear.tensors[0]
    assert (weight.name, weight.role, weight.shape) == ("weight", "parameter", (3, 2))
    assert weight.requires_grad and weight.same_as is None
    assert [t.same_as for t in tied.tensors] == ["first.linear.weight", None]
    assert found.parameter_count() == 6 + 3 + 3


OF_TORCH = ["", "first", "first.linear", "again", "again.linear", "tied"]
OF_MINITS = ["", "first", "first.linear", "again", "tied"]


def test_a_module_with_two_names_is_one_of_minits_and_two_of_torch(tmp_path: Path) -> None:
    for writer, paths in (by_torch, OF_TORCH), (by_minits, OF_MINITS):
        writer(Net(), str(tmp_path / "net.pt"))
        modules = {each.path: each for each in inspect_archive(str(tmp_path / "net.pt")).modules}
        assert list(modules) == paths
        if writer is by_minits:
            assert modules["again"].same_as == "first"
        else:
            assert [each.same_as for each in modules["again"].tensors] == ["first.scale"]


def test_versions_and_operators(found: Inspection) -> None:
    assert found.version == 4 and found.folder == "net"
    operators = {operator.name: operator for operator in found.operators}
    assert operators["aten::linear"].is_known and operators["aten::linear"].count >= 1
    assert operators["aten::div"].since == 4 and not operators["aten::div"].is_upgraded
    assert found.findings == [] and not found.is_refused


def test_records_and_code(found: Inspection) -> None:
    with zipfile.ZipFile(found.file) as archive:
        sizes = {i.filename.partition("/")[2]: i.file_size for i in archive.infolist()}
    assert {record.name: record.size for record in found.records} == sizes
    assert found.size == Path(found.file).stat().st_size
    assert found.extra_files == {"notes.txt": 4}
    assert found.sizes()["weights"] == 4 * (6 + 3 + 3) + 8 * 3
    assert any("class Net(Module):" in text for text in found.code.values())


def test_the_producer(tmp_path: Path) -> None:
    by_torch(Net(), str(tmp_path / "a.pt"))
    assert inspect_archive(tmp_path / "a.pt").producer == "torch 2"
    by_minits(Net(), str(tmp_path / "b.pt"))
    assert inspect_archive(tmp_path / "b.pt").producer == "minits, or torch 2"


def test_plain_values_are_json(found: Inspection) -> None:
    plain = json.loads(json.dumps(as_plain(found)))
    assert plain["modules"][2]["tensors"][0]["shape"] == [3, 2]


# ---- Findings ----------------------------------------------------------------------------------


def inspected(archive: io.BytesIO, tmp_path: Path) -> Inspection:
    path = tmp_path / "model.pt"
    path.write_bytes(archive.getvalue())
    return inspect_archive(path)


def findings(archive: io.BytesIO, tmp_path: Path) -> list[tuple[str, str]]:
    return [(f.kind, f"{f.subject}: {f.message}") for f in inspected(archive, tmp_path).findings]


def test_an_archive_of_this_file_has_no_findings(tmp_path: Path) -> None:
    assert findings(packed(RECORDS), tmp_path) == []


METHOD = CLASS + "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    BODY\n"


@pytest.mark.parametrize(
    ("archive", "kind", "text"),
    [
        (with_data(b"cos\nsystem\n)R."), "refused", "os.system"),
        (with_data(b"c__torch__\nN\n)\x81}b."), "refused", "does not define the class __torch__.N"),
        (with_data(b"c__torch__.torch.classes.a\nN\n)\x81}b."), "refused", "C++ class"),
        (with_data(b"K\1."), "refused", "holds no module"),
        (stateful("    self.n = state\n"), "runs", "__setstate__ runs when the archive is loaded"),
        (packed({**RECORDS, "data/7": b"1234"}), "note", "data/7: no tensor refers"),
        (packed({**RECORDS, "virus.exe": b"MZ"}), "note", "virus.exe: this record is none"),
        (
            packed({**RECORDS, "code/__torch__/a.py": CLASS + FORWARD}),
            "note",
            "code/__torch__/a.py: nothing that the module needs",
        ),
        (packed({**RECORDS, "code/__torch__/a.py": "class"}), "refused", "TS0"),
        (
            archive_of(METHOD.replace("BODY", 'torch.save(x, "file")')),
            "refused",
            "aten::save, which reaches outside the program",
        ),
        (
            archive_of(METHOD.replace("BODY", "return ops.some.operator(x)")),
            "refused",
            "some::operator, which this torch does not have",
        ),
        (with_tensor(tensor(key=b"9")), "refused", "data/9: the archive has no such record"),
        (packed({**RECORDS, "version": "3000\n"}), "refused", "version 3000"),
    ],
)
def test_findings(archive: io.BytesIO, kind: str, text: str, tmp_path: Path) -> None:
    found = findings(archive, tmp_path)
    assert any(k == kind and text in told for k, told in found), found


def test_objects_under_two_names(tmp_path: Path) -> None:
    code = CLASS + "  a : __torch__.N\n  b : __torch__.N\n" + FORWARD + "class N(Module):\n  pass\n"
    made = b"c__torch__\nN\n)\x81}bq\1"
    archive = archive_of(code, b"}(X\1\0\0\0a" + made + b"X\1\0\0\0bh\1u")
    found = inspected(archive, tmp_path)
    assert [(m.path, m.same_as) for m in found.modules] == [("", None), ("a", None), ("b", "a")]


def test_two_entries_of_one_name(tmp_path: Path) -> None:
    whole = packed({**RECORDS, "data/0": b"a", "data/1": b"b"}).getvalue()
    found = findings(io.BytesIO(whole.replace(b"data/1", b"data/0")), tmp_path)
    assert [kind for kind, _ in found] == ["refused"] and "two entries" in found[0][1]


def test_checksums_are_checked(tmp_path: Path) -> None:
    whole = packed({**RECORDS, "data/0": b"abcdefgh"}).getvalue()
    found = findings(io.BytesIO(whole.replace(b"abcdefgh", b"abcdefgx")), tmp_path)
    assert ("refused", "data/0: the checksum is not that of the data") in found


def test_compressed_storages(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in records_of(with_tensor(tensor())).items():
            archive.writestr(f"archive/{name}", content)
    found = findings(buffer, tmp_path)
    assert any("data/0: the storage is compressed" in told for _, told in found)


def test_upgraded_operators(tmp_path: Path) -> None:
    code = METHOD.replace("BODY", "return torch.div(x, x)")
    (operator,) = inspected(archive_of(code), tmp_path).operators
    assert (operator.since, operator.is_upgraded) == (4, True)


def test_nothing_of_the_archive_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No interpreter, no compiler and no tensor is needed."""

    def forbidden(*args: object, **kwargs: object) -> Any:
        raise AssertionError("something of the archive was made")

    from minits.archive.reading import definitions, objects, tensors
    from minits.runtime import interpreter

    archive = stateful("    while True:\n      self.n = state\n")
    for module, name in (
        (definitions.Definitions, "__init__"),
        (objects.ObjectReader, "__init__"),
        (tensors.TensorReader, "__init__"),
        (interpreter, "run"),
    ):
        monkeypatch.setattr(module, name, forbidden)
    assert [kind for kind, _ in findings(archive, tmp_path)] == ["runs"]


def test_values_that_are_shared_many_times(tmp_path: Path) -> None:
    """A tuple of twice the tuple before, 60 times: 2**60 items, if each were visited."""
    doubled = b")" + b"q\0h\0\x86" * 60
    code = CLASS + "  a : Any\n" + FORWARD
    inspected(archive_of(code, b"}(X\1\0\0\0a" + doubled + b"u"), tmp_path)


def test_objects_that_are_nested_deeply(tmp_path: Path) -> None:
    code = CLASS + "  a : Optional[__torch__.M]\n" + FORWARD
    start, end = b"c__torch__\nM\n)\x81}X\1\0\0\0a", b"sb"
    value = start * 3000 + b"c__torch__\nM\n)\x81}b" + end * 3000
    found = findings(archive_of(code, b"}X\1\0\0\0a" + value + b"s"), tmp_path)
    assert any("nested too deeply" in told for _, told in found)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_pipes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    (finding,) = inspect_archive(path).findings
    assert "a pipe or a device" in finding.message
    with pytest.raises(minits.ArchiveError, match="a pipe or a device"):
        minits.load(path)


def test_a_device_in_the_code_is_found(tmp_path: Path) -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        return x + torch.zeros(2, device="meta")

    traced = torch.jit.trace(program, torch.zeros(2, device="meta"), check_trace=False)
    torch.jit.save(traced, str(tmp_path / "f.pt"))
    (finding,) = inspect_archive(tmp_path / "f.pt").findings
    assert finding.kind == "note"
    assert "names the device meta" in finding.message
