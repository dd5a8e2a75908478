"""The statements that programs are made of.

A statement is a template: one or more lines of Python with names to be filled in.

    $r = torch.where($t > $o, $t2, $o2)

`$r`, `$r2` are new names; `$t`, `$t2` tensors so far; `$w` a tensor so far that may be written to;
`$i` a tensor as int64; `$o` a tensor or a number; `$n` a number; the others are the keys of
`WORDS`. The same name stands for the same thing within a template. Templates are drawn with the
weights of their groups.

Left out is what means something else in TorchScript than in eager torch: `2 - x` is `-x + 2`,
`2 / x` is `x.reciprocal() * 2`, in `x[0] = 0.1` the number is rounded to float32 first (those that
are `$exact` are what they were), and `x[i]` is a view if `i` is a single element (`i[None]` is a
row).
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

WORDS: dict[str, list[str]] = {
    "unary": (
        "abs neg sign square relu exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin "
        "cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid erf erfc lgamma digamma "
        "floor ceil round trunc frac isnan isinf isfinite logical_not bitwise_not deg2rad rad2deg "
        "sinc i0 isneginf isposinf nan_to_num positive sgn angle real special.ndtr special.entr "
        "special.i1 special.i1e special.erfcx special.log_ndtr"
    ).split(),
    "binary": (
        "add sub mul div maximum minimum fmax fmin atan2 hypot remainder fmod pow floor_divide eq "
        "ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor "
        "logaddexp logaddexp2 xlogy rsub float_power ldexp heaviside gcd lcm isclose "
        "bitwise_left_shift bitwise_right_shift nextafter"
    ).split(),
    "activation": (
        "silu mish elu selu celu relu6 hardtanh hardswish hardsigmoid leaky_relu softplus "
        "softsign tanhshrink softshrink hardshrink logsigmoid"
    ).split(),
    "reduce": "sum mean amax amin logsumexp linalg.vector_norm nansum nanmean".split(),
    "degree": ["1.0", "2.0", "0.0", "3.0", "float('inf')"],
    "order": ["1", "2", "0", "3", "0.5", "float('inf')", "-float('inf')"],
    "spread": ["var", "std"],
    "scan": "cumsum cumsum cumprod logcumsumexp".split(),
    "fold": ["any", "all", "argmax", "argmin"],
    "loss": "mse_loss l1_loss smooth_l1_loss huber_loss kl_div soft_margin_loss".split(),
    "reduction": ["none", "mean", "sum"],
    "changed": "abs neg relu exp tanh sigmoid sqrt floor round square".split(),
    "updated": "add sub mul div clamp_min clamp_max copy masked_fill pow".split(),
    "compound": ["+", "-", "*", "/"],
    "dtype": [f"torch.{name}" for name in "float32 float64 float16 bfloat16 int64 bool".split()],
    "dim": ["-1", "-1", "-1", "0", "-2"],
    "dims": ["[-1]", "[-1]", "[-1]", "[0]", "[-2, -1]", "[0, 1]"],
    "keep": ["True", "True", "False"],
    "low": ["-1.5", "-0.5", "0"],
    "high": ["0.5", "1", "2.0"],
    "n": ["2", "0.5", "-1.5", "3", "1", "0.1", "-2", "1e-3", "0"],
    "exact": ["2", "0.5", "-1.5", "3", "1", "-2", "0"],
    "exponent": ["2", "3", "-1", "0.5", "-0.5", "1.5", "0", "-2", "2.0", "4"],
    "rounding": ["'floor'", "'trunc'"],
}

GROUPS: list[tuple[int, str]] = [
    (5, "$r = torch.$unary($t)"),
    (6, "$r = torch.$binary($t, $o)"),
    (2, """
$r = $t + $o
$r = $t * $o
$r = $t - $o * $n
$r = torch.add($t, $o, alpha=2)
$r = torch.div($t, $o, rounding_mode=$rounding)
"""),
    (2, """
$r = $t * s
$r = torch.signbit(torch.nan_to_num($t))
$r = torch.copysign($t, torch.nan_to_num($t2))
$r = torch.where($t > s, $t2, s)
$r = $t / s
"""),
    (2, """
