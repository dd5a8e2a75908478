"""Operators are asked what they save for gradients, without sizes for which a kernel crashes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import torch
from torch import Tensor, nn

import minits

DRAWN = """
import random, sys, warnings
import torch
from torch.utils._pytree import tree_leaves

from minits.passes.saved_values import CHECKED

warnings.simplefilter("ignore")
torch.manual_seed(0)
DTYPES = (torch.float32, torch.float32, torch.float32, torch.int64, torch.complex64)


def tensor(rng):
    made = torch.full([rng.choice((0, 1, 2, 3, 4, 9)) for _ in range(rng.randrange(5))], 1)
    made = made.to(rng.choice(DTYPES))
    if not made.dtype.is_floating_point:
        return made * 0
    return made.requires_grad_()


def drawn(rng, type):
    kind = type.kind()
    if kind == "OptionalType":
        return None if rng.random() < 0.5 else drawn(rng, type.getElementType())
    if kind == "ListType":
        return [drawn(rng, type.getElementType()) for _ in range(rng.randrange(1, 4))]
    if kind == "TensorType":
        return tensor(rng)
    if kind == "IntType":
        return rng.choice((-2, -1, 0, 1, 1, 2, 3, 7))
    if kind in ("FloatType", "NumberType"):
        return rng.choice((0.5, 2.0))
    return {"BoolType": rng.random() < 0.5}.get(kind)


for kind in sorted(CHECKED):
    rng = random.Random(kind)
    print(kind, file=sys.stderr, flush=True)
    packet = getattr(torch.ops.aten, kind.removeprefix("aten::"))
    for name in packet.overloads():
        operator = getattr(packet, name)
        if any(each.is_out for each in operator._schema.arguments):
            continue
        for _ in range(40):
            given = [
                6 if each.name == "dtype" else drawn(rng, each.type)
                for each in operator._schema.arguments
                if not each.kwarg_only
            ]
            if not any(each.requires_grad for each in tree_leaves(given) if torch.is_tensor(each)):
                continue  # nobody asks
            try:
                operator(*given)
            except Exception:
                continue
"""


def test_checked_operators_survive_sizes_that_do_not_fit() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", DRAWN],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"after {ran.stderr.splitlines()[-1]}: rc {ran.returncode}"


class Recurrent(nn.Module):
    """Cells whose result is written to, which is asked for what `aten::gru` saves."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(16, 16, batch_first=True)
        self.linear = nn.Linear(16, 16)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        y, _ = self.cells(torch.relu(self.linear(x)) * 2, h)
        y += 1
        return torch.relu(self.linear(y)) * 2 + y


def test_traced_cells_of_one_batch_are_written_to() -> None:
    # torch.gru reads out of bounds for weights [4, 4] of 4 hidden units
    module, x, h = Recurrent(), torch.rand(1, 6, 16), torch.zeros(1, 1, 16)
    traced = minits.trace(module, (x, h), check_trace=False)
    for _ in range(3):
        torch.testing.assert_close(traced(x, h), module(x, h))
