"""Archives of programs of the extended dialect: torch.jit loads and runs them."""

from __future__ import annotations

import copy
import io

import pytest
import torch

import minits
from tests.frontend.extended.test_access_paths import CachedInLoop, InBranch, OfItems
from tests.frontend.extended.test_conditions import truth_of_int, while_given
from tests.frontend.extended.test_correlated_branches import Skip, of_variables
from tests.frontend.extended.test_walrus import in_while, of_operands, order

ONE = torch.ones(2)


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (InBranch(True), (ONE,)),
        (CachedInLoop(False), (ONE,)),
        (OfItems(True), (ONE,)),
        (truth_of_int, (None,)),
        (while_given, (9,)),
        (Skip(True), (ONE,)),
        (of_variables, (True, False, 3)),
        (of_operands, (True, 3)),
        (in_while, ([0, 5, 2, 4],)),
        (order, ([],)),
    ],
)
def test_torch_runs_the_archive(program, arguments) -> None:
    compiled = minits.script(copy.deepcopy(program), dialect="extended")
    archive = io.BytesIO()
    minits.save(compiled, archive)
    archive.seek(0)
    loaded = torch.jit.load(archive)
    expected = program(*copy.deepcopy(arguments))
    torch.testing.assert_close(loaded(*copy.deepcopy(arguments)), expected)
