"""CUDA text run on the CPU: compiled as C++ with its own threads, shuffles and barriers.

A block's threads are threads of the system where the text shuffles, and run one after the other
where it does not; blocks run one after the other. `emulated` puts it in place of the driver, so
that `minits.kernels.cuda.cuda_kernel` runs as it is.
"""

from __future__ import annotations

import atexit
import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import minits
from minits.kernels import fused_kernel
from minits.kernels.cuda import cuda_kernel
from minits.kernels.cuda.cuda_printer.loops import SHARED_MEMORY
from minits.kernels.cuda.device_functions import conversions
from minits.kernels.cuda.quick_functions import instruction
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout

_RUNTIME = r"""
#pragma once
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <pthread.h>
using namespace std;
#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(threads)
#define __forceinline__ inline
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct Dim { unsigned x; };
static thread_local Dim threadIdx;
static Dim blockIdx, blockDim, gridDim;

struct Barrier {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    int waiting = 0;
    unsigned phase = 0;
    void wait(int count) {
        pthread_mutex_lock(&mutex);
        const unsigned before = phase;
        if (++waiting == count) {
            waiting = 0;
            ++phase;
            pthread_cond_broadcast(&changed);
        } else while (phase == before) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
};
static Barrier of_block, of_group[1024];
static char slots[1024][16];

static void __syncthreads() { of_block.wait(blockDim.x); }
template <typename T> T __shfl_xor_sync(unsigned mask, T value, int offset) {
    Barrier &group = of_group[threadIdx.x / 32 * 32 + __builtin_ctz(mask)];
    memcpy(slots[threadIdx.x], &value, sizeof value);
    group.wait(__builtin_popcount(mask));
    if (!(mask >> (threadIdx.x % 32 ^ offset) & 1)) __builtin_trap();
    memcpy(&value, slots[threadIdx.x ^ offset], sizeof value);
    group.wait(__builtin_popcount(mask));
    return value;
}
template <typename T> T of_lane(T value, unsigned lane) {
    Barrier &group = of_group[threadIdx.x / 32 * 32];
    memcpy(slots[threadIdx.x], &value, sizeof value);
    group.wait(32);
    memcpy(&value, slots[threadIdx.x / 32 * 32 + lane], sizeof value);
    group.wait(32);
    return value;
}
template <typename T> T __shfl_sync(unsigned mask, T value, int lane)
{ return of_lane(value, lane); }
template <typename T> T __shfl_up_sync(unsigned mask, T value, unsigned offset) {
    const unsigned lane = threadIdx.x % 32;
    return of_lane(value, lane < offset ? lane : lane - offset);
}
static void __syncwarp() { of_group[threadIdx.x / 32 * 32].wait(32); }
template <typename To, typename From> To bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
template <typename T> void __stwb(T *address, T value) { *address = value; }
static float __int_as_float(int x) { return bits<float>(x); }
static float __uint_as_float(unsigned x) { return bits<float>(x); }
static int __float_as_int(float x) { return bits<int>(x); }
static unsigned __float_as_uint(float x) { return bits<unsigned>(x); }
static double __longlong_as_double(long long x) { return bits<double>(x); }
static long long __double_as_longlong(double x) { return bits<long long>(x); }

// Functions that CUDA has and C++ has not, or calls otherwise.
template <typename T> T rsqrt(T x) { return 1 / sqrt(x); }
template <typename T> T cyl_bessel_i0(T x)
{ return fabs(x) < 700 ? cyl_bessel_i(T(0), fabs(x)) : NAN; }
template <typename T> T cyl_bessel_i1(T x)
{ return fabs(x) < 700 ? copysign(cyl_bessel_i(T(1), fabs(x)), x) : NAN; }
template <typename T> T erfinv(T y) {
    if (!(fabs(y) < 1)) return fabs(y) == 1 ? y / T(0) : T(NAN);
    double x = 0;
    for (int i = 0; i < 200; ++i) x -= (erf(x) - y) * 0.886226925452758 * exp(x * x);
    return T(x);
}

// What a kernel asserts. The driver says 710 for it, when it is waited for.
static int failed;
static void __assertfail(
    const char *message, const char *file, unsigned line, const char *function, size_t size)
{ failed = 710; }

typedef void (*Kernel)(void **);
struct Start { Kernel kernel; void **arguments; unsigned thread; };
static void *run(void *given) {
    Start *start = (Start *)given;
    threadIdx.x = start->thread;
    start->kernel(start->arguments);
    return 0;
}
static void launch(
    Kernel kernel, unsigned blocks, unsigned threads, int parallel, void **arguments) {
    gridDim.x = blocks;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        Start starts[1024];
        pthread_t ids[1024];
        for (unsigned i = 0; i < threads; ++i) {
            starts[i] = {kernel, arguments, i};
            if (parallel) pthread_create(&ids[i], 0, run, &starts[i]);
            else run(&starts[i]);
        }
        for (unsigned i = 0; parallel && i < threads; ++i) pthread_join(ids[i], 0);
    }
}
"""
_F16 = """
static float from_f16(unsigned short bits) { return _cvtsh_ss(bits); }
static unsigned short to_f16(float value) { return _cvtss_sh(value, 0); }
static float round_f16(float value) { return from_f16(to_f16(value)); }
"""
_QUICK = {
    "quick_exp2": "float x) { return exp2(x)",
    "quick_log2": "float x) { return log2(x)",
    "quick_reciprocal": "float x) { return 1 / x",
    "quick_sqrt": "float x) { return sqrt(x)",
    "quick_tanh": "float x) { return tanh(x)",
    "wide_over": "float x, float y) { return x / y",
}
_FLAGS = "-std=c++17 -O1 -mf16c -ffp-contract=off -fwrapv -pthread -fPIC -w".split()
_SIGNATURE = re.compile(
    r'extern "C" __global__ void __launch_bounds__\(\d+\) (\w+)\((.*?)\) \{', re.S
)


