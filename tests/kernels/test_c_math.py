"""The C functions, compiled once, against torch: all dtypes, random bit patterns, special values.

For float32 the truth is torch in float64, for float64 it is torch's own result. Distances are
counted in units of the last place (ulp) of the true result.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from torch import Tensor

from minits.kernels.cpu.c_build import NoCompiler, compiler
from minits.kernels.cpu.c_math import c_functions, c_prelude
from minits.kernels.cuda.cuda_math import cuda_prelude
from minits.kernels.cuda.nvrtc import NvrtcMissing, compile_cubin
from minits.kernels.scalar_ops import WITH_RARE_OPERANDS
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES

pytestmark = pytest.mark.slow  # a compiler takes long for the library
F32, F64 = torch.float32, torch.float64
INTEGERS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
SPECIAL = [
    0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0,
    -3.0, 1e-45, -1e-45, 1e-40, -1e-40, 1.1754944e-38, 3.4e38, -3.4e38, 88.7, 88.73, 89.0, -88.7,
    -103.9, -104.0, -150.0, 128.0, 1e10, 1e20, -1e30, 0.9999999, -0.9999999, 1.0000001, 5e-324,
    1e-310, -1e-310, 1e300, 709.7, 709.8, -745.1, -746.0,
]  # fmt: skip

LIMITS = {
    "exp": (1.1, 1), "exp2": (1.1, 1), "expm1": (2, 2), "log": (1, 1), "log2": (1.5, 2),
    "log10": (2, 2), "log1p": (1.5, 2), "sin": (1.6, 1), "cos": (1.6, 1), "tan": (1.9, 2),
    "asin": (1.3, 2), "acos": (1.3, 2), "atan": (1.5, 2), "sinh": (0.6, 3), "cosh": (0.6, 3),
    "tanh": (1.5, 3), "sigmoid": (2.5, 4), "asinh": (0.6, 3), "acosh": (0.6, 3), "atanh": (0.6, 3),
    "erf": (1.3, 2), "erfc": (0.6, 4), "atan2": (0.6, 2), "hypot": (0.6, 2), "pow": (0.6, 2),
    "floor": (0, 0), "erfinv": (1.3, 3), "i0": (0.6, 8), "ceil": (0, 0), "round": (0, 0),
    "trunc": (0, 0), "nextafter": (0, 0),
}  # fmt: skip
"""How many ulp a function may be off, in float32 and in float64."""
LIKE_EAGER = {
    "sinc": (4, 4), "floor_divide": (0, 0), "remainder": (0, 0), "fmod": (0, 0),
}  # fmt: skip
"""The same for functions that are to be what torch makes of them, its rounding errors included."""
SPECIAL_FUNCTIONS = "i0e i1e erfcx log_ndtr zeta mantissa exponent".split()
TWO_OPERANDS = "atan2 hypot pow nextafter fmod remainder floor_divide logaddexp ldexp zeta".split()
INTEGER_FUNCTIONS = (
    "trunc_divide floor_divide fmod remainder pow gcd shift_left shift_right".split()
)
VECTORS_OF_DOUBLES = (
    "exp log tanh sigmoid expm1 log1p sin cos tan asin acos atan atan2 sinc fmod remainder "
    "floor_divide erf erfc erfinv erfcx log_ndtr pow"
).split()


def c_loop(name: str, dtype: torch.dtype, arity: int) -> str:
    """Return C text, on one line, of a loop over arrays."""
    kind, c_type = SHORT_NAMES[dtype], C_TYPES[dtype]
    operands = "".join(f"const {c_type} *restrict in{i}, " for i in range(arity))
    call = f"mts_{name}_{kind}({', '.join(f'in{i}[i]' for i in range(arity))})"
    return (
        f"void loop_{name}_{kind}({c_type} *restrict out, {operands}long long n) "
        f"{{ for (long long i = 0; i < n; i++) out[i] = {call}; }}"
    )


def arity_of(name: str) -> int:
    name = name.removeprefix("rare_").removeprefix("any_")
    return 2 if name in TWO_OPERANDS or name in INTEGER_FUNCTIONS else 1


class Library:
    """All functions, compiled, and the loops of which the compiler made vectors."""

    def __init__(self, folder: Path) -> None:
        loops = [
            (name, dtype)
            for dtype in [F32, F64]
            for name in [
                *LIMITS,
                *LIKE_EAGER,
                "logaddexp",
                "ldexp",
                "lgamma",
                "digamma",
                "exp_of_negative",
                "i1",
                "mish",
                *SPECIAL_FUNCTIONS,
            ]
        ]
        with_rare = sorted(WITH_RARE_OPERANDS)
        loops += [
            (f"{kind}_{name}", dtype)
            for dtype in [F32, F64]
            for name in with_rare
            for kind in ["rare", "any"]
        ]
        loops += [(name, dtype) for dtype in INTEGERS for name in INTEGER_FUNCTIONS]
        names = [f"mts_{name}_{SHORT_NAMES[dtype]}" for name, dtype in loops]
        lines = [c_loop(name, dtype, arity_of(name)) for name, dtype in loops]
        text = c_prelude(names) + "\n".join(lines) + "\n"
        source, report, library = folder / "all.c", folder / "report", folder / "all.so"
        source.write_text(text)
        warnings = ["-w", f"-fopt-info-vec-optimized={report}"] if is_gcc() else ["-w"]
        subprocess.run([*compiler(), *warnings, str(source), "-o", str(library)], check=True)
        self.functions = ctypes.CDLL(str(library))
        found = report.read_text() if is_gcc() else ""
        rows = {int(row) for row in re.findall(r"all\.c:(\d+):\d+: optimized: loop vec", found)}
        self.vectors = {
            match[1]
            for number, line in enumerate(text.split("\n"), 1)
            if number in rows and (match := re.match(r"void loop_(\w+)\(", line))
        }

    def __call__(self, name: str, *operands: Tensor) -> Tensor:
        """Return the results, with those of rare operands by the function that takes all."""
        found = self.run(name, *operands)
        if name not in WITH_RARE_OPERANDS or not found.is_floating_point():
            return found
        is_rare = self.run(f"rare_{name}", *operands) != 0
        return torch.where(is_rare, self.run(f"any_{name}", *operands), found)

    def run(self, name: str, *operands: Tensor) -> Tensor:
        out = torch.empty_like(operands[0])
        loop = self.functions[f"loop_{name}_{SHORT_NAMES[out.dtype]}"]
        pointers = [ctypes.c_void_p(t.data_ptr()) for t in (out, *operands)]
        loop(*pointers, ctypes.c_longlong(out.numel()))
        return out


def is_gcc() -> bool:
    version = subprocess.run([compiler()[0], "--version"], capture_output=True, text=True)
    return "Free Software Foundation" in version.stdout


def makes_vectors() -> bool:
    """Return whether vectors are to be seen: in GCC's report, unless MINITS_CFLAGS has a -O1."""
    levels = [flag for flag in compiler() if flag.startswith("-O")]
    return is_gcc() and levels[-1] == "-O3"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    try:
        compiler()
    except NoCompiler as fault:
        pytest.skip(str(fault))
    return Library(tmp_path_factory.mktemp("c_math"))


