"""Eager's own errors, as far as known: sums of large terms, and results beyond a dtype's range.

A kernel need not be wrong in the same way. These are the exceptions to the rule that `noise.py`
finds tolerances by itself, each with its reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)


def added_terms(kind: str, result: Tensor, inputs: Sequence[Any]) -> Tensor | None:
    """Return the largest of the terms that an operator adds up, where its operands do not show it.

    What is returned is in units of the result's own rounding errors.
    """
    terms = _TERMS.get(kind)
    return None if terms is None else terms(result, *inputs).double().nan_to_num(0, 0, 0)


def _erf_terms(result: Tensor, x: Tensor) -> Tensor:
    """Of half types near zero, eager's is the difference of two numbers close to one."""
    if result.dtype not in HALVES:
        return torch.zeros(())
    return torch.tensor(torch.finfo(torch.float32).eps * 2 / torch.finfo(result.dtype).eps)


def _rsqrt_terms(result: Tensor, x: Tensor) -> Tensor:
    """Of half types that are not contiguous, eager rounds the root before dividing one by it."""
    return result.abs() * (2.0 if result.dtype in HALVES else 0.0)


def _lgamma_terms(result: Tensor, x: Tensor) -> Tensor:
    """`lgamma(x)` of a negative number is `log(pi / abs(x * sin(pi * x))) - lgamma(-x)`.

    Of a positive one, Python's own, which the oracle calls, adds up terms of about one in double.
    """
    own = 1.2 if result.dtype == torch.float64 else 0.0
    return torch.where(x < 0, 1.2 + torch.special.gammaln(x.double().abs()).abs(), own)


def _ldexp_terms(result: Tensor, x: Tensor, exponent: Tensor) -> Tensor:
    """The power of two is of the exponent's dtype, with its rounding error."""
    power = exponent.dtype if exponent.dtype.is_floating_point else torch.float32
    return result.abs() * (torch.finfo(power).eps / torch.finfo(result.dtype).eps)


def _batch_norm_terms(
    result: Tensor, x: Tensor, weight: Any, bias: Any, mean: Any, var: Any, *_: Any
) -> Tensor:
    """`x * scale - mean * scale`: with one value in a channel, all of it cancels."""
    return x.abs() / 1e-5**0.5


def _normalised(x: Tensor, weight: Tensor | None, eps: float) -> Tensor:
    """`x * scale - mean * scale` of rows, `x: [rows, elements]`: the mean is rounded, too.

    Of two numbers that are close, as 50.0 and 49.7, next to nothing is left: their result is one
    and minus one, however both are moved, but not where their mean is.
    """
    wide = x.double()
    variance, mean = torch.var_mean(wide, -1, correction=0, keepdim=True)
    scale = (variance + eps).rsqrt()
    terms = (wide.abs() + mean.abs()) * scale
    return terms if weight is None else terms * weight.detach().double().abs()


def _layer_norm_terms(
    result: Tensor, x: Tensor, shape: Sequence[int], weight: Any, bias: Any, eps: float, *_: Any
) -> Tensor:
    rows = x.reshape(-1, math.prod(shape)) if x.numel() else x.reshape(0, 1)
    flat = None if weight is None else weight.reshape(-1)
    return _in_single(_normalised(rows, flat, eps).reshape(x.shape), result)


def _group_norm_terms(
    result: Tensor, x: Tensor, groups: int, weight: Any, bias: Any, eps: float, *_: Any
) -> Tensor:
    if not x.numel():
        return torch.zeros(())
    terms = _normalised(x.reshape(x.shape[0] * groups, -1), None, eps).reshape(x.shape)
    return _in_single(terms * _of_channels(weight, x), result)


def _instance_norm_terms(
    result: Tensor, x: Tensor, weight: Any, bias: Any, mean: Any, var: Any, own: bool,
    momentum: float, eps: float, *_: Any,
) -> Tensor:  # fmt: skip
    if not x.numel():
        return torch.zeros(())
    terms = _normalised(x.reshape(x.shape[0] * x.shape[1], -1), None, eps).reshape(x.shape)
    return _in_single(terms * _of_channels(weight, x), result)


def _of_channels(weight: Tensor | None, x: Tensor) -> Tensor:
    """The sizes of the weights of the channels of `x`."""
    if weight is None:
        return torch.ones(())
    return weight.detach().double().abs().view(-1, *[1] * (x.dim() - 2))


