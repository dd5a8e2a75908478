"""The first error of a program names its cause, and the cure that it has compiles."""

import dataclasses
import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = nn.Linear(2, 2)

    def extra(self, x: Tensor) -> Tensor:
        return x


class OfParent(Base):
    def forward(self, x: Tensor) -> Tensor:
        return super().extra(x)


class OfNamedParent(Base):
    def forward(self, x: Tensor) -> Tensor:
        return super(OfNamedParent, self).extra(x)  # noqa: UP008


class OfPart(Base):
    def forward(self, x: Tensor) -> Tensor:
        while not self.part:
            x = x + 1
        return x


class OfPartMended(Base):
    def forward(self, x: Tensor) -> Tensor:
        while self.part is None:
            x = x + 1
        return x


def in_anomaly_mode(x: Tensor) -> Tensor:
    with torch.autograd.set_detect_anomaly(True):
        return x + 1


def with_a_seed(x: Tensor) -> Tensor:
    with torch.random.fork_rng():
        return x + torch.rand(1)


def root_of_text(text: str) -> float:
    return math.sqrt(text)  # type: ignore[arg-type]


def identity(x: Tensor) -> int:
    return id(x)


@dataclasses.dataclass
class Count:
    step: int
    total: int = dataclasses.field(init=False, default=9)


def counted(step: int) -> int:
    return Count(step).total


@pytest.mark.parametrize(
    ("program", "cure"),
    [
        (OfParent(), "move what both methods do into a method or function of another name"),
        (OfNamedParent(), "move what both methods do into a method or function of another name"),
        (OfPart(), "write self.part is None"),
        (in_anomaly_mode, "call it in Python, around the call of the compiled function"),
        (with_a_seed, "call it in Python, around the call of the compiled function"),
        (root_of_text, "give a number: float(text)"),
        (identity, "only objects of script classes have an id: compare two values by `is`, or call "
                   "id in a function marked @torch.jit.ignore"),
        (counted, "make it a parameter: total: int = 9"),
    ],
)  # fmt: skip
def test_one_error_names_the_cause(program: Any, cure: str) -> None:
    with pytest.raises((minits.CompileError, minits.NotSupportedError)) as caught:
        minits.script(program)
    (fault,) = caught.value.diagnostics
    assert fault.fix == cure


def test_a_module_in_a_loops_test_is_compared_with_none() -> None:
    x = torch.ones(2)
    torch.testing.assert_close(minits.script(OfPartMended())(x), x)