def numbers(dtype: torch.dtype, seed: int, count: int = 1 << 15) -> Tensor:
    """Return numbers of all sizes, and of the sizes where functions are interesting."""
    g = torch.Generator().manual_seed(seed)
    bits = torch.int32 if dtype == F32 else torch.int64
    limits = torch.iinfo(bits)
    any_bits = torch.randint(limits.min, limits.max, (4 * count,), generator=g, dtype=bits)
    even = torch.rand(count, generator=g, dtype=F64) * 2 - 1
    spread = [even * scale for scale in [1e-3, 1, 4, 20, 110, 800, 1e5]]
    near_one = [1 + even * scale for scale in [1e-6, 0.3]]
    return torch.cat([any_bits.view(dtype), torch.cat([*spread, *near_one]).to(dtype)])


def operands_of(name: str, dtype: torch.dtype) -> list[Tensor]:
    special = torch.tensor(SPECIAL, dtype=F64).to(dtype)
    if arity_of(name) == 1:
        return [torch.cat([special, numbers(dtype, 1)])]
    left, right = torch.meshgrid(special, special, indexing="ij")
    a, b = numbers(dtype, 2), numbers(dtype, 3)
    mixed = b[torch.randperm(b.numel(), generator=torch.Generator().manual_seed(4))]
    return [torch.cat([left.flatten(), a, a.abs()]), torch.cat([right.flatten(), mixed, b])]


def torch_function(name: str) -> Callable[..., Tensor]:
    function: Callable[..., Tensor] = getattr(torch, name)
    return function


