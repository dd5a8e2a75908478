"""Programs that change in place what an operator reads, or gives, before gradients are computed.

    a1 = x + 0.5
    r1 = torch.exp(a1)          eager saves r1
    r1.mul_(3.0)                and is asked for the gradient of r1: an error

A program has many such parts, whose gradients are asked for one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.programs import Program

UNARY = (
    "abs neg sign square relu exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos "
    "tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc erfinv lgamma digamma "
    "floor ceil round trunc frac deg2rad rad2deg sinc i0 nan_to_num positive sgn angle real clone "
    "special.ndtr special.entr special.i1 special.i1e special.i0e special.erfcx special.log_ndtr"
).split()
BINARY = (
    "add sub mul div maximum minimum fmax fmin atan2 hypot remainder fmod pow logaddexp "
    "logaddexp2 xlogy rsub float_power ldexp special.xlog1py copysign"
).split()
ACTIVATIONS = (
    "silu mish elu selu celu relu6 hardtanh hardswish hardsigmoid leaky_relu softplus softsign "
    "tanhshrink softshrink hardshrink logsigmoid gelu softmin"
).split()
REDUCTIONS = (
    "sum mean amax amin logsumexp linalg.vector_norm linalg.norm nansum nanmean var std prod "
    "cumsum cumprod logcumsumexp softmax log_softmax"
).split()
OTHERS = """
{a} * 2.0
2.0 / {a}
{a} - {b} * 3.0
{a} ** 2
{a} ** 2.5
{a} ** 1
torch.pow(2.0, {a})
torch.div({a}, {b}, rounding_mode='floor')
torch.mul({a}, {a})
F.gelu({a}, approximate='tanh')
F.leaky_relu({a}, 0.2)
F.softplus({a}, 2.0, 10.0)
F.threshold({a}, 0.1, 20.0)
F.dropout({a}, 0.5, False)
F.dropout({a}, 0.5, True)
F.prelu({a}, {w})
F.rrelu({a})
F.glu({a}, -1)
torch.mean({a})
torch.amax({a}, dim=[0, 1])
torch.max({a})
torch.linalg.vector_norm({a}, 1, dim=-1)
torch.linalg.vector_norm({a}, 3.0, dim=-1)
torch.std({a})
torch.var_mean({a}, dim=-1)[0]
torch.std_mean({a}, dim=-1)[0]
torch.max({a}, dim=-1)[0]
torch.min({a}, dim=-1)[0]
torch.aminmax({a}, dim=-1)[0]
torch.cummax({a}, -1)[0]
torch.norm({a}, 1, dim=-1)
torch.norm({a})
torch.dist({a}, {b})
torch.linalg.vecdot({a}, {b})
F.cosine_similarity({a}, {b}, dim=-1)
F.pairwise_distance({a}, {b})
F.normalize({a}, dim=-1)
F.layer_norm({a}, [4])
F.layer_norm({a}, [4], {w}, {w})
F.rms_norm({a}, [4], {w})
F.group_norm({a}, 2, {w}, {w})
F.batch_norm({a}, None, None, training=True)
F.batch_norm({a}, None, None, {w}, {w}, training=True)
F.instance_norm({a})
torch.where({a} > 0.5, {b}, {c})
{a}.masked_fill({b} > 0.5, 2.0)
torch.clamp({a}, -0.5, 0.5)
torch.clamp({a}, {b}, {c})
torch.clamp_min({a}, 0.1)
torch.addcmul({a}, {b}, {c})
torch.addcdiv({a}, {b}, {c}, value=0.5)
torch.lerp({a}, {b}, {c})
torch.lerp({a}, {b}, 0.25)
torch.logit({a}, 1e-2)
torch.diff({a})
torch.mvlgamma(torch.abs({a}) + 2, 3)
torch.polygamma(1, {a})
torch.round({a}, decimals=2)
{a}.double()
torch.cat([{a}, {b}], -1)
torch.stack([{a}, {b}])
{a}.repeat(2, 1, 1)
torch.flip({a}, [-1])
torch.roll({a}, 1, -1)
torch.tril({a})
F.pad({a}, [1, 1])
torch.outer({a}.reshape(-1)[:3], {b}.reshape(-1)[:3])
torch.index_select({a}, -1, i)
torch.gather({a}, -1, j)
torch.take({a}, i)
F.mse_loss({a}, {b})
F.l1_loss({a}, {b}, reduction='none')
F.smooth_l1_loss({a}, {b})
F.huber_loss({a}, {b})
F.kl_div({a}, {b})
F.soft_margin_loss({a}, {b}.detach())
F.binary_cross_entropy(torch.sigmoid({a}), torch.sigmoid({b}))
F.binary_cross_entropy_with_logits({a}, {b})
F.hinge_embedding_loss({a}, torch.sign({b}))
F.margin_ranking_loss({a}, {b}, torch.sign({c}))
F.poisson_nll_loss({a}, {b})
F.cross_entropy({a}[0], i[:4])
F.cross_entropy({a}, {b})
F.triplet_margin_loss({a}, {b}, {c})
torch.sigmoid({a}) * {a}
""".strip().splitlines()
WRITES = [f"{{a}}.{name}_()" for name in UNARY if hasattr(Tensor, f"{name}_")]
WRITES += [
    f"{{a}}.{name}_({{b}})"
    for name in BINARY
    if hasattr(Tensor, f"{name}_") and name != "float_power"  # which gives float64
]
WRITES += [
    f"{{a}}.{name}_(2.0)" for name in "add mul div remainder fmod pow fill clamp_min".split()
]
WRITES += [
    f"F.{name}({{a}}, inplace=True)"
    for name in "relu relu6 elu selu celu silu mish hardtanh hardswish hardsigmoid rrelu".split()
]
WRITES += """
F.leaky_relu({a}, -0.5, inplace=True)
F.leaky_relu({a}, 0.1, inplace=True)
F.threshold({a}, 0.1, 2.0, inplace=True)
F.dropout({a}, 0.5, False, inplace=True)
{a}.addcmul_({b}, {c})
{a}.addcdiv_({b}, {c})
{a}.lerp_({b}, {c})
{a}.clamp_(-1.0, 1.0)
{a}.masked_fill_({b} > 0.5, 1.0)
{a}.logit_(0.1)
{a}.mul_({a})
{a}.add_({a})
{a}.mul_({b}).mul_({c})
""".strip().splitlines()
OPERATORS = [
    *[f"torch.{name}({{a}})" for name in UNARY],
    *[f"torch.{name}({{a}}, {{b}})" for name in BINARY],
    *[f"F.{name}({{a}})" for name in ACTIVATIONS],
    *[f"torch.{name}({{a}}, dim=-1)" for name in REDUCTIONS],
    *OTHERS,
    *WRITES,
]
MADE = {
    "a": ("x + 0.5", "torch.sigmoid(x)", "torch.matmul(x, x)"),
    "b": ("y + 0.5", "torch.sigmoid(y)", "torch.matmul(y, y)"),
    "c": ("z + 0.5", "torch.sigmoid(z)", "torch.matmul(z, z)"),
    "w": ("v + 0.5", "torch.sigmoid(v)", "v.roll(1)"),
}
"""What operands are the results of, in turn: of operators that save nothing, their result, or that
are in no kernel."""
CHANGES = (
    "{t}.mul_(3.0)",
    "{t}.relu_()",
    "{t}.select(0, 0).add_(1.0)",
    "{t}.view(-1).mul_(0.5)",
    "{t}.add_({t} * 2.0)",
)


def parts(operator: str, made: int, change: str) -> tuple[Callable[..., Any], list[str]]:
    """Return a program that changes each operand and the result of an operator, part by part.

    Its results are one for each part, and then what was changed, which has to be read: a change
    that nobody sees is left out. The list has what each part changes.
    """
    operands = sorted(set(re.findall(r"{(\w)}", operator)))
    targets = [*operands, "r"]
    lines = []
    for number, target in enumerate(targets):
        words = {name: f"{name}{number}" for name in "abcwr"}
        lines += [f"{words[name]} = {MADE[name][made]}" for name in operands]
        lines.append(f"{words['r']} = {operator.format(**words)}")
        lines.append(change.format(t=words[target]))
        lines.append(f"s{number} = {words['r']} * 2.0")
        lines.append(f"t{number} = {words[target]} + 1.0")
    results = [f"{name}{number}" for name in "st" for number in range(len(targets))]
    head = "x: Tensor, y: Tensor, z: Tensor, v: Tensor, i: Tensor, j: Tensor"
    body = "".join(f"    {line}\n" for line in lines)
    text = f"def program({head}):\n{body}    return {', '.join(results)}\n"
    return Program(text, []).function(), targets


def arguments(grads: str, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """Return the tensors x, y, z, v, of which those named in `grads` require gradients, i, j."""
    torch.manual_seed(0)
    shapes = ((2, 4, 4), (2, 4, 4), (2, 4, 4), (4,))
    found = [torch.rand(shape, dtype=dtype) * 0.8 + 0.1 for shape in shapes]
    given = [x.requires_grad_(name in grads) for name, x in zip("xyzv", found, strict=True)]
    return [*given, torch.tensor([0, 3, 1, 2, 1]), torch.randint(0, 4, (2, 4, 2))]


def outcomes(
    program: Callable[..., Any], count: int, grads: str, dtype: torch.dtype = torch.float32
) -> list[str]:
    """Return for each part what comes of its gradients: an error, or for which there are any."""
    given = arguments(grads, dtype)
    leaves = [x for x in given if x.requires_grad]
    return [_outcome(result, leaves) for result in program(*given)[:count]]


def _outcome(result: Tensor, leaves: list[Tensor]) -> str:
    if not result.requires_grad:
        return "no gradient is recorded"
    try:
        total = result.abs().sum()  # complex numbers have no gradients themselves
        found = torch.autograd.grad(total, leaves, allow_unused=True, retain_graph=True)
    except RuntimeError as error:
        return f"error: {str(error).split(':')[0]}"
    return str([each is not None for each in found])
