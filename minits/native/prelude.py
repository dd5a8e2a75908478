"""The text before a native function: the helper functions in C that it names, and no others.

The `.c` files in `c/` have one function a paragraph, as those of `kernels/cpu/c_math`. Functions of
the C library are declared one by one, so that no header of the system is needed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from minits.kernels.cpu.c_compiler import without_comments
from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs, with_those_named

HEADER = """\
#include <stdbool.h>
#include <stdint.h>

typedef union { int64_t i; double d; } mts_value;"""
_FOLDER = Path(__file__).parent / "c"
_OF_ONE_FLOAT = frozenset(
    (
        "log log1p log10 sqrt acos asin atan cos sin tan asinh atanh acosh cosh sinh tanh exp "
        "expm1 erf erfc fabs nearbyint floor ceil"
    ).split()
)
LIBRARY = {
    **{name: f"double {name}(double);" for name in _OF_ONE_FLOAT},
    **{
        name: f"double {name}(double, double);"
        for name in ("fmod", "remainder", "atan2", "copysign")
    },
    "ldexp": "double ldexp(double, int);",
    "mts_pow": (
        "// pow, but that compilers make x * x of pow(x, 2.0), which is rounded otherwise\n"
        "double pow(double, double);\n"
        "static double (*volatile mts_pow)(double, double) = pow;"
    ),
}
"""Functions of the C library, by the name and how they are declared."""
_CALLED = re.compile(r"\b(\w+)\(")


def prelude(text: str) -> str:
    """Return the header, and what a C text calls of helpers and of the C library."""
    definitions = _definitions()

    def called_in(text: str) -> list[str]:
        return [name for name in _CALLED.findall(text) if name in definitions]

    names = called_in(without_comments(text))
    return "\n".join([HEADER, *with_those_named(names, definitions, called_in)])


@cache
def _definitions() -> dict[str, str]:
    """Return the declarations of the C library's functions and the helpers, by their names."""
    helpers = {str(defined_in(text)): f"\n{text}" for _, text in paragraphs(_FOLDER)}
    return LIBRARY | helpers