$r = $t ** $exponent
$r = torch.pow($n, $t)
"""),
    (2, """
$r = F.$activation($t)
$r = F.$activation($t)
$r = F.gelu(torch.clamp($t, -30, 30))
$r = F.gelu(torch.clamp($t, -30, 30), approximate='tanh')
$r = F.leaky_relu($t, 0.2)
$r = F.elu($t, 1.5)
$r = F.softplus($t, 2.0, 10.0)
$r = F.threshold($t, 0.1, 20.0)
$r = F.dropout($t, 0.5, False)
$r = F.prelu($t, $t2)
$r = F.glu($t, $dim)
"""),
    (3, """
$r = torch.$reduce($t, dim=$dims, keepdim=$keep)
$r = torch.$reduce($t, dim=$dims, keepdim=$keep)
$r = torch.$spread($t, dim=$dims, keepdim=$keep)
$r = torch.$fold($t, dim=$dim, keepdim=$keep)
$r = torch.prod(torch.clamp($t, -1, 1), dim=$dim, keepdim=$keep)
$r = torch.sum($t)
$r = torch.mean($t)
$r = torch.any($t)
$r = torch.amax($t)
$r = torch.count_nonzero($t)
$r, $r2 = torch.max($t, dim=$dim, keepdim=$keep)
$r, $r2 = torch.min($t, dim=$dim, keepdim=$keep)
$r, $r2 = torch.aminmax($t, dim=$dim, keepdim=$keep)
$r, $r2 = torch.var_mean($t, dim=$dims, keepdim=$keep)
$r = torch.norm($t, $order, dim=$dims, keepdim=$keep)
$r = torch.dist($t, $t2, $order)
$r = torch.linalg.norm($t, dim=-1, keepdim=$keep)
$r = torch.linalg.vecdot($t, $t2)
$r = F.cosine_similarity($t, $t2, dim=-1)
$r = F.pairwise_distance($t, $t2, $degree, keepdim=$keep)
$r = torch.sum($t, dim=$dims, keepdim=$keep, dtype=torch.float32)
"""),
    (1, """
$r = torch.$scan($t, dim=$dim)
$r = torch.cumsum($t, dim=-1, dtype=torch.float32)
$r = torch.cumprod(torch.clamp($t, -2, 2), dim=-1)
$r, $r2 = torch.cummax($t, dim=$dim)
$r = torch.cummin($t, dim=-1)[0]
"""),
    (2, """
$r = torch.softmax($t, dim=$dim)
$r = torch.log_softmax($t, dim=$dim)
$r = torch.softmax($t, dim=-1, dtype=torch.float32)
$r = F.layer_norm($t, [$t.size(-1)])
$r = F.layer_norm($t, [$t.size(-1)], $t2, $t3, 1e-3)
$r = F.rms_norm($t, [$t.size(-1)], eps=1e-5)
$r = F.group_norm($t, 1)
$r = torch.group_norm(torch.cat([$t, $t2], 1), 2)
$r = torch.group_norm($t, 3)
$r = torch.batch_norm($t, None, None, None, None, True, 0.1, 1e-5, False)
$r = torch.batch_norm($t * 1.0, $t2, torch.abs($t3), None, None, False, 0.1, 1e-5, False)
$r = F.instance_norm($t)
"""),
    (2, """
$r = torch.where($t > $o, $t2, $o2)
$r = torch.where($t.to(torch.bool), $t2, $t3)
$r = $t.masked_fill($t2 > $o, $n)
$r = $t.masked_fill($t2 > $o, float('-inf'))
"""),
    (1, """
$r = torch.clamp($t, $low, $high)
$r = torch.clamp($t, min=$n)
$r = torch.clamp($t, max=$n)
$r = torch.clamp($t, $t2, $t3)
$r = torch.clamp_min($t, $n)
$r = F.hardtanh($t, -1.5, 0.5)
"""),
    (1, """
