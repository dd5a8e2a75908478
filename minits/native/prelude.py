"""The text before a native function: the helper functions in C that it names, and no others.

The `.c` files in `c/` have one function a paragraph, as those of `kernels/cpu/c_math`. Functions of
the C library are declared one by one, so that no header of the system is needed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HEADER = """\
#include <stdbool.h>
#include <stdint.h>

typedef union { int64_t i; double d; } mts_value;
"""
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
    helpers: dict[str, str] = {}
    declared: dict[str, str] = {}

    def need(text: str, itself: str = "") -> None:
        for name in dict.fromkeys(_CALLED.findall(text)):
            if name in LIBRARY:
                declared[name] = LIBRARY[name]
            elif name in _helpers() and name != itself and name not in helpers:
                need(_helpers()[name], name)
                helpers[name] = _helpers()[name]

    need(text)
    declarations = "".join(f"{declared[name]}\n" for name in sorted(declared))
    return "\n".join(filter(None, [HEADER, declarations, *helpers.values()]))


@cache
def _helpers() -> dict[str, str]:
    """Return the paragraphs of all files by the names of the functions that they define."""
    found = {}
    for path in sorted(_FOLDER.glob("*.c")):
        for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
            defined = re.search(r"\b(mts_\w+)\(", paragraph)
            assert defined is not None, "a paragraph defines a function"
            found[defined[1]] = paragraph + "\n"
    return found