def assert_close(actual: Tensor, true: Tensor, limit: float, operands: list[Tensor]) -> None:
    """Check that results are within `limit` ulp of the true ones, which are float64."""
    rounded = true.to(actual.dtype)
    size = rounded.abs()
    ulp = torch.nextafter(size, torch.full_like(size, torch.inf)).double() - size.double()
    distance = (actual.double() - true).abs() / ulp
    finite = rounded.isfinite() & actual.isfinite()
    same = (actual == rounded) | (actual.isnan() & rounded.isnan())
    signs = (actual != 0) | (rounded != 0) | (actual.signbit() == rounded.signbit())
    wrong = ~(torch.where(finite, distance <= limit, same) & signs)
    where = [t[wrong][:5].tolist() for t in operands]
    message = f"{int(wrong.sum())} wrong: of {where}: {actual[wrong][:5]}, not {true[wrong][:5]}"
    assert not wrong.any(), message


@pytest.mark.parametrize("name", LIMITS)
def test_float32(library: Library, name: str) -> None:
    operands = operands_of(name, F32)
    function = torch_function(name)
    exactly = name == "nextafter"
    true = function(*operands).double() if exactly else function(*(t.double() for t in operands))
    assert_close(library(name, *operands), true, LIMITS[name][0], operands)


@pytest.mark.parametrize("name", LIMITS)
def test_float64(library: Library, name: str) -> None:
    operands = operands_of(name, F64)
    if name in ("sinh", "cosh"):  # torch's are infinite from 709.8 on, a little too early
        operands = [operands[0].where((operands[0].abs() < 709) | operands[0].isinf(), 1.0)]
    true = torch_function(name)(*operands)
    assert_close(library(name, *operands), true, LIMITS[name][1], operands)


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
@pytest.mark.parametrize("name", LIKE_EAGER)
def test_like_eager(library: Library, name: str, dtype: torch.dtype) -> None:
    operands = operands_of(name, dtype)
    if len(operands) == 2:  # torch's vectors give NaN when a quotient overflows
        quotient = operands[0] / operands[1]
        usual = (quotient.abs() < 1e30) & (operands[1].abs() > 1e-30)
        operands = [t[usual | ~quotient.isfinite() & (operands[1] == 0)] for t in operands]
    true = torch_function(name)(*operands).double()
    limit = LIKE_EAGER[name][dtype == F64]
    assert_close(library(name, *operands), true, limit, operands)


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_logaddexp(library: Library, dtype: torch.dtype) -> None:
    a, b = operands_of("logaddexp", dtype)
    actual, true = library("logaddexp", a, b), torch.logaddexp(a, b)
    allowed = 4 * torch.finfo(dtype).eps  # of the larger operand too: the sum may cancel
    near = (actual - true).abs() <= allowed * (1 + true.abs() + torch.maximum(a, b).abs())
    assert (near | (actual == true) | (actual.isnan() & true.isnan())).all()


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_ldexp(library: Library, dtype: torch.dtype) -> None:
    a = numbers(dtype, 5)
    b = (torch.arange(a.numel()) % 300 - 150).to(dtype)
    assert_close(library("ldexp", a, b), torch.ldexp(a, b).double(), 0, [a, b])


@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_exp_of_negative_numbers(library: Library, dtype: torch.dtype) -> None:
    x = operands_of("exp", dtype)[0]
    x = torch.cat([-x.abs(), torch.linspace(-110, 0, 1 << 16, dtype=dtype)])
    assert "exp_of_negative_f32" in library.vectors or not makes_vectors()
    assert_close(library("exp_of_negative", x), torch.exp(x.double()), LIMITS["exp"][0], [x])


def test_lgamma(library: Library) -> None:
    x = operands_of("lgamma", F32)[0]
    x = torch.cat([x, torch.linspace(-40, 0, 1 << 18)])
    assert "lgamma_f32" in library.vectors or not makes_vectors()
    assert_close(library("lgamma", x), torch.lgamma(x.double()), 0.6, [x])
    torch.testing.assert_close(
        library("lgamma", x.double()), torch.lgamma(x.double()),
        rtol=1e-15, atol=2e-15, equal_nan=True,
    )  # fmt: skip


