"""Remote calls run by `torch.distributed.rpc`, here with a worker that calls itself."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.distributed import rpc
from torch.distributed.rpc import RRef

import minits
from minits.runtime.argument_faults import ArgumentError


def scaled(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor


def everything(worker: str, x: Tensor):
    started = rpc.rpc_async(worker, scaled, (x,), {"factor": 3}, 20.0)
    kept = rpc.remote(worker, scaled, (x,))
    fetched = rpc.rpc_sync(worker, scaled, (x, 4))
    return started.wait(), kept.to_here(), fetched, kept.owner_name(), f"{started}", kept


def of_reference(kept: RRef[Tensor]) -> tuple[Tensor, bool]:
    return kept.to_here() + kept.local_value(), kept.is_owner()


_WORKER = """
import torch, minits
from torch.distributed import rpc
from tests.runtime.test_remote_calls import everything, of_reference
from minits.runtime.interpreter import run

options = rpc.TensorPipeRpcBackendOptions(init_method="file://{file}")
rpc.init_rpc("me", rank=0, world_size=1, rpc_backend_options=options)
for script in (torch.jit.script, minits.script):
    *values, kept = script(everything)("me", torch.ones(1))
    print([v.item() if isinstance(v, torch.Tensor) else v for v in values])
    total, is_owner = script(of_reference)(kept)
    print(total.item(), is_owner)
print([v.item() for v in run(minits.script(everything).graph, "me", torch.ones(1))[:3]])
rpc.shutdown()
"""


@pytest.mark.slow
def test_a_worker_that_calls_itself(tmp_path: Path) -> None:
    text = _WORKER.format(file=tmp_path / "rendezvous")
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    by_torch, by_torch_reference, by_minits, by_minits_reference, interpreted = (
        done.stdout.splitlines()
    )
    assert by_torch == by_minits == "[3.0, 2.0, 4.0, 'me', 'Future']"
    assert by_torch_reference == by_minits_reference == "4.0 True"
    assert interpreted == "[3.0, 2.0, 4.0]"


def test_without_an_agent_it_is_told_how_to_start_one() -> None:
    with pytest.raises(RuntimeError, match=r"init_rpc"):
        minits.script(everything)("me", torch.ones(1))


def test_what_is_no_reference_is_refused() -> None:
    with pytest.raises(ArgumentError, match="RRef"):
        minits.script(of_reference)(torch.ones(1))


def test_functions_of_texts_are_not_sent() -> None:
    text = """
def there(x: int) -> int:
    return x

def here(worker: str) -> int:
    return torch.distributed.rpc.rpc_sync(worker, there, (1,))
"""
    unit = minits.CompilationUnit(text)
    with pytest.raises(RuntimeError, match="compiled from text"):
        unit.here("me")


def test_archives_hold_no_remote_calls() -> None:
    with pytest.raises(RuntimeError, match="remote call"):
        minits.save(minits.script(everything), io.BytesIO())
