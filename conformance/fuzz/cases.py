"""Programs on which the ways to run them have disagreed, each with what was wrong."""

from __future__ import annotations

import torch
from torch import Tensor

from conformance.fuzz.programs import Program


def _tensor(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Numbers between -4 and 4."""
    made = torch.randn(shape, generator=torch.Generator().manual_seed(7), dtype=torch.float64)
    return made.clamp(-4, 4).to(dtype)


def _program(body: str, *arguments: Tensor) -> Program:
    """A program with the parameters a, b, c that returns the last value it makes."""
    lines = body.strip().splitlines()
    names = [f"{name}: Tensor" for name in "abc"[: len(arguments)]]
    result = lines[-1].split()[0]
    text = "".join(f"    {line.strip()}\n" for line in lines)
    head = f"def program({', '.join(names)}) -> Tuple[Tensor]:\n"
    return Program(f"{head}{text}    return ({result},)\n", list(arguments))


_SATURATED = torch.tensor([0.0, 0.0, 1.0, 1.0, 1e-20, 0.3], dtype=torch.float64)
GRADIENTS: dict[str, Program] = {
    # torch divides by no less than 1e-12; 0 / 0 is not the gradient of a perfect guess.
    "binary_cross_entropy_of_what_is_certain": _program(
        "v0 = F.binary_cross_entropy(a, b, reduction='none')\nv1 = v0 * 2",
        _SATURATED,
        torch.tensor([0.0, 1.0, 0.0, 1.0, 0.5, 0.2], dtype=torch.float64),
    ),
    # What only tells a dtype has no part in the gradient: its own operands may be changed.
    "a_dtype_of_what_was_clamped": _program(
        "v0 = a.permute(2, 0, 1)\nv1 = a + 1e-3\nv2 = torch.clamp(v0, min=-1.5)\n"
        "v3 = v1.type_as(v2)\nv4 = torch.add(v3, -1.5, alpha=2)",
        _tensor(2, 33, 1, dtype=torch.float64),
    ),
    # Of the weight, NaN times the zero of where() is not the gradient of what is not scaled by it.
    "prelu_with_a_weight_that_is_nan": _program(
        "v0 = F.prelu(a, b)\nv1 = v0 * 2",
        _tensor(5, 3, dtype=torch.float64),
        torch.tensor([0.5, torch.nan, 2.0], dtype=torch.float64),
    ),
}
"""Programs whose gradients were wrong."""
ROUNDED_GRADIENTS: dict[str, Program] = {
    # eager's gradient of what is a half for a while is a half, too; a kernel's is float32.
    "what_is_too_large_for_a_half": _program(
        "v0 = a * 2\nv1 = v0.to(torch.float16)\nv2 = v1 + v0",
        torch.linspace(1e5, 2e5, 30, dtype=torch.float64),
    ),
    # Half of 1 + tanh(...) cancels in eager's derivative.
    "tail_of_gelu_with_tanh": _program(
        "v0 = F.gelu(a * 1000, approximate='tanh')\nv1 = v0 * 1",
        torch.linspace(-0.008, -0.004, 5000, dtype=torch.float64),
    ),
    # All of it cancels.
    "layer_norm_of_rows_of_one": _program(
        "v0 = F.layer_norm(a * 1, [1], b, b)\nv1 = v0 * 1",
        torch.tensor([[-88.712137863232], [-99.9784108508307]], dtype=torch.float64),
        torch.tensor([-1.2532330959470939], dtype=torch.float64),
    ),
}
"""Programs whose gradients eager rounds more than kernels do."""

CASES: dict[str, Program] = {
    # Eager's `x * scale - mean * scale` is nearly zero, a kernel's `(x - mean) * scale` is zero.
    "sign_of_what_cancels": _program(
        "v0 = F.layer_norm(a * 1, [a.size(-1)])\nv1 = v0.to(torch.bool)",
        _tensor(300, 1, dtype=torch.bfloat16),
    ),
    # Either zero may be the smaller one of two, and so either infinity is right.
    "infinity_of_a_zero_with_an_open_sign": _program(
        "v0 = a + 3\nv1 = v0 / -2.0\nv2 = torch.digamma(torch.fmin(v1, v0))",
        torch.tensor([-2, -3]),
    ),
    # Eager's 1 + tanh(...) is zero, a kernel's is not; the loss compares the sign with -1.
    "sign_of_a_small_gelu": _program(
        "v0 = torch.sign(F.gelu(a, approximate='tanh'))\nv1 = F.hinge_embedding_loss(a, v0)",
        torch.tensor([-6.0, -5.5, 3.0, -30.0]),
    ),
    # -8.8e-46 is zero to eager, and the smallest denormal when it is rounded.
    "sign_of_the_smallest_number": _program(
        "v0 = torch.sign(torch.special.log_ndtr(a))", torch.tensor([14.154, 14.0, 3.0])
    ),
    # Eager's vectors give zero for 1.1e-40, whose logarithm is -92; that of zero is taken for -100.
    "logarithm_of_a_sigmoid_that_vanishes": _program(
        "v0 = torch.sigmoid(a)\nv1 = F.binary_cross_entropy(v0, b, reduction='none')",
        torch.linspace(-110.0, -80.0, 64),
        torch.full((64,), 0.25),
    ),
    # The same in a mean, beside what is denormal in eager, too: either may be zero, but not both.
    "mean_of_logarithms_of_sigmoids_that_vanish": _program(
        "v0 = torch.sigmoid(a)\nv1 = F.binary_cross_entropy(v0, b)",
        torch.cat([torch.linspace(-99.0, -89.0, 16), torch.full((8,), -88.0)]),
        torch.full((24,), 0.25),
    ),
    # eager multiplies terms that are too small for float32 by what is too large for it.
    "zeta_of_small_terms": _program(
        "v0 = torch.special.zeta(a, b)\nv1 = torch.isfinite(v0)",
        torch.tensor([65505.5, 90.0, 30.0, 3.0]),
        torch.tensor([1.5, 7.0, 300.0, 2.0]),
    ),
    # The oracle's powers of large numbers are infinite, as Python's are not.
    "zeta_of_large_numbers": _program(
        "v0 = torch.special.zeta(a, b)\nv1 = v0 * 1",
        torch.tensor([4.0, 1.5, 30.0, 4.0, 1.001]),
        torch.tensor([1e38, 1e38, 1e30, 3.0, 1e37]),
    ),
    # Of two numbers that are close, only the mean's rounding error moves the result.
    "layer_norm_of_two_numbers_that_cancel": _program(
        "v0 = torch.exp(a)\nv1 = F.layer_norm(v0, [2])",
        torch.stack([torch.linspace(3.9, 3.91, 3000), torch.linspace(3.901, 3.905, 3000)], -1),
    ),
    # eager's series is off by a dozen units near 8.
    "tangent_of_a_large_i1": _program(
        "v0 = torch.special.i1(a)\nv1 = torch.tan(v0)", torch.linspace(7, 8, 5000)
    ),
    # The square is rounded before its exponential is taken.
    "erfcx_of_large_negative_numbers": _program(
        "v0 = torch.special.erfcx(a)\nv1 = v0 * 1", torch.linspace(-9, -5, 3000)
    ),
    # Each operator keeps the order of its own operands, not of all inputs of a kernel.
    "results_of_two_orders": _program(
        "v0 = a.t().sin() * 2\nv1 = a.cos() + 1\nv2 = v0 - v1", _tensor(4, 4)
    ),
    "masked_fill_is_contiguous": _program(
        "v0 = a.masked_fill(b > 0, 0.0)\nv1 = v0 * 2", _tensor(6, 4).t(), _tensor(4, 6)
    ),
    "logsigmoid_is_contiguous": _program("v0 = F.logsigmoid(a)\nv1 = v0 * 2", _tensor(6, 4).t()),
    "images_of_one_pixel": _program(
        "v0 = a + b\nv1 = v0 * 2",
        _tensor(2, 3, 1, 1),
        _tensor(1, 3, 1, 1).contiguous(memory_format=torch.channels_last),
    ),
    "positive_is_its_argument": _program("v0 = torch.sin(a)\nv1 = torch.positive(v0)", _tensor(9)),
    # What is written to stays where it lies; masked_fill by itself is contiguous.
    "filled_in_place": _program(
        "v0 = a.t() * 2\nv0.masked_fill_(b > 0, 0.0)\nv1 = v0", _tensor(4, 6), _tensor(6, 4)
    ),
    # Each difference is of two parts, which lie as the whole does.
    "differences_of_one_row": _program(
        "v0 = torch.diff(a, dim=-1)\nv1 = v0 * 0.5",
        _tensor(40).as_strided((17, 1, 1, 1), (1, 2, 20, 2)),
    ),
    # Of nothing, eager gives `input * weight[0] + bias[0]`: the dtype is that of a wide weight.
    "batch_norm_of_nothing": _program(
        "v0 = torch.batch_norm(a, b, b, None, None, False, 0.1, 1e-5, False)\n"
        "v1 = torch.sigmoid(v0 * 2 + 1)",
        _tensor(0, 3, dtype=torch.bfloat16),
        _tensor(2, 3),
    ),
    # Eager gives a view of its operand, or a tensor that lies otherwise.
    "differences_of_nothing": Program(
        "def program(a: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    v0 = torch.diff(a.mT, 2, dim=-2)\n    return (torch.sin(v0) * 2, v0)\n",
        [
            _tensor(1, 2, 17, 2, 0, dtype=torch.bfloat16).as_strided(
                (1, 2, 17, 2, 0), (68, 34, 2, 1, 1)
            )
        ],
    ),
    # The oracle looked for an element of a table that has none.
    "nothing_is_padded": _program(
        "v0 = F.pad(a, [0, 1, 2, 0], value=1.5)\nv1 = v0 + 3", _tensor(0, 3)
    ),
    "what_lies_otherwise_is_no_view": _program(
        "v0 = F.gelu(torch.clamp(a, -30, 30))\nv1 = v0.reshape(-1, v0.shape[-1])\nv2 = v1 - 1",
        _tensor(140, dtype=torch.float64).as_strided((2, 3, 70), (1, 0, 2)),
    ),
    # The norm of one number is its size, though its square is infinite, or zero.
    "similarity_of_large_numbers": _program(
        "v0 = F.cosine_similarity(a * 1, a.clamp(min=0.1), dim=-1)\nv1 = v0 + 1",
        torch.tensor([[1e38], [-1e30], [1e-30], [3.0]]),
    ),
    # With noise, NaN is among the operands, which the loss refuses.
    "loss_of_a_power_that_noise_makes_nan": _program(
        "v0 = 0.9 * torch.sigmoid(torch.pow(-1.5, a * 1))\nv1 = F.binary_cross_entropy(v0, v0 / 2)",
        torch.tensor([1.0, 2.0]),
    ),
    # Eager's error grows with the number of elements, which it goes through one by one.
    "deviation_of_many_doubles": _program(
        "v0 = torch.std(torch.round(a ** -2))\nv1 = v0 * 1",
        torch.randn(3366, generator=torch.Generator().manual_seed(2), dtype=torch.float64) + 0.3,
    ),
    "rms_norm_of_nothing": _program(
        "v0 = torch.expm1(a)\nv1 = F.rms_norm(v0, [70], eps=1e-5)\nv2 = torch.add(v1, 0.5)",
        _tensor(0, 1, 1, 70),
    ),
    "negated_in_place": _program(
        "v0 = a + 3\nv0.neg_()\nv1 = v0",
        _tensor(20).as_strided((2, 1, 8, 1, 1), (8, 1, 1, 1, 1)),
    ),
    # gcc makes (float)(long)x a truncation, of which the zero may be negative.
    "an_integer_made_of_minus_zero": _program(
        "v1 = a.to(torch.int64)\nv2 = torch.rsqrt(v1)\nv3 = v2 * 1",
        torch.tensor([-0.0, 0.0, -0.3, 4.0]),
    ),
    # eager adds up squares in float64, where these do not overflow.
    "spread_of_large_numbers": _program(
        "v0 = a * 1\nv1 = torch.std(v0, dim=[-1], keepdim=True)",
        torch.tensor([[1e38, -2e38, 3.0, -0.0], [1.0, 2.0, 3.0, 5.0]]),
    ),
    # Of float16 eager takes no roots: the power of minus infinity is zero.
    "root_of_minus_infinity": _program(
        "v0 = a * 1\nv1 = v0 ** -0.5", torch.tensor([float("-inf"), 4.0, 0.0]).half()
    ),
    "huber_loss_of_two_dtypes": _program(
        "v0 = F.huber_loss(a, b, reduction='none')\nv1 = v0 ** 3",
        _tensor(6, dtype=torch.bfloat16),
        _tensor(6, dtype=torch.float64),
    ),
    # Whatever the target's dtype is, the result is of the input's.
    "soft_margin_loss_of_two_dtypes": _program(
        "v0 = F.soft_margin_loss(a, b, reduction='none')\nv1 = v0 * 2",
        _tensor(6),
        _tensor(6, dtype=torch.float64),
    ),
    # What is added to the infinity of a part that overflows hangs on the order.
    "sum_whose_parts_overflow": _program(
        "v0 = torch.sum(a, dim=[-1], keepdim=True)\nv1 = torch.sign(v0)",
        torch.cat([_tensor(2, 10), torch.full((2, 5), 1e38), torch.full((2, 1), -torch.inf)], -1),
    ),
    # eager shrinks a small negative number to minus zero.
    "signs_of_what_was_shrunk": _program(
        "v0 = F.softshrink(a)\nv1 = torch.copysign(b, v0)",
        torch.tensor([-0.1, 0.1, -0.0, 0.0, -3.0]),
        _tensor(5),
    ),
    # Other operators keep the order of their operand's dimensions.
    "power_of_a_number_is_contiguous": _program(
        "v0 = torch.pow(-2, a)\nv1 = v0 + 1\nv2 = v1.view(v1.size(0), -1)",
        _tensor(4, 2, 3).transpose(0, 1),
    ),
    # eager's power of two is of float32, though the product is of float64.
    "ldexp_by_a_float_of_a_double": _program(
        "v0 = torch.ldexp(a, b)\nv1 = v0 + 1",
        _tensor(6, dtype=torch.float64) / 1e7 - 1,
        _tensor(6) * 1.37,
    ),
    "float_power_of_a_number_is_contiguous": _program(
        "v0 = torch.float_power(-2, a)\nv1 = v0 + 1\nv2 = v1.view(v1.size(0), -1)",
        _tensor(4, 2, 3).transpose(0, 1),
    ),
    "expm1_of_a_denormal_is_itself": _program(
        "v0 = torch.expm1(a)\nv1 = torch.ge(a, v0)",
        torch.arange(-8, 9) * 1e-45,
    ),
    # torch 2.13 takes no power of two for an integer, and the result has the dtype of `a`.
    "ldexp_by_an_integer": _program(
        "v0 = torch.ldexp(a, b)\nv1 = v0 + 1",
        torch.tensor([1e-30, 3.0, 0.5]).half(),
        torch.tensor([130, -1, 3]),
    ),
    "ldexp_past_the_largest_power": _program(
        "v0 = torch.ldexp(a, b)\nv1 = v0 + 1",
        torch.tensor([1e-30, 3.0, 0.5]),
        torch.tensor([130, -1, 3]),
    ),
    # The reflection formula, which the oracle uses, subtracts numbers larger than its result.
    "lgamma_of_negative_numbers": _program(
        "v0 = torch.lgamma(a)\nv1 = v0 * 1",
        torch.tensor([-2.6134043754327925, -0.5, -7.3], dtype=torch.float64),
    ),
    # eager's power of two is of the exponent's dtype, in which 2 ** 20 is infinite.
    "ldexp_by_a_half": _program(
        "v0 = torch.ldexp(a, b)\nv1 = v0 + 1",
        _tensor(6),
        torch.tensor([1.0, 20.0, -20.0, 15.0, 16.0, 0.0], dtype=torch.float16),
    ),
    # The result is of the target's dtype.
    "loss_of_two_dtypes": _program(
        "v0 = F.binary_cross_entropy_with_logits(a, b, reduction='none')\nv1 = v0 * 2",
        _tensor(6),
        _tensor(6, dtype=torch.bfloat16).abs() / 8,
    ),
    # The sizes that F.group_norm makes a list of were taken for views of a tensor.
    "group_norm_slices_a_list_of_sizes": _program(
        """
        v0 = F.group_norm(a, 1)
        v1 = F.elu(v0, 1.5)
        """,
        _tensor(5, 5, 1),
    ),
    # The dtype of the target does not matter, and integers stay integers.
    "hinge_embedding_loss_of_integers": _program(
        "v0 = F.hinge_embedding_loss(a, torch.sign(b), reduction='sum')",
        torch.arange(-6, 6, dtype=torch.int16).view(3, 4),
        _tensor(),
    ),
    "hinge_embedding_loss_keeps_the_dtype_of_its_input": _program(
        "v0 = F.hinge_embedding_loss(a, torch.sign(b), reduction='none')",
        _tensor(3, 4),
        _tensor(3, 4, dtype=torch.float64),
    ),
    # In its tail, gelu is as exact as one minus a number close to one.
    "tail_of_gelu": _program("v0 = F.gelu(a)", torch.linspace(-6, -4, 70)),
    "tail_of_gelu_with_tanh": _program(
        "v0 = F.gelu(a, approximate='tanh')", torch.linspace(-6, -1, 70)
    ),
    # The errors of what is added up need not cancel.
    "variance_of_many": _program(
        "v0, v1 = torch.var_mean(a, dim=[0, 1], keepdim=True)\nv2 = v0 * 1", _tensor(70, 33)
    ),
    # Unlike a root, a power of 0.5 is infinite of minus infinity; float16 has no root for it.
    "half_power_of_minus_infinity": _program(
        "v0 = a ** 0.5 * 2 + a ** -0.5",
        torch.tensor([-torch.inf, torch.inf, -0.0, 2.0], dtype=torch.float16),
    ),
}
