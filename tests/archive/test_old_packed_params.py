"""Packed parameters as other versions of torch wrote them, read as torch.jit.load reads them."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.reading.old_packed_params import FIRST, THIRD, type_of_attribute
from minits.archive.writing import value_pickling
from minits.ops.schema import Argument
from minits.types import types as t
from tests.archive.test_quantized import IMAGE, STEPS, Image, X, dynamic, linear, reloaded, static
from tests.support.archives import packed, records_of, refused, saved

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*reduce_range.*:UserWarning"),
]
CONVOLUTION = "__torch__.torch.classes.quantized.Conv2dPackedParamsBase"


class Convolution(nn.Module):
    def __init__(self, bias: Tensor | None) -> None:
        super().__init__()
        prepack = torch.ops.quantized.conv2d_prepack
        self.packed = prepack(WEIGHT, bias, [2, 1], [0, 1], [1, 1], 1)

    def forward(self, x: Tensor) -> Tensor:
        return torch.ops.quantized.conv2d(x, self.packed, 1.0, 0).dequantize()


def quantized(x: Tensor) -> Tensor:
    return torch.quantize_per_tensor(x, 0.1, 0, torch.qint8)


WEIGHT, BIAS = quantized(torch.randn(4, 3, 3, 3)), torch.randn(4)
INPUT = torch.quantize_per_tensor(IMAGE, 0.1, 5, torch.quint8)


def first_state(bias: Tensor | None, **changed: Any) -> Any:
    """A state as torch 1.5 wrote it."""
    numbers = {"stride": (2, 1), "padding": (0, 1), "dilation": (1, 1), "groups": (1,), **changed}
    stride, padding, dilation, groups = (
        [torch.tensor([n]) for n in values] for values in numbers.values()
    )
    return WEIGHT, bias, stride, padding, dilation, groups[0]


def third_state(bias: Tensor | None) -> Any:
    return 3, [2, 2, 1, 0, 1, 1, 1, 0, 0, 1, 0], [None, WEIGHT, bias]


def with_state(state: Any, type: t.Type) -> io.BytesIO:
    """An archive whose packed parameters have a state of this type."""
    compiled = minits.script(Convolution(None))
    get_state = SimpleNamespace(schema=SimpleNamespace(returns=[Argument("", type)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_pickling, "state_of_cpp_object", lambda _: state)
        patch.setitem(t.bound_class(CONVOLUTION).methods, "__getstate__", get_state)
        return reloaded(compiled)


@pytest.mark.parametrize("bias", [BIAS, None])
@pytest.mark.parametrize(("state", "type"), [(first_state, FIRST), (third_state, THIRD)])
def test_states_of_other_versions(state: Any, type: t.Type, bias: Tensor | None) -> None:
    archive = with_state(state(bias), type)
    expected = Convolution(bias)(INPUT)
    assert torch.equal(torch.jit.load(archive)(INPUT), expected)
    archive.seek(0)
    loaded = minits.load(archive)
    assert torch.equal(loaded(INPUT), expected)
    assert torch.equal(torch.jit.load(reloaded(loaded))(INPUT), expected)


@pytest.mark.parametrize(
    ("state", "type", "match"),
    [
        (first_state(None, stride=(2,)), FIRST, "has 11 numbers"),
        (first_state(None, stride=(2, 2**40)), FIRST, "have 16 bits"),
        (first_state(None, groups=(0,)), FIRST, "the groups"),
        ((*first_state(None)[:5], torch.tensor([[1]])), FIRST, "a tensor of one int64"),
        ((*first_state(None)[:5], torch.tensor([1.0])), FIRST, "a tensor of one int64"),
        ((4, *third_state(None)[1:]), THIRD, "version 3 has"),
        ((3, [2], [None, WEIGHT, None]), THIRD, "has 11 numbers"),
        ((3, [2**40] * 11, [None, WEIGHT, None]), THIRD, "have 16 bits"),
        ((3, [2] * 11, [None, WEIGHT]), THIRD, "version 3 has"),
        ((3, [2] * 11, [None, None, None]), THIRD, "version 3 has"),
        ((3, [2] * 11, [None, torch.tensor(1.0), None]), THIRD, "4 dimensions|2 dimensions"),
    ],
)
def test_damaged_states(state: Any, type: t.Type, match: str) -> None:
    refused(with_state(state, type), match)


def test_cells_without_a_number() -> None:
    """Torch 1.5 wrote none for whether the range is reduced."""
    records = records_of(saved(dynamic(nn.Sequential(nn.LSTM(6, 5)))))
    number = re.compile(rb"(build_intlist\n(?:q.)?\(\](?:q.)?\()K.(?=e)", re.DOTALL)
    data, count = number.subn(rb"\1", records["data.pkl"])
    assert count == 1
    archive = packed({**records, "data.pkl": data})
    expected, _ = torch.jit.load(archive)(STEPS)
    archive.seek(0)
    assert torch.equal(minits.load(archive)(STEPS)[0], expected)


# ---- Packed parameters that are tensors to the code --------------------------------------------


@pytest.mark.parametrize("module", ["image", "linear"])
def test_attributes_that_were_tensors(module: str) -> None:
    made, x = (static(Image(), IMAGE), IMAGE) if module == "image" else (dynamic(linear()), X)
    records = records_of(saved(made))
    declared = re.compile(rb"(_packed_params : )__torch__\.torch\.classes\.quantized\.\w+")
    old = {name: declared.sub(rb"\1Tensor", record) for name, record in records.items()}
    assert sum(old[name] != records[name] for name in records) > 0
    archive = packed(old)
    expected = torch.jit.load(archive)(x)
    archive.seek(0)
    assert torch.equal(minits.load(archive)(x), expected)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("nn.quantized.modules.linear.Linear", "Linear"),
        ("nn.quantized.modules.linear.___torch_mangle_3.LinearPackedParams", "Linear"),
        ("ao.nn.quantized.dynamic.modules.linear.Linear", "Linear"),
        ("nn.quantized.modules.conv.Conv1d", "Conv2d"),
        ("ao.nn.quantized.modules.conv.Conv3d", "Conv3d"),
        ("nn.intrinsic.quantized.modules.conv_relu.ConvReLU2d", "Conv2d"),
    ],
)
def test_classes_whose_packed_parameters_were_tensors(name: str, found: str) -> None:
    type = type_of_attribute(f"__torch__.torch.{name}", "_packed_params", t.TENSOR)
    assert type == t.bound_class(f"__torch__.torch.classes.quantized.{found}PackedParamsBase")


def test_other_attributes_are_what_they_say() -> None:
    name = "__torch__.torch.nn.quantized.modules.conv.Conv2d"
    assert type_of_attribute(name, "scale", t.TENSOR) == t.TENSOR
    assert type_of_attribute(name, "_packed_params", t.INT) == t.INT
    assert type_of_attribute("__torch__.conv.Conv2d", "_packed_params", t.TENSOR) == t.TENSOR
