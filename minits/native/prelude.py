"""The text before a native function: the helper functions in C that it names, and no others.

The `.c` files in `c/` have one function a paragraph, as those of `kernels/cpu/c_math`. Functions of
the C library are declared one by one, so that no header of the system is needed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from minits.kernels.cpu.c_compiler import without_comments
from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs_of, with_those_named
from minits.native.c_types import ELEMENTS
from minits.native.number_operators import FUNCTIONS as NUMBER_FUNCTIONS
from minits.native.torch_interface import DECLARATIONS

HEADER = """\
#include <stdbool.h>
#include <stdint.h>

typedef union { int64_t i; double d; struct mts_list *list; void *handle; } mts_value;"""
_FOLDER = Path(__file__).parent / "c"
_VALUE = "mts_value"
"""The type of C that the header has, so that no file is read for it."""
_OFTEN = ("elements", "floats", "integers", "lists", "texts")
"""The files that are read first."""
_OF_ONE_FLOAT = frozenset(
    (
        "log log1p log10 sqrt acos asin atan cos sin tan asinh atanh acosh cosh sinh tanh exp "
        "expm1 erf erfc fabs nearbyint floor ceil tgamma lgamma"
    ).split()
)
LIBRARY = {
    **{name: f"double {name}(double);" for name in _OF_ONE_FLOAT},
    **{
        name: f"double {name}(double, double);"
        for name in ("fmod", "remainder", "atan2", "copysign")
    },
    "mts_complex": "typedef double _Complex mts_complex;",
    **{
        f"c{name}": f"double _Complex c{name}(double _Complex);"
        for name in (
            "log exp sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split()
        )
    },
    "mts_parts": "typedef struct { double real, imaginary; } mts_parts;",
    "cabs": "double cabs(double _Complex);",
    "cpow": "double _Complex cpow(double _Complex, double _Complex);",
    "malloc": "void *malloc(__SIZE_TYPE__);",
    "realloc": "void *realloc(void *, __SIZE_TYPE__);",
    "memcmp": "int memcmp(const void *, const void *, __SIZE_TYPE__);",
    "memchr": "void *memchr(const void *, int, __SIZE_TYPE__);",
    "memset": "void *memset(void *, int, __SIZE_TYPE__);",
    "strlen": "__SIZE_TYPE__ strlen(const char *);",
    "strcmp": "int strcmp(const char *, const char *);",
    "strtod": "double strtod(const char *, char **);",
    "__errno_location": "int *__errno_location(void);",
    "snprintf": "int snprintf(char *, __SIZE_TYPE__, const char *, ...);",
    "vsnprintf": "int vsnprintf(char *, __SIZE_TYPE__, const char *, __builtin_va_list);",
    "MTS_LC_NUMERIC_MASK": "enum { MTS_LC_NUMERIC_MASK = 1 << 1 };",
    "newlocale": "void *newlocale(int, const char *, void *);",
    "freelocale": "void freelocale(void *);",
    "uselocale": "void *uselocale(void *);",
    "free": "void free(void *);",
    "memcpy": "void *memcpy(void *, const void *, __SIZE_TYPE__);",
    "memmove": "void *memmove(void *, const void *, __SIZE_TYPE__);",
    "qsort": (
        "void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *));"
    ),
    "mts_asking": (
        "// asks Python a question by its number, for who asks; the answer is words (`given.py`)\n"
        "typedef int32_t (*mts_asking)(void *, int64_t, const mts_value *, const mts_value **);"
    ),
    "MTS_RAISED": "enum { MTS_RAISED = -2 };",
    "modf": "double modf(double, double *);",
    "frexp": "double frexp(double, int *);",
    "MTS_NO_MEMORY": "enum { MTS_NO_MEMORY = -1 };",
    "MTS_ETERNAL": (
        "// the holders of what never ends; they are not counted, so that calls share it\n"
        "#define MTS_ETERNAL (INT64_MAX / 2)"
    ),
    **{
        f"mts_{name}": f"typedef {name} mts_{name} __attribute__((may_alias));"
        for name in ELEMENTS.values()
    },
    "torch_new_stable_ivalue": (
        "// not in torch 2.12, which frees memory of malloc as well\n"
        "__attribute__((weak)) int32_t torch_new_stable_ivalue(uint64_t **);"
    ),
    "ldexp": "double ldexp(double, int);",
    "mts_pow": (
        "// pow, but that compilers make x * x of pow(x, 2.0), which is rounded otherwise\n"
        "double pow(double, double);\n"
        "static double (*volatile mts_pow)(double, double) = pow;"
    ),
}
"""Functions of the C library, by the name and how they are declared, and types of tensors that may
lie in the memory of others."""
_WORD = re.compile(r"\b\w+\b")
_LITERAL = re.compile(r"""'(\\.|[^'\\\n])*'|"(\\.|[^"\\\n])*\"""")
"""Characters and strings, whose words name nothing."""


def prelude(text: str, more: Mapping[str, str] | None = None) -> str:
    """Return the header, and what a C text names of helpers and of the C library.

    more: further definitions by their names
    """
    given = more or {}

    def definition_of(name: str) -> str | None:
        return given.get(name) or _HELPERS.find(name)

    words = _WORD.findall(_LITERAL.sub("", without_comments(text)))
    needed = with_those_named(words, definition_of, _WORD.findall)
    library = [each for each in needed if not each.startswith("\n")]
    return "\n".join([HEADER, *library, *[each for each in needed if each not in library]])


class _Helpers:
    """The declarations of the C library's functions, and the helpers.

    Their files are read until what is asked for is found: most programs need three of thirty.
    """

    def __init__(self) -> None:
        self._known = LIBRARY | DECLARATIONS | NUMBER_FUNCTIONS | {_VALUE: ""}
        self._files = _files()
        self._lock = threading.Lock()

    def find(self, name: str) -> str | None:
        """Return the definition of a name; None for one of the program's."""
        found = self._known.get(name)
        if found is None and name.startswith("mts_"):
            with self._lock:
                while name not in self._known and self._read():
                    pass
            found = self._known.get(name)
        return found

    def _read(self) -> bool:
        """Read the next file, and return whether there was one."""
        path = next(self._files, None)
        if path is None:
            return False
        texts = paragraphs_of(path)
        self._known = {**self._known, **{str(defined_in(text)): f"\n{text}" for text in texts}}
        return True


def _files() -> Iterator[Path]:
    """Yield the files of helpers. The folder is read when the first is asked for."""
    files = [path for path in _FOLDER.iterdir() if path.suffix == ".c"]
    yield from sorted(files, key=lambda path: (path.stem not in _OFTEN, path.stem))


_HELPERS = _Helpers()
