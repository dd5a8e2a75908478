"""A client of minits, which type checkers read: `test_clients.py`."""

import torch
from torch import Tensor, nn
from typing_extensions import assert_type

import minits
from minits import RecursiveScriptModule


@minits.script
def scaled(x: Tensor, by: float = 2.0) -> tuple[Tensor, int]:
    return x * by, 1


class Net(nn.Module):
    @minits.export
    def doubled(self, x: Tensor) -> Tensor:
        return x * 2

    @minits.ignore
    def noted(self, x: Tensor) -> Tensor:
        return x

    @minits.unused
    def unfinished(self, x: Tensor) -> Tensor:
        return x

    def forward(self, x: Tensor) -> Tensor:
        return x


class Chosen(minits.ScriptModule):
    @minits.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x


@minits.script
class Point:
    def __init__(self, x: int) -> None:
        self.x = x


@minits.interface
class Scoring:
    def score(self, x: int) -> float:
        return 0.0


def plain(x: Tensor) -> Tensor:
    return x


assert_type(scaled(torch.ones(1)), tuple[Tensor, int])
assert_type(scaled(torch.ones(1), by=3.0), tuple[Tensor, int])
assert_type(minits.script(Net()), RecursiveScriptModule)
assert_type(minits.script(Chosen()), Chosen)
assert_type(Point(1).x, int)
assert_type(Net().doubled(torch.ones(1)), Tensor)
assert_type(minits.annotate(list[int], []), list[int])
assert_type(minits.wait(minits.fork(scaled, torch.ones(1))), tuple[Tensor, int])
assert_type(minits.script_if_tracing(plain)(torch.ones(1)), Tensor)
compiled = minits.script(plain)
assert_type(compiled(torch.ones(1)), Tensor)
assert_type(compiled.code, str)
module = minits.load("model.pt")
module.save("again.pt")

scaled("text")  # error
scaled(torch.ones(1), times=2)  # error
minits.scirpt(plain)  # error
