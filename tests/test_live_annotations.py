"""Annotations of users' code that Python evaluates late (PEP 649), or not at all."""

import sys

import pytest
import torch
from torch import Tensor, nn

import minits

# As `warnings.deprecated` of Python 3.14 marks a class.
MARKED = """
import torch

class Scale:
    def __init__(self, by: float):
        self.by = by

def warn(cls, *args, **kwargs):
    return super(Scale, cls).__init_subclass__(*args, **kwargs)

warn.__name__ = "__init_subclass__"
Scale.__init_subclass__ = classmethod(warn)
Scale.__deprecated__ = "use Zoom"

def scaled(x: torch.Tensor):
    return x * Scale(2.0).by
"""

LATE = """
from typing import TYPE_CHECKING, NamedTuple
import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from elsewhere import Config

class Net(nn.Module):
    config: Config
    scale: float

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    @torch.jit.ignore
    def noted(self, x: Tensor, config: Config) -> Tensor:
        return x

    def forward(self, x: Tensor) -> Pair:
        return Pair(x * self.scale, 1)

class Pair(NamedTuple):
    first: Tensor
    second: int
"""


def imported(text: str, tmp_path, monkeypatch, name: str):
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__(name)
    monkeypatch.delitem(sys.modules, name)
    return module


def test_the_mark_of_deprecated_classes_is_not_compiled(tmp_path, monkeypatch) -> None:
    module = imported(MARKED, tmp_path, monkeypatch, "marked_class")
    assert minits.script(module.scaled)(torch.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.skipif(sys.version_info < (3, 14), reason="earlier Pythons refuse the file itself")
def test_names_for_type_checkers_and_names_defined_later(tmp_path, monkeypatch) -> None:
    module = imported(LATE, tmp_path, monkeypatch, "late_annotations")
    compiled = minits.script(module.Net())
    assert compiled(torch.ones(2)).first.tolist() == [2.0, 2.0]


def test_strings_that_name_nothing() -> None:
    class Net(nn.Module):
        config: "Config"  # noqa: F821
        scale: "float"

        def __init__(self) -> None:
            super().__init__()
            self.scale = 2.0

        def forward(self, x: Tensor) -> Tensor:
            return x * self.scale

    assert minits.script(Net())(torch.ones(1)).tolist() == [2.0]
