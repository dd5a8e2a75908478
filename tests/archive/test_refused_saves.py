"""What cannot be saved is named before a byte is written."""

# ruff: noqa: UP045
import io
from pathlib import Path
from typing import Any, Optional

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.reading_by_torch import saved


@torch.jit.ignore
def in_python(x: Tensor) -> Tensor:
    return x


def calls_python(x: Tensor) -> Tensor:
    return in_python(x)


def test_calls_of_python_functions_are_refused(tmp_path: Path) -> None:
    compiled = minits.script(calls_python)
    path = tmp_path / "model.pt"
    with pytest.raises(
        minits.SaveError, match=r"Could not export Python function call 'in_python'"
    ) as caught:
        compiled.save(path)
    assert f"{Path(__file__).name}:" in str(caught.value)
    assert not path.exists()


@torch.jit.interface
class Linked:
    def get(self) -> int:
        pass


class Ring:
    def __init__(self, following: Optional[Linked]) -> None:
        self.next = following

    def get(self) -> int:
        return 1


class WithCycle(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ring = Ring(None)
        self.ring.next = self.ring

    def forward(self) -> int:
        return self.ring.get()


def test_objects_that_contain_themselves_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"WithCycle\.ring\.next: .*contain themselves"):
        saved(WithCycle())


class WithGenerator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.generator = torch.Generator()

    def forward(self) -> Tensor:
        return torch.rand([2], generator=self.generator)


def test_values_that_archives_lack_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"WithGenerator\.generator: .*Generator"):
        saved(WithGenerator())


@pytest.mark.parametrize("value", [nn.ReLU(), in_python, 3])
def test_what_is_not_compiled_is_refused(value: Any) -> None:
    with pytest.raises(minits.SaveError, match=r"is not compiled\nhelp: save what minits.script"):
        minits.save(value, io.BytesIO())


def test_methods_are_refused() -> None:
    with pytest.raises(minits.SaveError, match=r"method forward .*\nhelp: save its module"):
        minits.script(nn.ReLU()).forward.save(io.BytesIO())
