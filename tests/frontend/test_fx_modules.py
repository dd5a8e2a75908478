"""What `torch.fx` makes of a module is compiled: its `forward` is of no Python module.

It is no case of the conformance suite, since the name of its source has a path in it.
"""

from __future__ import annotations

import pytest
import torch
import torch.fx
from torch import nn

import minits


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):  # annotations that are texts are no types to torch.jit in such a source
        return (x * self.scale).relu() + 1


@pytest.mark.filterwarnings("ignore:The TorchScript type system doesn't support:UserWarning")
def test_a_traced_module_has_torchs_graph() -> None:
    traced = torch.fx.symbolic_trace(Net())
    ours, theirs = minits.script(traced), torch.jit.script(traced)
    x = torch.tensor([-1.0, 2.0])
    torch.testing.assert_close(ours(x), theirs(x))
    assert [node.kind for node in ours.graph.all_nodes()] == [
        node.kind() for node in theirs.graph.nodes()
    ]
    assert str(ours.code) == str(theirs.code)
