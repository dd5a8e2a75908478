"""torch.jit reads the examples, and the programs that minits makes of its own dialect."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
import torch
from torch import nn

import minits
from tests.support.reading_by_torch import read_by_torch

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"saved_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_read(path: Path) -> None:
    found = [value for value in vars(load(path)).values() if is_program(value, path)]
    assert found
    for program in found:
        compiled = minits.script(program, dialect="extended")
        forward = compiled.forward if isinstance(program, nn.Module) else compiled
        loaded = read_by_torch(compiled.save_to_buffer()).forward.schema
        names = [argument.name for argument in loaded.arguments if argument.name != "self"]
        assert names == [each.name for each in forward.schema.arguments if each.name != "self"]


def is_program(value: Any, path: Path) -> bool:
    is_own = getattr(value, "__module__", "") == f"saved_{path.stem}"
    return isinstance(value, nn.Module) or (is_own and isinstance(value, FunctionType))


def searched(x: torch.Tensor, size: int, factor: float = 2.0) -> torch.Tensor:
    while size > 0:
        x = x * factor
        if bool(x.sum() > 10):
            break
        size -= 1
    else:
        x = x + 1
    return x


def test_programs_of_the_extended_dialect_are_plain_when_saved() -> None:
    compiled = minits.script(searched, dialect="extended")
    loaded = read_by_torch(compiled.save_to_buffer())
    for size in (0, 1, 5):
        assert torch.equal(compiled(torch.ones(2), size), loaded(torch.ones(2), size))


class Summed(nn.Module):
    def total(self, *values: torch.Tensor, scale: float = 2.0) -> torch.Tensor:
        result = values[0] * scale
        for value in values:
            result = result + value
        return result

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.total(x, x) - self.total(x, scale=0.5)


class Shifted(Summed):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) + 1


@pytest.mark.parametrize("make", [Summed, Shifted])
def test_variants_of_methods_are_saved(make: type[nn.Module]) -> None:
    compiled = minits.script(make(), dialect="extended")
    loaded = read_by_torch(compiled.save_to_buffer())
    assert torch.equal(compiled(torch.ones(2)), loaded(torch.ones(2)))
