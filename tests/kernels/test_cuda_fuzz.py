"""Random programs with the CUDA kernels that a GPU would get, which the CPU runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from conformance.fuzz.check import Counts
from conformance.fuzz.programs import random_program
from conformance.fuzz.search import check_program, drawn
from tests.support.cuda_emulator import emulated

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
SEED = 20261121


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 40, 20))
@pytest.mark.parametrize("gradients", [False, True], ids=["results", "gradients"])
def test_random_programs(
    begin: int, gradients: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    total, failures = Counts(), []
    with emulated(monkeypatch, tmp_path) as texts:
        for _, program in drawn(SEED, begin, 20, lambda random: random_program(random, gradients)):
            counts, failure = check_program(program, gradients)
            total = total + counts
            failures += [failure] if failure else []
    assert not failures, "\n\n".join(failures)
    assert total.kernels > 5 and len(texts) > 5