@pytest.mark.parametrize("name", ["i0e", "i1", "i1e"])
def test_bessel_functions(library: Library, name: str) -> None:
    """Of doubles, ours are off by 5 ulp, torch's by 8, or by 14 where it has no fused multiply."""
    function: Callable[..., Tensor] = getattr(torch.special, name)
    for dtype, limit in [(F32, 0.6), (F64, 5 + 14)]:
        x = operands_of(name, dtype)[0]
        assert_close(library(name, x), function(x.double()), limit, [x])


def test_erfcx(library: Library) -> None:
    """Below zero torch loses the digits of x x that are rounded."""
    x = operands_of("erfcx", F32)[0]
    assert_close(library("erfcx", x), torch.special.erfcx(x.double()), 0.6, [x])
    x = torch.linspace(0, 60, 100_001, dtype=F64)
    assert_close(library("erfcx", x), torch.special.erfcx(x), 8, [x])  # of which torch has 6
    x = torch.linspace(-26.6, 0, 20_001, dtype=F64)
    true = 2 * torch.exp(x * x) - torch.special.erfcx(-x)
    torch.testing.assert_close(library("erfcx", x), true, rtol=3e-13, atol=0)
    x = torch.tensor([-27, 1e10, 1e200, torch.inf, -torch.inf, torch.nan], dtype=F64)
    assert_close(library("erfcx", x), torch.special.erfcx(x), 2, [x])


def test_mish(library: Library) -> None:
    """Eager's, through log and tanh, is off by 2.9 ulp itself."""
    x = torch.linspace(-10, 10, 1 << 20)
    square = torch.exp(x.double()) * (torch.exp(x.double()) + 2)
    true = x.double() * (square / (square + 2))
    assert_close(library("mish", x), true, 3.9, [x])


def test_log_ndtr(library: Library) -> None:
    x = operands_of("log_ndtr", F32)[0]
    x = torch.cat([x, torch.linspace(-60, 20, 100_001)])
    t = (x * 0.70710678).double()  # which eager rounds
    true = torch.special.log_ndtr(t * 2**0.5)
    assert_close(library("log_ndtr", x), true, 0.6, [x])
    x = torch.linspace(-60, 20, 100_001, dtype=F64)
    assert_close(library("log_ndtr", x), torch.special.log_ndtr(x), 8, [x])


def test_zeta(library: Library) -> None:
    """Where terms of both signs cancel, torch's are as far off."""
    x, q = [part.contiguous() for part in torch.cartesian_prod(
        torch.tensor([1, 1.5, 2, 3, 4, 7, 20.5, 100, 0, -1, torch.inf, torch.nan], dtype=F64),
        torch.tensor([0, -0.5, -1, -7.5, 0.01, 0.5, 1, 2.5, 30, 1e4, 1e20, torch.inf, -torch.inf,
                      torch.nan], dtype=F64)).unbind(1)]  # fmt: skip
    true = torch.special.zeta(x, q)
    torch.testing.assert_close(library("zeta", x, q), true, rtol=1e-13, atol=0, equal_nan=True)
    found = library("zeta", x.float(), q.float())
    assert_close(found, torch.special.zeta(x, q.float().double()), 0.6, [x, q])


def test_frexp(library: Library) -> None:
    for dtype in (F32, F64):
        x = operands_of("mantissa", dtype)[0]
        mantissa, exponent = torch.frexp(x)
        assert_close(library("mantissa", x), mantissa.double(), 0, [x])
        assert torch.equal(library("exponent", x), exponent.to(dtype))


def test_digamma(library: Library) -> None:
    assert library.vectors >= {"digamma_f32", "digamma_f64"} or not makes_vectors()
    x = operands_of("digamma", F32)[0]
    assert_close(library("digamma", x), torch.digamma(x.double()), 1, [x])
    x = operands_of("digamma", F64)[0]
    actual, true = library("digamma", x), torch.digamma(x)
    torch.testing.assert_close(actual, true, rtol=1e-12, atol=1e-13, equal_nan=True)


def test_large_angles(library: Library) -> None:
    g = torch.Generator().manual_seed(6)
    x = (torch.rand(1 << 16, generator=g, dtype=F64) * 125).exp2().float()
    for name in ["sin", "cos", "tan"]:
        assert_close(library(name, x), torch_function(name)(x.double()), LIMITS[name][0], [x])


# ---- Integers ------------------------------------------------------------------------------------


