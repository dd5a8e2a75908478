"""Mathematical functions in C, for kernels that include no header and link with no library of ours.

The `.c` files beside this one hold the functions, one paragraph each: a function, with the comment
before it, has no blank line within and one after. A kernel is given those that it names and those
that they name, nothing else. In the files of `_DTYPES`, `{T}` stands for a dtype's short name and
`{t}` for its C type, as in the rows of `scalar_ops`, and `{a}` for that in which scans accumulate;
each paragraph there is one function per dtype.

Most are straight lines without calls, tables or branches, so that a compiler makes vectors of the
loop around them. Those that are rarely used call the C library through gcc's builtins.

`MTS_HIDDEN float low = -104.0f;` is a constant that gcc takes for a variable. It makes a single
instruction of the larger of two variables, but branches, and then masks, where one is a constant.

`mts_sin_f64` and some others are right for usual arguments only; `mts_rare_sin_f64` tells whether
one is not usual, and `mts_any_sin_f64` takes all, but no vectors are made of it. So loops stay
without branches: kernels compute again what has a rare argument (`schedule.usual`).

`MTS_CONST` functions have loops of which gcc does not see that they end; they are not called where
nobody needs their result.

`MTS_IS(y, number)` tells whether gcc knows, while compiling, that `y` is that number.

`MTS_FMA(a, b, c)` is `a * b + c`, rounded once where the processor can: kernels are compiled with
-ffp-contract=off, since the program's own products are to be rounded.

Coefficients of polynomials are minits' own: `tests/support/minimax.py` finds and prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs, with_those_named
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES

HEADER = """\
#define MTS_INLINE static inline __attribute__((always_inline))
#define MTS_CONST static __attribute__((noinline, const))
#define MTS_HIDDEN static __attribute__((used))
#define MTS_IS(y, number) (__builtin_constant_p(y) && (y) == (number))
#if defined(__FP_FAST_FMAF) && defined(__FP_FAST_FMA)
#define MTS_HAS_FMA 1
#define MTS_FMA(a, b, c) _Generic((a), float: __builtin_fmaf, double: __builtin_fma)(a, b, c)
#else
#define MTS_HAS_FMA 0
#define MTS_FMA(a, b, c) ((a) * (b) + (c))
#endif
#if defined(__F16C__) && !defined(__clang__)
#define MTS_CONVERTS 1
#else
#define MTS_CONVERTS 0
#endif
#if MTS_CONVERTS && defined(__AVX512F__)
#define MTS_LANES 16
#else
#define MTS_LANES 8
#endif
"""
_FOLDER = Path(__file__).parent
_NAME = re.compile(r"\bmts_\w+")
_FLOATS, _INTEGERS = ["f32", "f64"], ["i64", "i32", "i16", "i8", "u8"]
_DTYPES = {
    "floats": _FLOATS,
    "sums": _FLOATS,
    "scans": [*_FLOATS, "f16", "bf16", *_INTEGERS],
    "integers": _INTEGERS,
}
"""The dtypes for each of which a file's paragraphs are a function."""
_EXTREMES = {"max": ">", "min": "<"}
"""The meaning of `{extreme}` and `{beyond}`, where one paragraph is a function for each."""


def c_prelude(names: Iterable[str]) -> str:
    """Return the definitions of the functions named, after those that they use, once each.

    Raises KeyError for a name that there is none of.
    """
    needed = with_those_named(names, _functions().__getitem__, _NAME.findall)
    return "\n".join([HEADER, *needed]) if needed else ""


def c_functions() -> list[str]:
    """Return the names of all functions, for f32 first."""
    return list(_functions())


@cache
def _functions() -> dict[str, str]:
    """Return the paragraphs of all files by the name of what they define."""
    found = {}
    for stem, paragraph in paragraphs(_FOLDER):
        for text in _instances(paragraph, stem):
            if name := defined_in(text):
                found[name] = text + "\n"
    return found


def _instances(paragraph: str, stem: str) -> list[str]:
    """Return the paragraph for each dtype that it is for, or for both extremes."""
    if "{extreme}" in paragraph:
        both = [
            paragraph.replace("{extreme}", name).replace("{beyond}", sign)
            for name, sign in _EXTREMES.items()
        ]
        return [text for each in both for text in _instances(each, stem)]
    if stem not in _DTYPES:
        return [paragraph]
    types = {SHORT_NAMES[dtype]: c_type for dtype, c_type in C_TYPES.items()}
    wide = {"f32": "double"}
    return [
        paragraph.replace("{T}", short)
        .replace("{t}", types[short])
        .replace("{a}", wide.get(short, types[short]))
        for short in _DTYPES[stem]
    ]
