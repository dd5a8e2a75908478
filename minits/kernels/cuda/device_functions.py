"""Device functions that kernels call, as CUDA text: halves, chunks of memory, sharing a row.

They are the same for all kernels, but for the numbers of threads and the reductions that a text
names. A text has those that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch

_CONVERSIONS = {
    torch.float16: """\
// float16 as its bits; stores round to nearest, ties to even.
__device__ inline float from_f16(unsigned short bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

__device__ inline unsigned short to_f16(float value)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

__device__ inline float round_f16(float value) { return from_f16(to_f16(value)); }
""",
    torch.bfloat16: """\
// bfloat16 as its bits; stores round to nearest, ties to even.
__device__ inline float from_bf16(unsigned short bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

__device__ inline unsigned short to_bf16(float value)
{
#if __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    const unsigned bits = __float_as_uint(value);
    if (value != value) return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}

// Two are rounded by one instruction. With zero as the other, the bits are those of the float.
__device__ inline float round_bf16(float value)
{
#if __CUDA_ARCH__ >= 800
    unsigned bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(value), "f"(0.0f));
    return __uint_as_float(bits);
#else
    return from_bf16(to_bf16(value));
#endif
}
""",
}

_CHUNKS = """\
// CHUNK neighbouring elements: up to 16 bytes are moved at once.
template <typename T>
struct alignas(sizeof(T) * CHUNK < 16 ? sizeof(T) * CHUNK : 16) Chunk
{
    T at[CHUNK];
};

// What one instruction moves: a compiler that sees elements may not put them together again.
template <int BYTES> struct Word;
template <> struct Word<1> { typedef unsigned char type; };
template <> struct Word<2> { typedef unsigned short type; };
template <> struct Word<4> { typedef unsigned type; };
template <> struct Word<8> { typedef uint2 type; };
template <> struct Word<16> { typedef uint4 type; };

template <typename T>
__device__ inline Chunk<T> read_whole(const T *address) { return *(const Chunk<T> *)address; }

template <typename T>
__device__ inline void write_whole(T *address, const Chunk<T> &chunk)
{
    typedef typename Word<alignof(Chunk<T>)>::type Part;
    Part parts[sizeof chunk / sizeof(Part)];
    memcpy(parts, &chunk, sizeof chunk);
#pragma unroll
    for (int i = 0; i < sizeof parts / sizeof(Part); ++i) __stwb((Part *)address + i, parts[i]);
}
"""

_EVEN_CHUNKS = """\
template <typename T>
__device__ inline Chunk<T> read_chunk(const T *address) { return read_whole(address); }

template <typename T>
__device__ inline Chunk<T> read_strided(const T *address, Index stride)
{
    Chunk<T> chunk;
#pragma unroll
    for (int k = 0; k < CHUNK; ++k) chunk.at[k] = address[k * stride];
    return chunk;
}

template <typename T>
__device__ inline void write_chunk(T *address, const Chunk<T> &chunk)
{
    write_whole(address, chunk);
}

template <typename T>
__device__ inline void write_strided(T *address, Index stride, const Chunk<T> &chunk)
{
#pragma unroll
    for (int k = 0; k < CHUNK; ++k) address[k * stride] = chunk.at[k];
}
"""

_UNEVEN_CHUNKS = """\
template <typename T>
__device__ inline bool is_aligned(const T *address)
{
    return (unsigned long long)address % alignof(Chunk<T>) == 0;
}

// The first `filled` elements of a chunk are there, the others are read as zero.
template <typename T>
__device__ inline Chunk<T> read_chunk(const T *address, int filled)
{
    if (filled == CHUNK && is_aligned(address)) return read_whole(address);
    Chunk<T> chunk;
#pragma unroll
    for (int k = 0; k < CHUNK; ++k) chunk.at[k] = k < filled ? address[k] : T(0);
    return chunk;
}

template <typename T>
__device__ inline Chunk<T> read_strided(const T *address, Index stride, int filled)
{
    Chunk<T> chunk;
#pragma unroll
    for (int k = 0; k < CHUNK; ++k) chunk.at[k] = k < filled ? address[k * stride] : T(0);
    return chunk;
}

template <typename T>
__device__ inline void write_chunk(T *address, const Chunk<T> &chunk, int filled)
{
    if (filled == CHUNK && is_aligned(address)) {
        write_whole(address, chunk);
        return;
    }
#pragma unroll
    for (int k = 0; k < CHUNK; ++k)
        if (k < filled) address[k] = chunk.at[k];
}

template <typename T>
__device__ inline void write_strided(T *address, Index stride, const Chunk<T> &chunk, int filled)
{
#pragma unroll
    for (int k = 0; k < CHUNK; ++k)
        if (k < filled) address[k * stride] = chunk.at[k];
}
"""

_ACCUMULATE = {
    "sum": "return a + b;",
    "prod": "return a * b;",
    "max": "return greatest(a, b);",
    "min": "return least(a, b);",
    "any": "return a || b;",
    "all": "return a && b;",
    "argmax": "return is_ahead(a, b, a.value > b.value) ? a : b;",
    "argmin": "return is_ahead(a, b, a.value < b.value) ? a : b;",
}

_EXTREMES = """\
// The greater and the lesser of two, of which a NaN wins; of float32 by one instruction.
template <typename T>
__device__ inline T greatest(T a, T b) { return a > b || a != a ? a : b; }

template <typename T>
__device__ inline T least(T a, T b) { return a < b || a != a ? a : b; }

#if __CUDA_ARCH__ >= 800
template <>
__device__ inline float greatest(float a, float b)
{
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}

template <>
__device__ inline float least(float a, float b)
{
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
}
#endif
"""

_INDEXED = """\
// A value and the index at which it stands.
template <typename T>
struct Indexed
{
    T value;
    long long index;
};

// Of two equal values, or two NaN, the one that stands first; a NaN is ahead of all else.
template <typename T>
__device__ inline bool is_ahead(const Indexed<T> &a, const Indexed<T> &b, bool is_better)
{
    const bool is_nan = a.value != a.value, other_is_nan = b.value != b.value;
    if (is_nan != other_is_nan) return is_nan;
    return is_better || ((is_nan || a.value == b.value) && a.index < b.index);
}
"""

_SHUFFLE = """\
// The value of another thread of the row.
template <typename T>
__device__ inline T shuffled(T value, int offset)
{
    return __shfl_xor_sync(0xffffffffu, value, offset);
}
"""

_SHUFFLE_INDEXED = """\
template <typename T>
__device__ inline Indexed<T> shuffled(const Indexed<T> &indexed, int offset)
{
    return {shuffled(indexed.value, offset), shuffled(indexed.index, offset)};
}
"""

_ACROSS_WARP = """\
// Combine what the WIDTH threads of a row have found; all get the result.
template <typename Op, typename T>
__device__ inline T across_row(T value)
{
#pragma unroll
    for (int offset = WIDTH / 2; offset > 0; offset /= 2)
        value = Op::of(value, shuffled(value, offset));
    return value;
}
"""

_ACROSS_BLOCK = """\
// Combine what the threads of the block have found; all get the result.
template <typename Op, typename T>
__device__ inline T across_row(T value)
{
    __shared__ T parts[THREADS / 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value = Op::of(value, shuffled(value, offset));
    __syncthreads();  // the parts of the reduction before are read
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
#pragma unroll
    for (int warp = 1; warp < THREADS / 32; ++warp) value = Op::of(value, parts[warp]);
    return value;
}
"""

_SCAN_ROW = """\
// Scan a row in memory, 32 elements at a time; the threads of the warp see what the others wrote.
template <typename Op, typename Wide, typename T>
__device__ inline void scan_row(T *row, Index count, bool is_backward)
{
    const unsigned lane = threadIdx.x % 32;
    Wide carry = Wide();
    __syncwarp();
    for (Index first = 0; first < count; first += 32) {
        const Index position = first + lane, at = is_backward ? count - 1 - position : position;
        Wide value = position < count ? Wide(row[at]) : carry;
#pragma unroll
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const Wide before = __shfl_up_sync(0xffffffffu, value, offset);
            if (lane >= offset) value = Op::of(before, value);
        }
        if (first > 0) value = Op::of(carry, value);
        if (position < count) row[at] = T(value);
        carry = __shfl_sync(0xffffffffu, value, 31);
    }
    __syncwarp();
}
"""
_SCAN = {
    "cumsum": "return a + b;",
    "cumprod": "return a * b;",
    "cummax": "return a > b || (a != a && b == b) ? a : b; /* a NaN stays */",
    "cummin": "return a < b || (a != a && b == b) ? a : b; /* a NaN stays */",
    "logcumsumexp": ("return a == b && isinf(a) ? a : (a > b ? a : b) + log1p(exp(-fabs(a - b)));"),
}


def conversions(dtypes: Iterable[torch.dtype]) -> list[str]:
    """Return the conversions of those halves that are among the dtypes."""
    given = set(dtypes)
    return [text for dtype, text in _CONVERSIONS.items() if dtype in given]


def moving(even: bool) -> str:
    """Return the functions that read and write chunks: whole ones, or those of rows of any size."""
    return f"{_CHUNKS}\n{_EVEN_CHUNKS if even else _UNEVEN_CHUNKS}"


def sharing(reductions: Iterable[str], threads: int) -> list[str]:
    """Return the helper functions by which the threads of a row share the results of reductions."""
    given = sorted(set(reductions))
    if not given:
        return []
    finds_indices = any(name.startswith("arg") for name in given)
    parts = [f"#define THREADS {threads}  // share a row", f"#define WIDTH {min(threads, 32)}"]
    texts = ["\n".join(parts) + "\n"]
    texts += [_INDEXED] if finds_indices else []
    texts += [_EXTREMES] if {"max", "min"} & {*given} else []
    texts += [_operation(name) for name in given]
    texts += [_SHUFFLE]
    texts += [_SHUFFLE_INDEXED] if finds_indices else []
    return [*texts, _ACROSS_BLOCK if threads > 32 else _ACROSS_WARP]


def scanning(scans: Iterable[str]) -> list[str]:
    """Return the helper functions of a text with these scans."""
    given = sorted(set(scans))
    texts = [
        f"struct {name.capitalize()}\n{{\n    template <typename T>\n"
        f"    __device__ static T of(T a, T b) {{ {_SCAN[name]} }}\n}};\n"
        for name in given
    ]
    return [*texts, _SCAN_ROW] if texts else []


def _operation(name: str) -> str:
    return f"""\
struct {name.capitalize()}
{{
    template <typename T>
    __device__ static T of(T a, T b) {{ {_line(_ACCUMULATE[name])} }}
}};
"""


def _line(body: str) -> str:
    """Put a remark behind a statement between the brackets that follow it."""
    statement, _, remark = body.partition("  // ")
    return f"{statement} /* {remark} */" if remark else statement