def integer_pairs(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    limits = torch.iinfo(dtype)
    few = [limits.min, limits.min + 1, -3, -2, -1, 0, 1, 2, 3, 7, 31, 63, 64, 100, limits.max]
    values = torch.tensor([v for v in few if limits.min <= v <= limits.max], dtype=dtype)
    g = torch.Generator().manual_seed(7)
    bulk = torch.randint(limits.min, limits.max, (2, 4000), generator=g, dtype=dtype)
    small = torch.randint(max(limits.min, -9), 70, (2, 4000), generator=g, dtype=dtype)
    left, right = torch.meshgrid(values, values, indexing="ij")
    a = torch.cat([left.flatten(), bulk[0], small[0], bulk[1]])
    return a, torch.cat([right.flatten(), bulk[1], small[1], small[0]])


INTEGER_TRUTH: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "trunc_divide": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "floor_divide": torch.floor_divide,
    "fmod": torch.fmod,
    "remainder": torch.remainder,
    "pow": torch.pow,
    "gcd": torch.gcd,
    "shift_left": torch.bitwise_left_shift,
    "shift_right": torch.bitwise_right_shift,
}


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("name", INTEGER_FUNCTIONS)
def test_integers(library: Library, name: str, dtype: torch.dtype) -> None:
    a, b = integer_pairs(dtype)
    if name in ("trunc_divide", "floor_divide", "fmod", "remainder"):
        zero = torch.zeros_like(a)
        assert not library(name, a, zero).any()
        # torch lets the processor trap here, or divides
        fine = (b != 0) & ~((b == -1) & (a == torch.iinfo(dtype).min))
        a, b = a[fine], b[fine]
    if name == "gcd":  # torch's of the least number may be negative
        least = torch.iinfo(dtype).min if dtype.is_signed else -1
        a, b = a.where(a != least, 6), b.where(b != least, 9)
    torch.testing.assert_close(library(name, a, b), INTEGER_TRUTH[name](a, b), rtol=0, atol=0)


def test_the_least_integer_by_minus_one(library: Library) -> None:
    for dtype in INTEGERS[:4]:
        least = torch.tensor([torch.iinfo(dtype).min], dtype=dtype)
        by = torch.tensor([-1], dtype=dtype)
        assert library("trunc_divide", least, by).item() == least.item()
        assert library("remainder", least, by).item() == 0


# ---- The texts -----------------------------------------------------------------------------------


def test_the_compiler_makes_vectors(library: Library) -> None:
    if not makes_vectors():
        pytest.skip("only gcc reports it like this, and makes vectors at -O3")
    expected = {f"{name}_f32" for name in [*LIMITS, *LIKE_EAGER]}
    expected |= {f"{name}_f64" for name in VECTORS_OF_DOUBLES}
    assert expected - library.vectors == set()


def test_a_prelude_has_what_is_needed_once_and_in_order() -> None:
    text = c_prelude(["mts_tanh_f32", "mts_exp_f32", "mts_tanh_f32"])
    defined = re.findall(r"^MTS_INLINE \w+(?: \w+)* (mts_\w+)\(", text, re.MULTILINE)
    assert len(defined) == len(set(defined))
    assert {"mts_tanh_f32", "mts_exp_f32"} <= set(defined)
    assert "mts_log_f32" not in text
    order = {name: place for place, name in enumerate(defined)}
    for caller, after in pairwise([*defined, ""]):
        body = text.partition(f" {caller}(")[2].partition(f" {after}(" if after else "\0")[0]
        code = re.sub(r"//.*", "", body)
        assert all(order[used] < order[caller] for used in re.findall(r"mts_\w+", code))


def test_unknown_names() -> None:
    assert c_prelude([]) == cuda_prelude([]) == ""
    with pytest.raises(KeyError):
        c_prelude(["mts_nothing_f32"])


def test_cuda_text_has_no_builtins_of_gcc() -> None:
    assert "__builtin" not in cuda_prelude(c_functions())


def test_cuda_text_compiles() -> None:
    functions = [*LIMITS, "digamma", *SPECIAL_FUNCTIONS]
    names = [f"mts_{name}_{kind}" for name in functions for kind in ("f32", "f64")]
    loops = [
        f'extern "C" __global__ void at_{name}(double *x) '
        f"{{ *x = {name}(*x{', *x' if arity_of(name.split('_')[1]) == 2 else ''}); }}"
        for name in names
    ]
    try:
        assert compile_cubin("\n".join([cuda_prelude(names), *loops]))
    except NvrtcMissing as fault:
        pytest.skip(str(fault))