def build(texts: list[str], folder: Path) -> list[dict[str, Any]]:
    """Return what launches each text's functions: `launch(blocks, threads, arguments)`."""
    parts = [f'#include "{_runtime()}"\n']
    for number, text in enumerate(texts):
        body = text.replace(conversions([torch.float16])[0], _F16)
        memory = f"alignas(8) static unsigned char shared[{SHARED_MEMORY_OF_H100}];"
        body = body.replace(SHARED_MEMORY, memory)
        for name, definition in _QUICK.items():
            body = body.replace(instruction(name), f"static float {name}({definition}; }}")
        body = body.replace('extern "C" __global__', "static __global__")
        starts = [_start(match, number, text) for match in _SIGNATURE.finditer(text)]
        undefined = "#undef CHUNK\n#undef THREADS\n#undef WIDTH"
        parts.append(f"{undefined}\nnamespace text{number} {{\n{body}\n{''.join(starts)}}}\n")
    source, library = folder / "emulated.cpp", folder / "emulated.so"
    source.write_text("".join(parts), encoding="utf-8")
    _compile(["-shared", "-o", str(library), str(source)])
    loaded = ctypes.CDLL(str(library))
    return [
        {
            match[1]: getattr(loaded, f"launch{number}_{match[1]}")
            for match in _SIGNATURE.finditer(text)
        }
        for number, text in enumerate(texts)
    ]


@cache
def _runtime() -> Path:
    """The header that all texts include, compiled beforehand: without that it takes longest."""
    folder = Path(tempfile.mkdtemp(prefix="minits-emulator-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    header = folder / "runtime.h"
    header.write_text(_RUNTIME, encoding="utf-8")
    _compile(["-x", "c++-header", "-o", f"{header}.gch", str(header)])
    return header


def _compile(arguments: list[str]) -> None:
    done = subprocess.run(["g++", *_FLAGS, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]


def _start(signature: re.Match[str], number: int, text: str) -> str:
    """A C function that takes a kernel's arguments as the driver does, and launches it."""
    name = signature[1]
    types = [
        argument.rsplit(" ", 1)[0].replace("*__restrict__", "*").strip()
        for argument in signature[2].split(",")
    ]
    unpacked = ", ".join(f"*({kind}*)arguments[{i}]" for i, kind in enumerate(types))
    return f"""
static void start_{name}(void **arguments) {{ {name}({unpacked}); }}
extern "C" int launch{number}_{name}(unsigned blocks, unsigned threads, void **arguments)
{{
    failed = 0;
    launch(start_{name}, blocks, threads, {int("_sync(" in text)}, arguments);
    return failed;
}}
"""


SHARED_MEMORY_OF_H100 = 227 << 10
DEVICE = 0
"""The index of the device that is stood in for."""


def emulated_kernel(kernel: Kernel, layout: Layout) -> cuda_kernel.CudaKernel:
    return cuda_kernel.CudaKernel(kernel, layout, DEVICE)


@contextmanager
def emulated(patch: pytest.MonkeyPatch, folder: Path) -> Iterator[dict[str, Any]]:
    """Let CudaKernel run, and fused groups with it, on CPU tensors.

    Yields a table of texts that are built already.
    """
    known: dict[str, Any] = {}

    def load(text: str, names: list[str], device: int, shared: int = 0) -> Any:
        if text not in known:
            place = folder / str(len(known))
            place.mkdir()
            [known[text]] = build([text], place)
        return [SimpleNamespace(func=known[text][name]) for name in names]

    def run(function: Any, blocks: int, *rest: Any) -> int:
        threads, arguments = rest[2], rest[-2]
        if function(blocks, threads, arguments):
            raise RuntimeError("CUDA error: device-side assert triggered")
        return 0

    def empty(shape: Any, strides: Any, dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(shape, strides, dtype=dtype)

    patch.setattr(cuda_kernel, "load", load)
    patch.setattr(cuda_kernel, "most_shared_memory", lambda device: SHARED_MEMORY_OF_H100)
    patch.setattr(cuda_kernel, "driver", lambda: SimpleNamespace(cuLaunchKernel=run))
    patch.setattr(cuda_kernel.internals, "empty_strided_cuda", empty)
    patch.setattr(fused_kernel, "_backend", lambda device: emulated_kernel)
    patch.setattr(cuda_kernel.internals, "cuda_device", lambda: DEVICE)
    patch.setattr(cuda_kernel.internals, "cuda_stream", lambda device: 0)
    yield known


def compare_emulated(
    program: Any, inputs: list[torch.Tensor], patch: pytest.MonkeyPatch, folder: Path, error: float
) -> None:
    """Compare a program's results and gradients on emulated kernels with eager's.

    `error` is how far they may be away, absolutely and relatively.
    """
    eager = _results(program, inputs)
    given = [torch.randn_like(each) for each in eager]
    expected = torch.autograd.grad(eager, inputs, given)
    with emulated(patch, folder) as texts:
        mine = _results(minits.script(program), inputs)
        torch.testing.assert_close(mine, eager, rtol=error, atol=error)
        found = torch.autograd.grad(mine, inputs, given)
        torch.testing.assert_close(found, expected, rtol=error, atol=error)
    assert texts  # which the whole session's sweep compiles by NVRTC


def _results(program: Any, inputs: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    found = program(*inputs)
    return found if isinstance(found, tuple) else (found,)
