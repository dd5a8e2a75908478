"""torch.compile and strict export trace the operators of modules that were read from archives."""

from __future__ import annotations

import io
from typing import Any

import pytest
import torch
from torch import nn

import minits

STATEMENTS = {
    "a slice": "x[:, 1]",
    "slices": "x[1:, ::2] + x[0, 1:3]",
    "a new dimension": "x[..., None].sum(-1)",
    "a written slice": "zeroed(x)",
    "a written element": "marked(x)",
    "a mask": "x[x > 0.5].sum()",
    "an index": "x[torch.tensor([0, 2])]",
    "norm": "x.norm()",
    "norm of a dimension": "torch.norm(x, 2.0, 1)",
    "std": "x.std() + x.var(1).sum()",
    "split": "x.split(1)[0] + x.chunk(2, 1)[0].sum()",
    "unbind": "x.unbind(0)[1]",
    "meshgrid": "torch.meshgrid([x[0], x[1]])[0]",
    "einsum": "torch.einsum('ij,kj->ik', x, x)",
    "stft-like": "torch.tensordot(x, x, dims=[[1], [1]])",
    "cdist": "torch.cdist(x, x)",
    "sort": "x.sort(1)[0] + x.topk(2, 1)[0].sum()",
    "where": "torch.where(x > 0.5, x, torch.zeros_like(x))",
    "to": "x.to(torch.float64).sum()",
    "new": "x.new_zeros([2]) + torch.full([2], 3.0)",
    "interpolate": "torch.nn.functional.interpolate(x[None, None], scale_factor=2.0)",
    "pad": "torch.nn.functional.pad(x, [1, 1])",
    "softmax": "torch.softmax(x, 1) + torch.nn.functional.gelu(x)",
    "norms": "torch.nn.functional.layer_norm(x, [4])",
    "size": "x.view(x.size(0) * x.size(1))",
}
TEXT = """
import torch
from torch import Tensor, nn

def zeroed(x: Tensor) -> Tensor:
    y = x.clone()
    y[:, 0] = 0
    return y

def marked(x: Tensor) -> Tensor:
    y = x.clone()
    y[0, 1] = 2.5
    y[1] += 1
    return y

class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return {statement}
"""


class Outer(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> Any:
        return self.inner(x) * 2


@pytest.mark.one_in(16)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", STATEMENTS)
def test_operators_of_an_archive_are_traced(name: str) -> None:
    space: dict[str, Any] = minits.exec_source(TEXT.format(statement=STATEMENTS[name]))
    file = io.BytesIO()
    minits.save(minits.script(space["Net"]()), file)
    file.seek(0)
    outer, x = Outer(minits.load(file)), torch.rand(3, 4)
    wanted = outer(x)
    torch._dynamo.reset()
    compiled = torch.compile(outer, backend="eager", fullgraph=name != "a mask")
    torch.testing.assert_close(compiled(x), wanted)
    if name != "a mask":
        exported = torch.export.export(outer, (x,), strict=True).module()
        torch.testing.assert_close(exported(x), wanted)