def _in_single(terms: Tensor, result: Tensor) -> Tensor:
    """Terms of half types in units of the result's rounding errors: eager adds them in float32."""
    info = torch.finfo(torch.promote_types(result.dtype, torch.float32))
    return terms * (info.eps / torch.finfo(result.dtype).eps)


def _series_terms(result: Tensor, x: Tensor) -> Tensor:
    """Eager's series of `i1` and `i1e` are off by up to 15 units near 8, where its two parts meet.

    Twice of what other functions may be off covers it.
    """
    return _in_single(2.0 * result.abs(), result)


def _erfcx_terms(result: Tensor, x: Tensor) -> Tensor:
    """Of a negative number, `2 * exp(x * x) - erfcx(-x)`: the square is rounded."""
    return _in_single(result.abs() * x.double().clamp(max=0).square() / 2, result)


def _spread_terms(result: Tensor, x: Tensor, *_: Any) -> Tensor:
    """Of float64, eager goes through the elements one by one, with an error at each."""
    count = x.numel() / max(result.numel(), 1)
    return result.abs() * (count**0.5 if result.dtype == torch.float64 else 0.0)


def _kl_div_terms(result: Tensor, x: Tensor, target: Tensor, *_: Any) -> Tensor:
    """Of half types, `xlogy(target, target)` and `target * x` are rounded before they cancel."""
    if result.dtype not in HALVES or not result.shape:
        return torch.zeros(())
    return (x.float() * target.float()).abs()


def _log_sum_terms(result: Tensor, *_: Any) -> Tensor:
    """The logarithm of a sum that is one and a bit, which is rounded."""
    return torch.ones(result.shape)


_TERMS: dict[str, Callable[..., Tensor]] = {
    "aten::batch_norm": _batch_norm_terms,
    "aten::erf": _erf_terms,
    # x / 2 * (1 + erf(x / sqrt(2))), or the hyperbolic tangent
    "aten::gelu": lambda result, x, *_: x.abs(),
    "aten::group_norm": _group_norm_terms,
    "aten::instance_norm": _instance_norm_terms,
    "aten::kl_div": _kl_div_terms,
    "aten::layer_norm": _layer_norm_terms,
    "aten::ldexp": _ldexp_terms,
    "aten::lgamma": _lgamma_terms,
    "aten::log_softmax": _log_sum_terms,
    "aten::logsumexp": _log_sum_terms,
    "aten::rsqrt": _rsqrt_terms,
    "aten::special_erfcx": _erfcx_terms,
    "aten::special_i1": _series_terms,
    "aten::special_i1e": _series_terms,
    # half of 1 + erf(x / sqrt(2)), which cancels below zero
    "aten::special_ndtr": lambda result, *_: torch.ones(result.shape),
    **{f"aten::{name}": _spread_terms for name in ("std", "std_mean", "var", "var_mean")},
}


def is_beyond(kind: str, inputs: Sequence[Any]) -> Tensor:
    """Return a mask: where an operator's way to its result leaves the range of its dtype in eager.

    A kernel may take another way, on which a number is left.
    """
    test = _BEYOND.get(kind)
    return torch.tensor(False) if test is None else test(*inputs)


_FLUSHED = frozenset(
    f"aten::{name}" for name in "exp exp2 pow sigmoid softmax erfc special_ndtr".split()
)
"""Operators whose vector functions may give zero for a denormal, in eager and elsewhere."""


def is_flushed(kind: str, result: Tensor) -> Tensor:
    """Return a mask: where a result may as well be zero."""
    if kind not in _FLUSHED:
        return torch.tensor(False)
    return result.detach().abs() < torch.finfo(result.dtype).smallest_normal


def vanished(kind: str, result: Tensor, inputs: Sequence[Any]) -> Tensor:
    """Return what a result is that eager has zero for: a denormal, and zero where eager is right.

    `log_ndtr(14.154)` is -8.8e-46, which rounds to the smallest denormal; eager's is zero. So is
    its `sigmoid(-92.0)`, which is 1.1e-40, since it divides one by the exponential of 92.
    """
    if kind == "aten::special_log_ndtr":
        info = torch.finfo(result.dtype)
        return torch.where(result.detach() == 0, -info.smallest_normal * info.eps, 0.0)
    if kind == "aten::sigmoid":
        return torch.where(result.detach() == 0, inputs[0].detach().double().sigmoid(), 0.0)
    return torch.zeros(())


EXACT = frozenset(f"aten::{name}" for name in "sign sgn heaviside floor ceil round trunc".split())
"""Operators without rounding errors, whose results are compared with whole numbers."""


