"""The summaries of values that a recording keeps: short texts, and the range of a tensor.

    summary(torch.tensor([1.0, nan]))
        {"type": "Tensor", "text": "Tensor float32 [2], 1 NaN: 1, nan", "dtype": "float32",
         "shape": [2], "device": "cpu", "min": 1.0, "max": 1.0, "nan": 1, "inf": 0}
    summary([1, 2])
        {"type": "list", "text": "[1, 2]"}

A tensor's range is that of its finite elements, so that the JSON of it has only numbers.
"""

from __future__ import annotations

import reprlib
from typing import Any

import torch

Summary = dict[str, Any]

MOST_ELEMENTS = 8
"""Of a tensor whose elements are told one by one."""
MOST_CHARACTERS = 200


class _Shortened(reprlib.Repr):
    """Texts of values: of containers the first items, of tensors and objects what they are."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 10
        self.maxstring = self.maxother = self.maxlong = 60

    def repr_Tensor(self, value: torch.Tensor, level: int) -> str:
        return f"Tensor {_kind(value)}"

    repr_Parameter = repr_Tensor

    def repr_instance(self, value: Any, level: int) -> str:
        if isinstance(value, (torch.dtype, torch.device, torch.layout, float, complex, bool)):
            return repr(value)
        if isinstance(value, torch.Tensor):
            return self.repr_Tensor(value, level)
        if isinstance(value, tuple):
            return f"{type(value).__name__}{self.repr_tuple(tuple(value), level)}"
        return f"<{_class_of(value)}>"

    def repr_NoneType(self, value: None, level: int) -> str:
        return "None"


def summary(value: Any) -> Summary:
    """Return the summary of a value, of things that JSON has."""
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    text = _Shortened().repr(value)
    return {"type": _class_of(value), "text": text[:MOST_CHARACTERS]}


def _class_of(value: Any) -> str:
    return str(getattr(value, "original_name", type(value).__name__))


def _kind(value: torch.Tensor) -> str:
    device = "" if value.device.type == "cpu" else f" on {value.device}"
    return f"{str(value.dtype).removeprefix('torch.')} {list(value.shape)}{device}"


def _tensor(value: torch.Tensor) -> Summary:
    found: Summary = {
        "type": "Tensor",
        "text": f"Tensor {_kind(value)}",
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": list(value.shape),
        "device": str(value.device),
    }
    try:
        with torch.no_grad():
            _add_range(found, value.detach())
    except (RuntimeError, NotImplementedError):
        pass  # quantized, sparse, on the device "meta": there is no range to tell
    return found


def _add_range(found: Summary, value: torch.Tensor) -> None:
    if value.is_complex() or value.device.type == "meta" or not value.numel():
        return
    finite = value
    if value.is_floating_point():
        finite = value[value.isfinite()]
        found["nan"] = int(value.isnan().sum())
        found["inf"] = int(value.isinf().sum())
    if finite.numel():
        found["min"], found["max"] = finite.min().item(), finite.max().item()
        if value.numel() > MOST_ELEMENTS:
            found["text"] += f" from {_number(found['min'])} to {_number(found['max'])}"
    for name, shown in (("nan", "NaN"), ("inf", "inf")):
        if found.get(name):
            found["text"] += f", {found[name]} {shown}"
    if value.numel() <= MOST_ELEMENTS:
        elements = ", ".join(_number(each) for each in value.flatten().tolist())
        found["text"] += f": {elements}"


def _number(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)
