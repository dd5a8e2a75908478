"""Costs of calls on a device: launches, a decoder's step, first calls; the kernels of some."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

import minits
from benchmarks.gpu.decoder import decoder, products
from benchmarks.gpu.timing import Call, Machine, measure
from benchmarks.launch import launch_of, scaled_tanh
from benchmarks.patterns import load_examples

_EMPTY = 'extern "C" __global__ void empty(const float *x, const float *y, float *z, int n) {}'


def launch_costs(machine: Machine, rounds: int) -> dict[str, float]:
    """Return the seconds of a launch with two inputs, and of others to compare it with.

    On a device also that of a kernel that does nothing, launched as ours are.
    """
    x, y = torch.randn(2, 4, 4, device=machine.device).unbind(0)
    launch = launch_of(scaled_tanh, [x, y])
    calls: dict[str, Call] = {"launch": partial(launch, x, y), "eager's product": lambda: x * y}
    if machine.is_gpu:
        calls["empty kernel"] = empty_launch(x, y)
    calls["empty tensor"] = lambda: torch.empty_like(x)
    for call in calls.values():
        call()
    return measure(calls, rounds, machine.call_seconds)


def empty_launch(x: Tensor, y: Tensor) -> Call:
    """Return the launch of a kernel that does nothing, with the arguments of one that does."""
    from minits.kernels.cuda.cuda_driver import driver, load

    (handle,) = load(_EMPTY, ["empty"], x.device.index)
    addresses = (ctypes.c_ulonglong * 3)(x.data_ptr(), y.data_ptr(), x.data_ptr())
    count, stream = ctypes.c_int(x.numel()), ctypes.c_void_p()
    places = [ctypes.addressof(addresses) + 8 * index for index in range(3)]
    arguments = (ctypes.c_void_p * 4)(*places, ctypes.addressof(count))
    run = driver().cuLaunchKernel

    def launch(*kept: Any, function: Any = handle.func) -> None:
        run(function, 1, 1, 1, 256, 1, 1, 0, stream, arguments, None)

    return partial(launch, addresses, count, handle)


# ---- Kernels -----------------------------------------------------------------------------------


def kernels_of(call: Call) -> list[str]:
    """Return the names of the kernels that a call launches, by torch's profiler."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    call()
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=activities, acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    on_device = torch.autograd.DeviceType.CUDA
    return [event.name for event in profile.events() if event.device_type == on_device]


def masked_softmax_kernels(device: str) -> dict[str, list[str]]:
    """Return the kernels of a masked softmax, and of its gradient, with a mask and without."""
    scripted = minits.script(load_examples().scale_mask_softmax)
    found = {}
    for told, is_masked in (("with a mask", True), ("without", False)):
        scores = torch.randn(2, 4, 64, 64, device=device, requires_grad=True)
        mask = torch.zeros(2, 1, 1, 64, device=device) if is_masked else None
        gradient = torch.randn_like(scores)
        for _ in range(3):
            result = scripted(scores, 8.0, mask)
            torch.autograd.grad(result, scores, gradient, retain_graph=True)
        backward = partial(torch.autograd.grad, result, scores, gradient, retain_graph=True)
        found[f"forward, {told}"] = kernels_of(partial(scripted, scores, 8.0, mask))
        found[f"backward, {told}"] = kernels_of(backward)
    return found


# ---- A decoder's step --------------------------------------------------------------------------


def decoder_steps(machine: Machine, dtype: torch.dtype, rounds: int) -> dict[str, Any]:
    """Return the seconds of a step in each way, of its products alone, and numbers of kernels."""
    module, arguments = decoder(machine.device, dtype)
    functions: dict[str, Callable[..., Any]] = {
        "eager": module,
        "torch.jit": torch.jit.script(module),
        "minits": minits.script(module),
    }
    with torch.no_grad():
        expected = module(*arguments)
        for name, function in functions.items():
            for _ in range(5):
                found = function(*arguments)
            error = (found - expected).abs().max().item()
            if error > (2e-5 if dtype == torch.float32 else 2e-2) * expected.abs().max().item():
                raise RuntimeError(f"a decoder's step of {name} is off by {error:g}")
        calls: dict[str, Call] = {
            name: partial(function, *arguments) for name, function in functions.items()
        }
        calls["products alone"] = partial(products, module, arguments)
        kernels = {name: len(kernels_of(call)) for name, call in calls.items() if machine.is_gpu}
        return {"seconds": measure(calls, rounds, machine.call_seconds), "kernels": kernels}


# ---- First calls -------------------------------------------------------------------------------


def first_calls(machine: Machine, peers: list[str]) -> dict[str, list[float]]:
    """Return the seconds of the first calls of a program, each in a process of its own."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        _first_calls("minits", machine, Path(folder, "before"))  # Python's own caches are full then
        for name in ("minits", "minits, built before"):
            found[name] = _first_calls("minits", machine, Path(folder, "kernels"))
        for name in peers:
            found[name] = _first_calls(name, machine, Path(folder, name))
    return found


def _first_calls(who: str, machine: Machine, folder: Path) -> list[float]:
    environment = {
        **os.environ,
        "MINITS_CACHE": str(folder),
        "TORCHINDUCTOR_CACHE_DIR": str(folder),
    }
    environment.pop("MINITS_PLANS", None)
    environment.pop("MINITS_BUILD", None)
    command = [sys.executable, "-m", "benchmarks.gpu.first_call", who, machine.device]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"first calls of {who} fail: {done.stderr.strip()[-500:]}")
    seconds: list[float] = json.loads(done.stdout.splitlines()[-1])
    return seconds
