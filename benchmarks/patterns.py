"""The programs of the kernel benchmarks: what people write, in sizes from 1k to 4M elements."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

COLUMNS = 64
"""The length of rows, where a pattern reduces over rows or has a bias."""


def load_examples() -> ModuleType:
    """Return examples/fused.py as a module."""
    path = Path(__file__).parents[1] / "examples" / "fused.py"
    spec = importlib.util.spec_from_file_location("fused_examples", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True, slots=True)
class Pattern:
    """A function of examples/fused.py and its arguments.

    `arguments(elements, options)` makes them; `options` are keyword arguments of `torch.randn`.
    `ideal_bytes` are those that must be read and written at least, in elements per element.
    """

    name: str
    function: str
    arguments: Callable[[int, dict[str, Any]], tuple[Any, ...]]
    moved: float
    backward: bool = False
    targets: tuple[float, ...] = ()
    """At 64k and 4M elements: at least so many times as fast as eager."""

    def bytes(self, elements: int, element_size: int) -> float:
        return self.moved * elements * element_size


def _same(count: int) -> Callable[[int, dict[str, Any]], tuple[Tensor, ...]]:
    return lambda n, o: tuple(torch.randn(n // COLUMNS, COLUMNS, **o) for _ in range(count))


def _bias(n: int, o: dict[str, Any]) -> tuple[Tensor, ...]:
    return torch.randn(n // COLUMNS, COLUMNS, **o), torch.randn(COLUMNS, **o)


def _softmax(n: int, o: dict[str, Any]) -> tuple[Any, ...]:
    batch = 4
    rows = n // (batch * COLUMNS)
    return torch.randn(batch, 1, rows, COLUMNS, **o), 8.0, torch.randn(batch, 1, 1, COLUMNS, **o)


def _layer_norm(n: int, o: dict[str, Any]) -> tuple[Tensor, ...]:
    width = 256
    x, residual = (torch.randn(n // width, width, **o) for _ in range(2))
    return x, residual, torch.randn(width, **o), torch.randn(width, **o)


def _lstm(n: int, o: dict[str, Any]) -> tuple[Tensor, ...]:
    rows = n // COLUMNS
    return torch.randn(rows, 4 * COLUMNS, **o), torch.randn(rows, COLUMNS, **o)


def _gru(n: int, o: dict[str, Any]) -> tuple[Tensor, ...]:
    rows = n // COLUMNS
    inputs, hidden = (torch.randn(rows, 3 * COLUMNS, **o) for _ in range(2))
    return inputs, hidden, torch.randn(rows, COLUMNS, **o)


def _adam(n: int, o: dict[str, Any]) -> tuple[Any, ...]:
    return (*_same(3)(n, o), torch.rand(n // COLUMNS, COLUMNS, **o), 10)


PATTERNS = (
    Pattern("chain", "chain", _same(4), 5, targets=(4.0, 4.5)),
    Pattern("bias + gelu", "bias_gelu", _bias, 2, targets=(3.0, 3.0)),
    Pattern("scale + mask + softmax", "scale_mask_softmax", _softmax, 2, targets=(1.5, 1.8)),
    Pattern("residual + layer norm", "residual_layer_norm", _layer_norm, 3, targets=(1.2, 1.2)),
    Pattern("swiglu", "swiglu", _same(2), 3, targets=(1.7, 2.5)),
    Pattern("LSTM pointwise", "lstm_pointwise", _lstm, 7, targets=(3.5, 3.5)),
    Pattern("GRU pointwise", "gru_pointwise", _gru, 8),
    Pattern("focal loss", "focal_loss", _same(2), 3),
    Pattern("Adam step", "adam_step", _adam, 7),
    Pattern("gelu forward + backward", "bias_gelu", _bias, 4, backward=True, targets=(2.0, 3.0)),
)


_LENGTHS = tuple(1 << power for power in range(7, 17))
"""Columns of the rows that are reduced on a GPU: from a part of a warp to more than a block's."""


def _scaled_rows(columns: int) -> Callable[[int, dict[str, Any]], tuple[Any, ...]]:
    return lambda n, o: (torch.randn(max(1, n // columns), columns, **o), 8.0, None)


def _normalised_rows(columns: int) -> Callable[[int, dict[str, Any]], tuple[Any, ...]]:
    def arguments(n: int, o: dict[str, Any]) -> tuple[Any, ...]:
        x, residual = (torch.randn(max(1, n // columns), columns, **o) for _ in range(2))
        return x, residual, torch.randn(columns, **o), torch.randn(columns, **o)

    return arguments


ROWS = (
    *[Pattern(f"softmax of {n}", "scale_mask_softmax", _scaled_rows(n), 2) for n in _LENGTHS],
    *[Pattern(f"norm of {n}", "residual_layer_norm", _normalised_rows(n), 3) for n in _LENGTHS],
)
"""The row reductions, for rows of many lengths."""


def load_lstm() -> tuple[Any, tuple[Any, ...]]:
    """Return the custom LSTM of examples/fused.py, B = 1 and H = 64, and a sequence of 50 steps."""
    torch.manual_seed(0)
    module = load_examples().LSTM(64, 64)
    states = torch.zeros(1, 64), torch.zeros(1, 64)
    return module, (torch.randn(50, 1, 64), states)
