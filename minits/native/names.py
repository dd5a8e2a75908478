"""The names of C variables: those of the program, each once."""

from __future__ import annotations

import re
from collections.abc import Container

from minits.codegen.uses import resolve
from minits.ir.graph import Value
from minits.native.prelude import LIBRARY

_NO_LETTER = re.compile(r"\W", re.ASCII)
_RESERVED = re.compile(
    r"_[_A-Z]\w* | (mts|MTS|aoti|torch)_\w*"
    r"| u?int((_least|_fast)?\d+|ptr|max)_t | [A-Z]\w*_(C|MAX|MIN|WIDTH)",
    re.VERBOSE,
)
"""Names of compilers, of what stands before the functions, and of <stdint.h>."""
_KEYWORDS = frozenset(
    (
        "auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch typedef "
        "typeof asm union unsigned void volatile while bool true false out "
        "alignas alignof constexpr nullptr static_assert thread_local typeof_unqual "
        "linux unix i386 mips sparc sun vax pow pool print groups main"
    ).split()
)
"""Keywords of C and what compilers define beside them, C's own names, and those of all texts."""

_OF_FLOATS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 "
    "exp2 expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb isinf isnan j0 "
    "j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint "
    "nextafter nexttoward pow remainder remquo rint round scalb scalbln scalbn signbit significand "
    "sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn cabs cacos cacosh carg casin casinh catan "
    "catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh csqrt ctan ctanh"
).split()
OF_C_LIBRARY = frozenset(
    (
        "abort abs alloca bcmp bcopy bzero calloc exit ffs fork fprintf fputc fputs fscanf fwrite "
        "gettext imaxabs index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower "
        "isprint ispunct isspace isupper isxdigit labs llabs mempcpy printf putc puts rindex scanf "
        "sprintf sscanf stpcpy stpncpy strcasecmp strcat strcpy strcspn strdup strfmon strftime "
        "strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr toascii "
        "tolower toupper vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf"
    ).split()
) | {f"{name}{suffix}" for name in _OF_FLOATS for suffix in ("", "f", "l")}
"""Functions of the C library that compilers know without a header: they warn of another's name."""


class Names:
    """The names of one C function."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._known: dict[Value, str] = {}
        self._shared: set[str] = set()

    def new(self, wanted: str) -> str:
        """Return a name like the one wanted that no other variable has."""
        base = _NO_LETTER.sub("_", wanted) or "v"
        is_taken = base in _KEYWORDS or base in LIBRARY or _RESERVED.fullmatch(base)
        if is_taken or base[0].isdigit():
            base = f"v_{base}"
        name = unique(base, self._taken)
        self._taken.add(name)
        return name

    def take(self, name: str) -> None:
        """Take a name that is known elsewhere, so that no variable hides it."""
        self._taken.add(name)

    def of(self, value: Value) -> str:
        """Return the name of a value's variable."""
        value = resolve(value)
        if value not in self._known:
            wanted = value.name.partition(".")[0] if value.has_name else "v"
            self._known[value] = self.new(wanted)
        return self._known[value]

    def put(self, value: Value, name: str) -> None:
        """Let a value have a name that is no variable's own, such as that of what it points to."""
        self._known[value] = name

    def share(self, *values: Value) -> str:
        """Let values be one variable, and return its name.

        It is that of the first which is a variable already, else of the first that has a name.
        """
        known = [value for value in values if resolve(value) in self._known]
        named = next((value for value in values if value.has_name), values[0])
        named = known[0] if known else named
        self._known.update(dict.fromkeys(values, self.of(named)))
        self._shared.add(self.of(named))
        return self.of(named)

    def is_shared(self, name: str) -> bool:
        """Return whether a variable is that of several values."""
        return name in self._shared


def unique(wanted: str, taken: Container[str]) -> str:
    """Return a name like the one wanted that is not taken."""
    name, number = wanted, 1
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
