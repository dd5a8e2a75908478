"""Mathematical functions for CUDA kernels that CUDA does not have itself.

CUDA overloads `exp`, `tanh`, `lgamma` and so on for float and double. What it lacks is compiled
from the same text as on the CPU: `c_math`, where the calls of the C library by gcc's builtins
become calls of CUDA's functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from minits.kernels.cpu.c_math import HEADER as C_HEADER
from minits.kernels.cpu.c_math import c_prelude

_HEADER = """\
#define MTS_INLINE static __device__ __forceinline__
#define MTS_CONST MTS_INLINE
#define MTS_HIDDEN const
#define MTS_IS(y, number) false
#define MTS_HAS_FMA 1
#define MTS_FMA(a, b, c) fma(a, b, c)
"""


def cuda_prelude(names: Iterable[str]) -> str:
    """Return the definitions of the functions named, after those that they use, once each.

    Raises KeyError for a name that there is none of.
    """
    text = c_prelude(names)
    return _HEADER + cuda_text(text.removeprefix(C_HEADER)) if text else ""


def cuda_text(text: str) -> str:
    """Return the CUDA text for a text of `c_math`."""
    text = re.sub(
        r"__builtin_choose_expr\(\s*sizeof\((\w+)\) == 4, ([^;]*), __builtin_(\w+)\(([^;]*)\)\);",
        r"\3(\4);",
        text,
    )
    text = re.sub(
        r"__builtin_memcpy\(&(\w+), &(\w+), sizeof \w+\);", r"memcpy(&\1, &\2, sizeof \1);", text
    )
    text = re.sub(r"__builtin_inff?\(\)", "__longlong_as_double(0x7ff0000000000000)", text)
    text = re.sub(r'__builtin_nanf?\(""\)', "__longlong_as_double(0x7ff8000000000000)", text)
    return text.replace("__builtin_", "")