$r = torch.addcmul($t, $t2, $t3)
$r = torch.addcmul($t, $t2, $t3, value=0.5)
$r = torch.addcdiv($t, $t2, $t3)
$r = torch.lerp($t, $t2, $t3)
$r = torch.lerp($t, $t2, 0.25)
$r = torch.logit($t, 1e-2)
$r = torch.special.xlog1py($t, $t2)
$r = torch.special.i0e($t)
$r = torch.diff($t, dim=$dim)
$r = torch.diff($t, 2, dim=$dim)
$r = torch.mvlgamma(torch.abs($t) + 2, 3)
$r = torch.polygamma(1, $t)
$r = torch.polygamma(3, torch.abs($t) + 0.5)
$r = torch.special.zeta(torch.abs($t) + 1.5, torch.abs($t2) + 0.5)
$r, $r2 = torch.frexp($t)
$r = torch.round($t, decimals=2)
$r = torch.round($t, decimals=-1)
$r = torch.nan_to_num($t, 1.0, 2.0, -3.0)
$r = $t << 2
$r = $t | $t2
$r = ~$t
"""),
    (2, """
$r = $t.to($dtype)
$r = $t.to($dtype)
$r = $t.type_as($t2)
$r = torch.zeros_like($t)
$r = torch.full_like($t, $n)
$r = $t.clone()
$r = $t.contiguous()
$r = $t.detach()
"""),
    (3, """