def _largest(dtype: torch.dtype) -> float:
    """The largest number of what eager computes a dtype in."""
    floating = dtype if dtype.is_floating_point else torch.float32
    return torch.finfo(torch.promote_types(floating, torch.float32)).max


def _exponential(x: Tensor, *_: Any) -> Tensor:
    """`cosh` is finite a little farther than `exp`; eager's is not."""
    return x.double().abs() > (88.0 if _largest(x.dtype) < 1e39 else 709.0)


def _quotient(x: Any, y: Any, *_: Any) -> Tensor:
    """A mask for remainders that eager's vectors leave at will.

    The quotient has more digits than its dtype or overflows, or the divisor is denormal.
    """
    tensor = x if isinstance(x, Tensor) else y
    divisor = torch.as_tensor(y).double()
    quotient = torch.as_tensor(x).double() / divisor
    is_single = _largest(tensor.dtype) < 1e39
    is_tiny = divisor.abs() < (1e-37 if is_single else 1e-307)
    return ((quotient.abs() > 2.0 ** (22 if is_single else 50)) | is_tiny) & (divisor != 0)


def _squares(x: Tensor, *_: Any) -> Tensor:
    """A variance has a square of each number: of one that is too large, for all of them."""
    if not x.dtype.is_floating_point:
        return torch.tensor(False)
    finite = x.double().abs().nan_to_num(0, 0, 0)
    return (finite > (_largest(x.dtype) / max(1, x.numel())) ** 0.5).any()


def _small_terms(x: Tensor, q: Tensor) -> Tensor:
    """A mask for zeta: where terms `q ** -x` are zero, which eager multiplies by infinities."""
    floating = torch.result_type(x, q)
    if not floating.is_floating_point:  # zeta of integers gives the default dtype
        floating = torch.get_default_dtype()
    return x.double() * q.double().log2() > -math.log2(torch.finfo(floating).smallest_normal)


def _partial_sums(x: Tensor, dim: Any = None, keepdim: Any = False, *_: Any) -> Tensor:
    """A mask for sums: where a part overflows, so that the order of the terms matters."""
    if not x.dtype.is_floating_point:
        return torch.tensor(False)
    sizes = x.double().abs().nan_to_num(0, 0, 0)
    total = sizes.sum(dim, keepdim) if isinstance(dim, list) else sizes.sum()
    return total > _largest(x.dtype)


def _small_squares(x: Tensor, *_: Any) -> Tensor:
    """Squares of small numbers are zero, but eager takes no square where there is one number."""
    if not x.dtype.is_floating_point:
        return torch.tensor(False)
    finite = x.double().abs().nan_to_num(0, 0, 0)
    return ((finite > 0) & (finite < 1e-18)).any()


_BEYOND: dict[str, Callable[..., Tensor]] = {
    **dict.fromkeys(("aten::cosh", "aten::sinh", "aten::i0", "aten::special_i1"), _exponential),
    **dict.fromkeys(("aten::remainder", "aten::fmod", "aten::floor_divide"), _quotient),
    "aten::special_zeta": _small_terms,
    **dict.fromkeys(("aten::sum", "aten::mean", "aten::nansum", "aten::nanmean"), _partial_sums),
    **dict.fromkeys(
        ("aten::norm", "aten::linalg_vector_norm", "aten::linalg_norm"), _small_squares
    ),
    **dict.fromkeys(
        ("aten::layer_norm", "aten::group_norm", "aten::batch_norm", "aten::instance_norm"),
        _squares,
    ),
}


def at_nan(kind: str, result: Tensor, x: Any, number: int) -> Tensor:
    """Return the result of an operator, whose derivative at NaN is 0, 1 or NaN, by `number`.

    Eager has two derivatives there: that of its loop with vectors, and that of its loop for the
    elements that are left over. So it depends on the place in memory which one there is.
    """
    if kind not in _TWO_AT_NAN or not result.requires_grad:
        return result
    slopes = (x.detach(), x, x.detach() + x * torch.nan)
    return torch.where(x.isnan(), slopes[number % len(slopes)], result)


_TWO_AT_NAN = frozenset(
    f"aten::{name}"
    for name in "elu selu celu relu6 hardtanh hardswish softshrink hardshrink logit".split()
)


def has_open_sign(kind: str, inputs: Sequence[Any]) -> Tensor:
    """Return a mask: where the larger of two zeros is wanted, of which only the signs differ."""
    if kind not in ("aten::fmax", "aten::fmin", "aten::maximum", "aten::minimum"):
        return torch.tensor(False)
    return (inputs[0] == 0) & (inputs[1] == 0)
