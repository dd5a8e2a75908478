"""Functions of a few instructions, as CUDA text, right to some units in the last place of float32.

`minits.kernels.schedule.quick` tells where they are called: of what is rounded to a half. Numbers
below 2^-126 are taken for zero, but for the operands and results of `wide_over` and of roots.

Source: PTX ISA, "Floating Point Instructions", for the errors of `.approx` and `.full`
"""

from __future__ import annotations

import re

INSTRUCTIONS = {
    "quick_exp2": ("float x", "ex2.approx.ftz.f32"),
    "quick_log2": ("float x", "lg2.approx.ftz.f32"),
    "quick_reciprocal": ("float x", "rcp.approx.ftz.f32"),
    "quick_sqrt": ("float x", "sqrt.approx.f32"),
    "quick_tanh": ("float x", "tanh.approx.f32"),
    "wide_over": ("float x, float y", "div.full.f32"),
}
"""Parameters, and the instruction."""
_FUNCTIONS = {
    "quick_over": """\
__device__ inline float quick_over(float x, float y) { return x * quick_reciprocal(y); }
""",
    "wide_reciprocal": """\
__device__ inline float wide_reciprocal(float x) { return wide_over(1.0f, x); }
""",
    "quick_exp": """\
__device__ inline float quick_exp(float x) { return quick_exp2(x * 1.442695041f); }
""",
    "quick_sigmoid": """\
__device__ inline float quick_sigmoid(float x)
{
    return quick_reciprocal(1.0f + quick_exp(-x));
}
""",
    "quick_over_one_plus_exp": """\
// All is a quarter: what is above 2^126 has a reciprocal that is taken for zero.
__device__ inline float quick_over_one_plus_exp(float x, float y)
{
    return 0.25f * x * quick_reciprocal(0.25f + quick_exp2(fma(y, 1.442695041f, -2.0f)));
}
""",
    "quick_silu": """\
__device__ inline float quick_silu(float x) { return quick_over_one_plus_exp(x, -x); }
""",
    "quick_gelu_tanh": """\
__device__ inline float quick_gelu_tanh(float x)
{
    return quick_over_one_plus_exp(x, -1.595769122f * (x + 0.044715f * (x * x * x)));
}
""",
    "quick_log1p": """\
__device__ inline float quick_log1p(float x)
{
    if (fabs(x) < 0.0078125f) return x * (1.0f - x * (0.5f - x * 0.3333333433f));
    return quick_log2(1.0f + x) * 0.6931471825f;
}
""",
    "quick_log_sigmoid": """\
__device__ inline float quick_log_sigmoid(float x)
{
    return (x > 0.0f ? 0.0f : x) - quick_log1p(quick_exp(-fabs(x)));
}
""",
    "pow_by_number": """\
// The number is the same for all threads.
template <typename T>
__device__ inline T pow_by_number(T x, T number) { return number == T(2) ? x * x : pow(x, number); }
""",
}
_CALLED = re.compile(r"\b(?:(?:quick|wide)_\w+|pow_by_number)\b")


def quick_functions(text: str) -> list[str]:
    """Return the definitions of the functions that a text calls, after those that they call."""
    found: dict[str, str] = {}
    for name in sorted(set(_CALLED.findall(text))):
        _define(name, found)
    return list(found.values())


def _define(name: str, found: dict[str, str]) -> None:
    text = instruction(name) if name in INSTRUCTIONS else _FUNCTIONS[name]
    for called in _CALLED.findall(text):
        if called != name:
            _define(called, found)
    found[name] = text


def instruction(name: str) -> str:
    """Return the definition of a function that is one instruction."""
    parameters, ptx = INSTRUCTIONS[name]
    places = ", ".join([f"%{number}" for number in range(2 + parameters.count(","))])
    given = ", ".join([f'"f"({each.split()[1]})' for each in parameters.split(", ")])
    return f"""\
__device__ inline float {name}({parameters})
{{
    float result;
    asm("{ptx} {places};" : "=f"(result) : {given});
    return result;
}}
"""
