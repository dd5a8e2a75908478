"""Tolerances of float results: one table, per operator, each row with its reason.

A case's tolerance is the loosest row among the operators in its recorded graphs. Operators that are
not listed are exact: IEEE arithmetic, comparisons, copies and indexing give the same bits
everywhere. Everything that is no float is compared exactly, always.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, NamedTuple


class Tolerance(NamedTuple):
    """`|found - expected| <= absolute + relative * |expected|`."""

    relative: float
    absolute: float
    reason: str


EXACT = Tolerance(0.0, 0.0, "IEEE arithmetic: the same bits everywhere")
_SUM = "the order of summation depends on vector width and library"
_VECTOR_ROOT = "MKL's root of vectors, a unit in the last place off on some processors"
_SERIES = "polynomials of the vector library and of kernels, 4 units in the last place apart"
_CANCELLED = "of numbers that are nearly equal, as in x - tanh(x), their error is what is left"
_LIBM = "the C library's double function, within 2 units in the last place"
_DECOMPOSED = "sums and exponentials in float32, several in a row"
_ACCUMULATED = "a product of matrices sums in an order of the library's choice"
_SOLVED = (
    "LAPACK's steps depend on where numbers lie in memory: in eager alone they are 2.4e-6 apart"
)

_FLOAT32_ULP4 = Tolerance(4.8e-7, 1e-37, _SERIES)
_ROOT = Tolerance(2.4e-7, 0.0, _VECTOR_ROOT)
_SUBTRACTED = Tolerance(4.8e-7, 1.2e-7, _CANCELLED)
_SCALED = Tolerance(4.8e-7, 2.4e-7, _CANCELLED)
_REDUCTION = Tolerance(1e-6, 1e-7, _SUM)
_PRODUCT = Tolerance(1e-5, 1e-6, _ACCUMULATED)
_SOLUTION = Tolerance(1e-5, 1e-6, _SOLVED)
_COMPOSITE = Tolerance(1e-5, 1e-6, _DECOMPOSED)
_DOUBLE = Tolerance(4.5e-16, 0.0, _LIBM)

_GROUPS: tuple[tuple[Tolerance, str], ...] = (
    (_PRODUCT, "matmul mm bmm addmm baddbmm addbmm mv addmv dot einsum linear bilinear"),
    (_PRODUCT, "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"),
    (_PRODUCT, "_convolution _convolution_mode conv_tbc"),
    (_PRODUCT, "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"),
    (_PRODUCT, "scaled_dot_product_attention _native_multi_head_attention cdist tensordot"),
    (_PRODUCT, "linalg_vecdot"),
    (_SOLUTION, "linalg_lstsq"),
    (_COMPOSITE, "softmax log_softmax logsumexp cross_entropy_loss nll_loss_nd nll_loss"),
    (_COMPOSITE, "_transformer_encoder_layer_fwd _transform_bias_rescale_qkv"),
    (_COMPOSITE, "layer_norm batch_norm instance_norm group_norm rms_norm var std var_mean"),
    (_COMPOSITE, "cosine_similarity pairwise_distance dist norm linalg_vector_norm kl_div"),
    (_COMPOSITE, "binary_cross_entropy binary_cross_entropy_with_logits grid_sampler"),
    (_COMPOSITE, "upsample_bilinear2d upsample_linear1d upsample_bicubic2d affine_grid_generator"),
    (_COMPOSITE, "triplet_margin_loss cosine_embedding_loss hinge_embedding_loss"),
    (_COMPOSITE, "margin_ranking_loss smooth_l1_loss huber_loss mse_loss l1_loss soft_margin_loss"),
    (_COMPOSITE, "poisson_nll_loss multi_margin_loss multilabel_margin_loss"),
    (_COMPOSITE, "embedding_bag frobenius_norm nuclear_norm linalg_matrix_norm"),
    (_REDUCTION, "nansum nanmean"),
    (_REDUCTION, "sum mean prod cumsum cumprod avg_pool1d avg_pool2d avg_pool3d trace"),
    (_REDUCTION, "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d"),
    (_ROOT, "sqrt sqrt_"),
    (_FLOAT32_ULP4, "exp exp_ expm1 sigmoid sigmoid_ tanh tanh_ erf silu silu_ mish mish_"),
    (_SCALED, "gelu"),  # x * (1 + erf(x / sqrt(2))), of a negative x
    (_SUBTRACTED, "special_ndtr"),  # (1 + erf(x / sqrt(2))) / 2, of a negative x
    (_FLOAT32_ULP4, "elu elu_ selu selu_ celu celu_ softplus log_sigmoid"),
    (_FLOAT32_ULP4, "hardswish hardswish_ glu linspace rsqrt lerp addcdiv addcmul"),
    (_FLOAT32_ULP4, "rrelu rrelu_ exponential_ rand randn normal_ uniform_"),
    # Also the names of scalar functions, for which the row is looser than the C library needs.
    (_FLOAT32_ULP4, "sin cos tan asin acos atan sinh cosh log log2 log10 log1p pow atan2"),
    (_FLOAT32_ULP4, "float_power float_power_"),
    (_DOUBLE, "hypot gamma lgamma fmod degrees radians"),
)
TABLE: dict[str, Tolerance] = {
    f"aten::{name}": tolerance for tolerance, names in _GROUPS for name in names.split()
}

_OPERATOR = re.compile(r"\baten::\w+")


def tolerance_for(graphs: Iterable[str]) -> Tolerance:
    """The loosest tolerance among the operators that the graphs' texts name."""
    used = {name for text in graphs for name in _OPERATOR.findall(text)}
    rows = [TABLE[name] for name in sorted(used) if name in TABLE]
    if _FLOAT32_ULP4 in rows and "aten::sub" in used:
        rows.append(_SUBTRACTED)
    return max(rows, default=EXACT, key=lambda row: (row.relative, row.absolute))


