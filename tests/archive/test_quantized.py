"""Quantized tensors and packed parameters: read as torch.jit.load reads them, and written."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.ao.quantization as quantization
from torch import Tensor, nn

import minits
from minits.archive.inspecting.inspector import inspect_archive
from minits.archive.writing import value_pickling
from tests.support.archives import packed, records_of, refused, saved

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*reduce_range.*:UserWarning"),
    pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning"),
]


class Recurrent(nn.Module):
    def __init__(self, kind: type[nn.Module]) -> None:
        super().__init__()
        self.inner = kind(6, 5, num_layers=2, bidirectional=True)
        self.last = nn.Linear(10, 3)

    def forward(self, x: Tensor) -> Tensor:
        y, _ = self.inner(x)
        return self.last(y)


class Cells(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.gru, self.rnn = nn.LSTMCell(6, 5), nn.GRUCell(6, 5), nn.RNNCell(6, 5)

    def forward(self, x: Tensor) -> Tensor:
        h, c = self.lstm(x)
        return h + c + self.gru(x) + self.rnn(x)


class Image(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.quantize, self.back = quantization.QuantStub(), quantization.DeQuantStub()
        self.first, self.relu = nn.Conv2d(3, 4, 3, padding=1), nn.ReLU()
        self.second, self.linear = nn.Conv2d(4, 4, 3, stride=2), nn.Linear(36, 5)

    def forward(self, x: Tensor) -> Tensor:
        x = self.second(self.relu(self.first(self.quantize(x))))
        return self.back(self.linear(torch.flatten(x, 1)))


class Rows(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.quantize, self.back = quantization.QuantStub(), quantization.DeQuantStub()
        self.first, self.second = nn.Conv1d(3, 4, 3), nn.ConvTranspose2d(4, 2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.back(self.second(self.first(self.quantize(x)).unsqueeze(2)))


class Tensors(nn.Module):
    """Quantized buffers: per tensor, per channel, by float zero points, and a transposed view."""

    def __init__(self) -> None:
        super().__init__()
        x, scales = torch.randn(3, 4), torch.tensor([0.1, 0.2, 0.3])
        by_channel = torch.quantize_per_channel
        self.register_buffer("a", torch.quantize_per_tensor(x, 0.1, 5, torch.quint8))
        points = torch.tensor([0, 1, 2])
        self.register_buffer("b", by_channel(x, scales.double(), points, 0, torch.qint8))
        self.register_buffer("c", by_channel(x, scales, points.float(), 0, torch.quint8))
        self.register_buffer("d", torch.quantize_per_tensor(x, 0.1, 0, torch.qint32).t())
        self.e = self.d.t()

    def forward(self, x: Tensor) -> Tensor:
        quantized = torch.quantize_per_tensor(x, 0.5, 3, torch.quint8).dequantize()
        y = self.a.dequantize() + self.b.dequantize() + self.c.dequantize() + self.e.dequantize()
        return y + self.d.dequantize().t() + quantized


class Bag(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(10, 12)
        self.bag = nn.EmbeddingBag(10, 12, mode="sum")

    def forward(self, x: Tensor) -> Tensor:
        return self.table(x) + self.bag(x, torch.arange(4))


def linear() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).eval()


def dynamic(module: nn.Module, dtype: torch.dtype = torch.qint8) -> nn.Module:
    kinds = {nn.Linear, nn.LSTM, nn.GRU, nn.LSTMCell, nn.GRUCell, nn.RNNCell}
    return quantization.quantize_dynamic(module.eval(), kinds, dtype=dtype)


def static(module: nn.Module, x: Tensor, config: Any = None) -> nn.Module:
    module.eval()
    module.qconfig = config or quantization.get_default_qconfig("x86")
    prepared = quantization.prepare(module)
    prepared(x)
    return quantization.convert(prepared)


def bag() -> nn.Module:
    module = Bag().eval()
    for part in module.table, module.bag:
        part.qconfig = quantization.float_qparams_weight_only_qconfig
    return quantization.convert(quantization.prepare(module))


X, IMAGE = torch.randn(2, 6), torch.randn(2, 3, 7, 7)
STEPS, ROWS = torch.randn(4, 2, 6), torch.randn(2, 3, 9)
MODULES: dict[str, tuple[Callable[[], nn.Module], Tensor]] = {
    "linear": (lambda: dynamic(linear()), X),
    "half": (lambda: dynamic(linear(), torch.float16), X),
    "no bias": (lambda: dynamic(nn.Sequential(nn.Linear(6, 2, bias=False))), X),
    "lstm": (lambda: dynamic(Recurrent(nn.LSTM)), STEPS),
    "half lstm": (lambda: dynamic(Recurrent(nn.LSTM), torch.float16), STEPS),
    "gru": (lambda: dynamic(Recurrent(nn.GRU)), STEPS),
    "cells": (lambda: dynamic(Cells()), X),
    "image": (lambda: static(Image(), IMAGE), IMAGE),
    "per tensor": (lambda: static(Image(), IMAGE, quantization.default_qconfig), IMAGE),
    "rows": (lambda: static(Rows(), ROWS, quantization.default_qconfig), ROWS),
    "embeddings": (bag, torch.tensor([1, 2, 2, 9])),
    "tensors": (Tensors, torch.randn(3, 4)),
}


def reloaded(module: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    minits.save(module, buffer)
    buffer.seek(0)
    return buffer


def require_same_everywhere(archive: io.BytesIO, x: Tensor) -> None:
    """Load an archive by torch and by minits; save what minits loaded, and load that by both."""
    expected = torch.jit.load(archive)(x)
    archive.seek(0)
    loaded = minits.load(archive)
    again = reloaded(loaded)
    results = [loaded(x), loaded(x), torch.jit.load(again)(x)]
    again.seek(0)
    results.append(minits.load(again)(x))
    for result in results:
        assert result.dtype == expected.dtype
        assert torch.equal(result, expected)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", MODULES)
def test_read_and_written(name: str) -> None:
    make, x = MODULES[name]
    require_same_everywhere(saved(make()), x)


@pytest.mark.parametrize("name", ["linear", "image"])
def test_frozen(name: str) -> None:
    make, x = MODULES[name]
    require_same_everywhere(saved(torch.jit.freeze(torch.jit.script(make()).eval())), x)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["linear", "image"])
def test_traced_by_torch(name: str) -> None:
    make, x = MODULES[name]
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.trace(make(), x), buffer)
    buffer.seek(0)
    require_same_everywhere(buffer, x)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", [name for name in MODULES if name != "rows"])
def test_scripted_by_minits(name: str) -> None:
    make, x = MODULES[name]
    module = make()
    compiled = minits.script(module)
    assert torch.equal(compiled(x), module(x))
    require_same_everywhere(reloaded(compiled), x)
    require_same_everywhere(reloaded(minits.freeze(compiled.eval())), x)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["linear", "half", "image", "rows", "embeddings"])
def test_traced_by_minits(name: str) -> None:
    make, x = MODULES[name]
    module = make()
    traced = minits.trace(module, x)
    packed_params = 'prim::GetAttr[name="_packed_'
    assert packed_params in str(traced.inlined_graph)
    assert torch.equal(traced(x), module(x))
    require_same_everywhere(reloaded(traced), x)


def test_graphs_of_frozen_modules_name_their_objects() -> None:
    frozen = minits.freeze(minits.script(dynamic(linear())).eval())
    assert "LinearPackedParamsBase = prim::Constant[value=object(0x" in str(frozen.graph)
    assert "linear_dynamic(input, CONSTANTS.c0" in frozen.code


def test_views_share_their_storage() -> None:
    loaded = minits.load(saved(Tensors()))
    assert loaded.d.data_ptr() == loaded.e.data_ptr()
    assert loaded.d.stride() == (1, 4)
    assert loaded.b.q_per_channel_axis() == 0


# ---- Damaged ones ------------------------------------------------------------------------------


def quantized(*size: int) -> Tensor:
    return torch.quantize_per_tensor(torch.ones(size), 0.1, 0, torch.qint8)


def with_state(state: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """An archive whose packed parameters have this state."""
    compiled = minits.script(module)
    monkeypatch.setattr(value_pickling, "state_of_cpp_object", lambda _: state)
    return reloaded(compiled)


def repeated() -> Tensor:
    """A weight of 2**40 elements, all of them one."""
    empty = torch._empty_affine_quantized([0], scale=0.1, zero_point=0, dtype=torch.qint8)
    storage = torch.zeros(64, dtype=torch.int8).untyped_storage()
    return empty.set_(storage, 0, (2**20, 2**20), (0, 0))


@pytest.mark.parametrize(
    ("weight", "bias", "match"),
    [
        (quantized(3, 0), None, "2 dimensions"),
        (quantized(3, 2, 2), None, "2 dimensions"),
        (torch.ones(3, 2, dtype=torch.int8), None, "torch.int8 is not packed"),
        (quantized(3, 2), torch.ones(2), "a bias has 3 elements"),
        (quantized(3, 2), torch.ones(3).double(), "a bias has 3 elements"),
        (repeated(), None, "repeats its elements"),
    ],
)
def test_damaged_linear(
    weight: Tensor, bias: Tensor | None, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = dynamic(nn.Sequential(nn.Linear(2, 3)))
    refused(with_state((weight, bias), module, monkeypatch), match)


@pytest.mark.parametrize(
    ("numbers", "match"),
    [
        ((2, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0), "the groups"),
        ((2, 1, 1, 0, 0, 1, 1, 0, 0, 3, 0), "the groups"),
        ((2, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0), "2 numbers"),
        ((2, 1, 1, -1, 0, 1, 1, 0, 0, 1, 0), "2 numbers"),
        ((2, 1, 1, 0, 0, 1, 1, 0, 0, 1, 7), "2 dimensions"),
        ((3, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0), "2 dimensions"),
        ((2, 1, 1), "11 numbers"),
    ],
)
def test_damaged_convolutions(
    numbers: tuple[int, ...], match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Convolution(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            w = quantized(4, 3, 3, 3)
            prepack = torch.ops.quantized.conv2d_prepack
            self.packed = prepack(w, None, [1, 1], [0, 0], [1, 1], 1)

        def forward(self, x: Tensor) -> Tensor:
            return torch.ops.quantized.conv2d(x, self.packed, 1.0, 0)

    state = ("2", [torch.tensor(numbers, dtype=torch.int16), quantized(4, 3, 3, 3)], [None])
    refused(with_state(state, Convolution(), monkeypatch), match)


@pytest.mark.parametrize(("name", "value"), [("groups", 0), ("stride", (0, 1))])
def test_damaged_modules_of_convolutions(name: str, value: Any) -> None:
    compiled = minits.script(torch.ao.nn.quantized.Conv2d(3, 4, 3))
    setattr(compiled, name, value)
    refused(reloaded(compiled), "__setstate__ of .*Conv2d failed: (the groups|a stride)")


def test_weights_that_cost_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = saved(dynamic(nn.Sequential(nn.Linear(64, 64))))
    refused(archive, "more memory or work", state_bytes=1000, state_bytes_each=0)


def test_objects_of_other_classes() -> None:
    records = records_of(saved(dynamic(linear())))
    name = b"__torch__.torch.classes.quantized\nLinearPackedParamsBase"
    for other in b"__torch__.torch.classes.sparse\nLinearPackedParamsBase", b"__torch__.torch.x\nY":
        data = records["data.pkl"].replace(name, other)
        refused(
            packed({**records, "data.pkl": data}), "an object of the C\\+\\+ class|does not define"
        )


@pytest.mark.parametrize(
    ("found", "put", "match"),
    [
        (b"per_tensor_affine", b"per_tensor_symmetric", "per_tensor_symmetric are not read"),
        (b"QInt8Storage", b"CharStorage", "tensors of Char are not quantized"),
        (b"_rebuild_qtensor", b"_rebuild_tensor_v2", "gradient"),
    ],
)
def test_damaged_quantizers(found: bytes, put: bytes, match: str) -> None:
    records = records_of(saved(dynamic(linear())))
    assert found in records["data.pkl"]
    data = records["data.pkl"].replace(found, put)
    refused(packed({**records, "data.pkl": data}), match)


# ---- Inspected ---------------------------------------------------------------------------------


def test_inspected(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(saved(dynamic(linear())).getvalue())
    found = inspect_archive(path)
    assert not found.findings
    packed_one = next(m for m in found.modules if m.path == "0._packed_params._packed_params")
    assert packed_one.class_name.endswith("classes.quantized.LinearPackedParamsBase")
    weight, bias = packed_one.tensors
    assert (weight.dtype, weight.shape, weight.layout) == ("qint8", (8, 6), "per_tensor_affine")
    assert weight.quantizer is not None
    assert weight.quantizer.startswith("scale 0.00")
    assert bias.quantizer is None


def test_inspected_constants(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    frozen = torch.jit.freeze(torch.jit.script(static(Image(), IMAGE)).eval())
    path.write_bytes(saved(frozen).getvalue())
    found = inspect_archive(path)
    assert not found.findings
    names = {entry.name: entry for entry in found.constants}
    weight = names["CONSTANTS.c0: Conv2dPackedParamsBase[1][1]"]
    assert weight.quantizer == "scales along axis 0"


def test_weights_of_four_bits_are_not_saved() -> None:
    """Neither torch.jit.load nor minits.load reads their storages."""
    module = torch.nn.Identity()
    weight = torch.quantize_per_channel(
        torch.rand(2, 4), torch.ones(2), torch.zeros(2), 0, torch.quint4x2
    )
    module.register_buffer("weight", weight)
    with pytest.raises(minits.SaveError, match="quint4x2"):
        minits.save(minits.script(module), io.BytesIO())
