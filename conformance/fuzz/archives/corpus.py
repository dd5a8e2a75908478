"""The archives that are changed: small programs that have what archives can have."""

from __future__ import annotations

import io
import warnings
import zipfile
from enum import Enum
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

import minits
from conformance.fuzz.archives import quantized

Records = dict[str, bytes]
"""The contents of an archive's entries, by their names without the folder."""


class Pair(NamedTuple):
    first: Tensor
    second: int


class Color(Enum):
    RED = 1
    GREEN = 2


class Values(nn.Module):
    """Attributes of all kinds, tied weights, views, hooks of types."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.again = nn.Linear(3, 3), nn.Linear(3, 3)
        self.again.weight = self.linear.weight
        self.register_buffer("view", self.linear.weight.detach()[1:])
        self.names: dict[str, list[int]] = {"a": [1, 2], "b": [3]}
        self.pairs: list[tuple[int, float]] = [(1, 2.5), (3, -0.0)]
        self.color, self.nothing, self.text = Color.GREEN, None, "täxt"

    def forward(self, x: Tensor, n: int = 2, scale: float | None = None) -> Pair:
        total = 0
        for name, numbers in self.names.items():
            if name != "b" and self.color == Color.GREEN:
                total += sum(numbers) + len(self.text)
        while n > 0:
            x = self.again(self.linear(x)) + torch.div(x, 3)
            n -= 1
        assert total >= 0, "negative"
        return Pair(x if scale is None else x * scale, total)


class Stateful(nn.Module):
    """A state of its own, tensors as constants, a string that is no literal."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.arange(6.0).reshape(2, 3)

    @torch.jit.export
    def __getstate__(self):  # type: ignore[no-untyped-def]
        return self.weight.t().contiguous(), self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[Tensor, bool]) -> None:
        x = state[0]
        for _ in range(2):
            x = x.t().clone()
        self.weight = x.t() * 1.0
        self.training = state[1]

    def forward(self, x: Tensor) -> list[str]:
        return [f"é {x.size(0)}", str(self.weight.sum())]


START = torch.ones(3)
"""The default of a parameter, which becomes a constant of the archive."""


class Sparse(nn.Module):
    """Sparse and complex tensors, a list of modules."""

    def __init__(self) -> None:
        super().__init__()
        self.sparse = torch.eye(3).to_sparse()
        self.complex = torch.ones(2, dtype=torch.complex64).conj()
        self.layers = nn.ModuleList([nn.BatchNorm1d(3), nn.Dropout(0.5)])

    def forward(self, x: Tensor, start: Tensor = START) -> Tensor:
        x = x + start
        for layer in self.layers:
            x = layer(x)
        return x


def archives() -> list[Records]:
    """Return the records of each archive, as torch.jit and minits write it."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in (Values(), Stateful(), Sparse()):
            found += [_by_torch(torch.jit.script(module)), _by_minits(module)]
        made = quantized.compiled()
        found += [_by_torch(module) for module in made]
        found += [_by_minits(module) for module in made[:2]]
    return [*found, quantized.as_of_old(found[6])]


def _by_torch(compiled: Any) -> Records:
    buffer = io.BytesIO()
    torch.jit.save(compiled, buffer)
    return unpacked(buffer.getvalue())


def _by_minits(module: Any) -> Records:
    return unpacked(minits.script(module).save_to_buffer())


def unpacked(content: bytes) -> Records:
    """Return the records of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return {name.partition("/")[2]: file.read(name) for name in file.namelist()}


def packed(records: Records, compressed: bool = False) -> bytes:
    """Return an archive of these records, with the right checksums."""
    buffer = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in records.items():
            file.writestr(f"archive/{name}", content)
    return buffer.getvalue()