$r = $t.unsqueeze($dim)
$r = $t.transpose(-1, -2)
$r = $t.squeeze($dim)
$r = $t.narrow(-1, 0, 1)
$r = $t.select(0, 0)
$r = $t[..., 1:]
$r = $t[0]
$r = $t[:, None]
$r = $t.permute(1, 0)
$r = $t.permute(2, 0, 1)
$r = $t.reshape(-1)
$r = $t.flatten(0, 1)
$r = $t.view($t.size(0), -1)
$r = $t.reshape(-1, $t.shape[-1])
$r = $t[..., $t.size(-1) // 2 :]
$r = $t.expand($t2.size(0), -1)
$r = $t.expand(2, -1)
$r = $t.expand_as($t2)
$r = $t.mT
$r = $t.movedim(0, -1)
$r = torch.split($t, 2, dim=$dim)[0]
$r, $r2 = torch.chunk($t, 2, dim=$dim)
$r, $r2 = $t.unbind(0)
$r, $r2, $r3 = torch.chunk($t, 3, dim=$dim)
$r, $r2 = torch.broadcast_tensors($t, $t2)
"""),
    (2, """
$r = torch.cat([$t, $t2], dim=$dim)
$r = torch.cat([-$t, $t2, $t], dim=$dim) * $o
$r = torch.stack([$t, $t2], dim=$dim) + $n
$r = torch.stack([$t, $t2], dim=-1).flatten(-2) - $o
$r = torch.stack([-$t[..., 1::2], $t[..., ::2]], -1).flatten(-2) * $o + $t
$r, $r2 = torch.chunk($t, 2, dim=$dim); $r3 = $t * $o + torch.cat((-$r2, $r), dim=$dim) * $o2
$r, $r2 = torch.chunk($t, 2, dim=$dim); $r3 = torch.cat([$r - $r2, $r2 + $r], dim=$dim)
$r = torch.cat([$t, torch.zeros_like($t)], dim=$dim) - $o; $r2, $r3 = torch.chunk($r, 2, dim=$dim)
"""),
    (2, """
$r = F.embedding($i, $t)
$r = F.embedding($i, $t) * $o
$r = $t.index_select($dim, $i.flatten())
$r = torch.gather($t, $dim, $t2.to(torch.int64))
$r = torch.gather($t, -1, torch.zeros_like($t).to(torch.int64))
$r = torch.take_along_dim($t, torch.argmax($t, dim=$dim, keepdim=True), dim=$dim)
$r = torch.take($t, $i)
$r = $t[$i[None]]
$r = $t[:, $i[None]] + $o
$r = $t[$i[None], $i[None]]
$r = $t[$i[None] % $t.size(0)]
$r = F.one_hot($i.abs(), 3)
$r = torch.flip($t, $dims)
$r = torch.flip($t, $dims) * $o
$r = torch.roll($t, 1, $dim)
$r = torch.roll($t, [-1, 2], [0, 1]) + $o
$r = torch.tril($t)
$r = torch.triu($t, 1) * $o
$r = torch.tril($t, -1).sum(-1)
$r = F.pad($t, [1, 1])
$r = F.pad($t, [0, 1, 2, 0], value=1.5)
$r = F.pad($t, [-1, 1]) + $n
$r = $t.repeat(2, 1)
$r = $t.repeat(2, 1, 1) * $o
$r = torch.tile($t, [2, 1])
"""),
    (1, """
$r = F.$loss($t, $t2, reduction='$reduction')
$r = F.$loss($t, $t2, reduction='$reduction')
$r = F.binary_cross_entropy(0.9 * torch.sigmoid($t), torch.sigmoid($t2) / 2, reduction='$reduction')
$r = F.binary_cross_entropy_with_logits($t, $t2, reduction='$reduction')
$r = F.hinge_embedding_loss($t, torch.sign($t2), reduction='$reduction')
"""),
    (1, """
$r = $t * $n; $r.add_($o)
$r = $t + $n; $r.${changed}_()
$r = $t - $n; $r $compound= $o
$r = $t.clone(); $r[..., :1].mul_($o)
$r = $t * 2; $r[0] = $exact
$w.${updated}_($o); $r = $w + $t
$w.${changed}_(); $r = $t * $w
"""),
    (1, """
$r = $t * 2 if o is None else $t + o
if o is not None: $r = $t - o; else: $r = $t
$r = $t if p is None else $t * p
if flag: $r = torch.$unary($t); else: $r = $t2 * $n
if flag: $r = $t + $o; $r = $r * $n; else: $r = $t
if not flag: $r = F.$activation($t); else: $r = $t2
if $t.dim() > 1: $r = $t + 1; else: $r = $t - 1
$r = $t; for i in range(3): $r = torch.tanh($r) + $o
$r = $t; for i in range(3): $r = $r * i + $t2
$r = $t; for i in range(3): $r = torch.$unary($r)
"""),
]  # fmt: skip

TEMPLATES = [
    (weight, [string.Template(line) for line in text.strip().splitlines()])
    for weight, text in GROUPS
]


class Nothing(Exception):
    """Raised where no tensor is of the kind that a template asks for."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Lines of a program, and the names that they make."""

    lines: list[str]
    made: list[str]


def statement(
    random: Random, names: list[str], writable: Callable[[], list[str]], new: int
) -> Statement:
    """A statement over some of the names, which torch may refuse. `new` numbers new names."""
    groups = random.choice([g for weight, g in TEMPLATES for _ in range(weight)])
    template: string.Template = random.choice(groups)
    words = _Words(random, names, writable, new)
    return Statement(_laid_out(template.substitute(words)), words.made)


class _Words(dict[str, str]):
    """The word for each name of a template, drawn when it is first asked for."""

    def __init__(
        self, random: Random, names: list[str], writable: Callable[[], list[str]], new: int
    ) -> None:
        self.random, self.names, self.writable, self.new = random, names, writable, new
        self.made: list[str] = []

    def __missing__(self, key: str) -> str:
        self[key] = word = self._word(key.rstrip("0123456789"))
        return word

    def _word(self, kind: str) -> str:
        match kind:
            case "r":
                self.made.append(f"v{self.new + len(self.made)}")
                return self.made[-1]
            case "t":
                recent = self.names[-3:]
                return self.random.choice(recent if self.random.random() < 0.5 else self.names)
            case "w":
                found = self.writable()
                if not found:
                    raise Nothing
                return self.random.choice(found)
            case "i":
                return f"{self._word('t')}.to(torch.int64)"
            case "o":
                return self._word("n" if self.random.randint(0, 2) == 0 else "t")
        return self.random.choice(WORDS[kind])


def _laid_out(text: str) -> list[str]:
    """`if c: a; b; else: d` and the like, each statement on its line."""
    lines: list[str] = []
    indent = ""
    for part in text.split("; "):
        head, colon, body = part.partition(": ")
        if not colon or not head.startswith(("if ", "else", "for ")):
            lines.append(indent + part)
            continue
        indent = "    "
        lines += [f"{head}:", indent + body]
    return lines