def difference(found: Any, expected: Any, tolerance: Tolerance, path: str = "value") -> str | None:
    """The first difference of two encoded values (`values.encode`), with its path; None if none.

    Floats are the values encoded as strings by `repr` under "float", "complex" or in the elements
    of a tensor of floating dtype; everything else must be equal.
    """
    if type(found) is not type(expected):
        return f"{path}: {_short(found)}, expected {_short(expected)}"
    if isinstance(expected, dict):
        return _dict_difference(found, expected, tolerance, path)
    if isinstance(expected, list):
        return _list_difference(found, expected, tolerance, path)
    if found == expected:
        return None
    return f"{path}: {_short(found)}, expected {_short(expected)}"


def _dict_difference(found: Any, expected: Any, tolerance: Tolerance, path: str) -> str | None:
    if list(found) != list(expected):
        return f"{path}: {_short(found)}, expected {_short(expected)}"
    for key, item in expected.items():
        inner = f"{path}.{key}"
        if key in ("float", "complex"):
            fault = _float_difference(found[key], item, tolerance, inner)
        elif key == "tensor":
            fault = _tensor_difference(found[key], item, tolerance, path)
        else:
            fault = difference(found[key], item, tolerance, inner)
        if fault:
            return fault
    return None


def _list_difference(found: Any, expected: Any, tolerance: Tolerance, path: str) -> str | None:
    if len(found) != len(expected):
        return f"{path}: {len(found)} items, expected {len(expected)}"
    faults = (
        difference(mine, theirs, tolerance, f"{path}[{index}]")
        for index, (mine, theirs) in enumerate(zip(found, expected, strict=True))
    )
    return next((fault for fault in faults if fault), None)


def _tensor_difference(found: Any, expected: Any, tolerance: Tolerance, path: str) -> str | None:
    for key in ("dtype", "shape", "device", "requires_grad"):
        if found[key] != expected[key]:
            return f"{path}.{key}: {found[key]}, expected {expected[key]}"
    return _float_difference(found["values"], expected["values"], tolerance, f"{path}.values")


def _float_difference(found: Any, expected: Any, tolerance: Tolerance, path: str) -> str | None:
    """Compare elements; those that are strings are floats."""
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return f"{path}: {_short(found)}, expected {_short(expected)}"
        faults = (
            _float_difference(mine, theirs, tolerance, f"{path}[{index}]")
            for index, (mine, theirs) in enumerate(zip(found, expected, strict=True))
        )
        return next((fault for fault in faults if fault), None)
    if isinstance(expected, str) and isinstance(found, str):
        agree = close(float(found), float(expected), tolerance)
    else:
        agree = found == expected and type(found) is type(expected)
    return None if agree else f"{path}: {_short(found)}, expected {_short(expected)}"


def close(found: float, expected: float, tolerance: Tolerance) -> bool:
    """Whether two floats agree. NaN agrees with NaN, an infinity with itself.

    An exact comparison also tells -0.0 from 0.0.
    """
    if math.isnan(expected) or math.isinf(expected):
        return repr(found) == repr(expected)
    if tolerance.relative == 0.0 and tolerance.absolute == 0.0:
        return repr(found) == repr(expected)
    return abs(found - expected) <= tolerance.absolute + tolerance.relative * abs(expected)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
