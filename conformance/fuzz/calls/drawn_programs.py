"""Random functions and modules, whose numbers stay small and whose operators have no jumps.

What is computed here is compared with a coarse tolerance: `fuzz --kernels` is there for the last
digits. A statement is kept if eager takes it on tensors of the program's own shape.

Numbers that are assigned to parts of a tensor are not negative: Python's `x[i] = n` refuses these
for uint8, torch.jit's casts them. No tensor with a gradient is made a number: Python alone warns.
"""

from __future__ import annotations

import re
import string
import warnings
from random import Random

import torch

from conformance.fuzz.calls.program import Program
from conformance.fuzz.calls.samples import FUNCTIONS, MODULES
from conformance.fuzz.calls.shrink import unused
from conformance.fuzz.calls.tensors import T

WORDS = {
    "unary": "sin cos tanh sigmoid relu abs neg erf atan square exp2".split(),
    "binary": "add sub mul maximum minimum".split(),
    "written": "elu leaky_relu relu silu hardtanh celu".split(),
    "activation": "silu gelu softplus elu leaky_relu hardtanh".split(),
    "dims": ["-1", "0", "[0, 1]", "-2"],
    "n": ["2", "0.5", "-1.5", "3"],
    "assigned": ["2", "0.5", "3"],
    "dtype": ["torch.float64", "torch.float32", "torch.bfloat16", "a.dtype"],
}
STATEMENTS = """
$r = torch.$unary($t)
$r = torch.$unary($t) * $n
$r = torch.$binary($t, $t2)
$r = torch.$binary($t, $t2) + $t
$r = $t * $n + $t2
$r = $t * s
$r = F.$activation($t)
$r = torch.where($t2 > 0.5, $t, $n)
$r = torch.where(a > 0, $t, $t2)
$r = $t / ($t2.abs() + 1)
$r = torch.softmax($t, dim=-1)
$r = F.layer_norm($t, [$t.size(-1)])
$r = $t.sum($dims, keepdim=True)
$r = $t.mean($dims, keepdim=True)
$r = $t.amax($dims, keepdim=True)
$r = $t.mean() + $t2
$r = $t.transpose(-1, -2).contiguous() + 1
$r = $t.transpose(-1, -2)
$r = $t.unsqueeze(0)
$r = $t[..., 1:]
$r = $t[..., :1]
$r = $t[0]
$r = $t.reshape(-1)
$r = $t.view($t.shape)
$r = $t.expand_as($t)
$r = $t.to($dtype)
$r = $t.type_as($t2)
$r = $t.contiguous()
$r = $t.clone()
$r = $t.detach()
$r = torch.cat([$t, $t2], -1)
$r = torch.cumsum($t, -1)
$r = torch.stack([$t, $t2]).sum(0)
$r = $t * $n; $r.add_($t2)
$r = $t + $n; $r.mul_($n)
$r = $t * 2; $r[..., :1] = $assigned
$r = torch.zeros_like($t) + $n
$r = $t + o if o is not None else $t * 2
$r = $t; for i in range(n): $r = torch.tanh($r) + i
$r = $t.detach().abs(); for i in range(n): $r[0, i % 3] = float($r[1, -1]) * $assigned
$r = $t.detach() * 2; $r2 = $t2.detach().abs(); for i in range(n): $r[i % 3] = float($r2[0, i])
$r = $t * 2; for i in range(n): $r[i % 3, 1] *= $r[0, 0] - $t2[1, i % 3]
$r = $t.sin(); if flag: $r = $r * $n
$r = $t.cos(); if o is None: $r = $r - $n
$r = $t + n
$r = F.group_norm($t, 1)
$r = torch.group_norm($t, 3)
$r = F.instance_norm($t.unsqueeze(0))
$r = F.normalize($t, dim=-1)
$r = torch.linalg.vector_norm($t * $t + 1, dim=-1, keepdim=True) * $t
$r = torch.logsumexp($t, -1)
$r = F.glu($t[..., :2])
$r = F.mse_loss($t, $t2.expand_as($t)) + $t
$r = torch.outer($t.reshape(-1), $t2.reshape(-1))
$r = $t.unflatten(-1, [3, -1]).sum(-1)
$r = $t.reshape(-1, 3) * $n
$r = ($t * $n).view(3, -1)
$r = $t.chunk(2, -1)[0] * $n
$r = $t.split(2, -1)[1] + 1
$r = $t.narrow(-1, 1, 2)
$r = $t.flatten() * 2
$r = torch.diff($t, dim=-1)
$r = torch.flip($t, [-1]) * $n
$r = torch.roll($t, 1, -1) * $n
$r = torch.tril($t) + 1
$r = F.pad($t, [1, 1])
$r = $t.repeat(2, 1)
$r = torch.stack([$t, $t2 * $n], -1)
$r = torch.cat([$t * $n, $t2], 0)
$r = $t + torch.$unary(torch.full([3], 0.5))
$r = $t * (torch.tensor(0.5) * $n)
$r = $t * torch.ones(3, 3).matmul(torch.full([3, 3], 0.1)).sum()
$r = torch.arange(3) * $n + $t
$r = torch.jit.wait(torch.jit.fork(gated, $t, $t2))
$r = torch.jit.wait(torch.jit.fork(scaled, $t, o, s))
$f = torch.jit.fork(gated, $t, $t2); $r2 = $t2.sin() * $n; $r = torch.jit.wait($f) + $r2
""".strip().splitlines()
WRITES = """
a.mul_(2)
b.add_(1)
a[..., :1] = 0.5
a.copy_(b.expand_as(a))
a.add_(b)
b.mul_(a)
a.select(0, 0).copy_(b[0])
a.transpose(-1, -2).mul_(0.5)
$t.add_($t2)
$t[..., 1:].mul_($n)
$t.transpose(-1, -2).add_(1)
$r = $t * $n; $r2 = torch.$unary($r); $r.add_($r2)
$r = $t + $n; $r2 = F.$activation($r); $r.mul_($n)
$r = $t + $n; $r2 = torch.$binary($r, $t2); $r[..., :1].mul_($n)
$r = torch.$unary($t); $r.mul_($n)
$r = torch.softmax($t, -1); $r.view(-1).mul_($n)
$r = F.$written($t * $n, inplace=True); $r.mul_($n)
$r = F.$written($t * $n, inplace=True)
$r = torch.jit.wait(torch.jit.fork(written, $t, $t2))
for i in range(n): a[i % 3, -1] = a[0, i % 3] * $assigned
for i in range(n): $t[0, i % 3].add_($t2[i % 2, 0])
a[..., 1:] *= $n; for i in range(n): a[i % 3] -= $t[0, i % 3] * 0.5
""".strip().splitlines()
"""Also of what shares its memory with others; some of it is refused by eager where it overlaps.
Some write to what an operator has saved for its gradient, which is an error of the gradient."""
FURTHER = {
    "state: Optional[Tuple[Tensor, Tensor]] = None": """
$r = $t + state[0] * state[1] if state is not None else $t * 2
$r = torch.$unary($t); if state is not None: $r = $r * state[1]
""",
    "xs: Optional[List[Tensor]] = None": """
$r = $t + xs[0] if xs is not None and len(xs) > 0 else $t * 2
$r = $t * len(xs) if xs is not None else torch.$unary($t)
""",
    "past: Optional[List[Tuple[Tensor, Tensor]]] = None": """
$r = $t + past[0][0] if past is not None and len(past) > 0 else $t * 2
$r = $t * past[-1][1] * $n if past is not None and len(past) > 1 else $t
""",
    "named: Optional[Dict[str, Tensor]] = None": """
$r = $t + named["a"] * $n if named is not None else $t * 2
$r = torch.$binary($t, named["b"]) if named is not None else torch.$unary($t)
""",
    "mode: str = 'sum'": """
$r = $t.sum($dims, keepdim=True) if mode == 'sum' else $t.mean($dims, keepdim=True)
$r = $t * $n; if mode != 'mean': $r = torch.$unary($r)
""",
    "k: Optional[int] = None": """
$r = $t + (2 if k is None else k)
$r = $t.cos(); if k is not None: $r = $r * k
""",
}
"""Further parameters, as the head has them, and statements with them: of these it is another matter
than of tensors and numbers whether a call is like the one before."""
REFUSALS = [
    "if check == {0}: raise ValueError('refused {0}')",
    "if check == {0}: raise RuntimeError('refused {0}')",
    "assert check != {0}, 'refused {0}'",
    "if check == {0}: {1} = {1}.view(-1, 97)",
    "if check == {0}: warnings.warn('odd {0}')",
]
HEAD = (
    "a: Tensor, b: Tensor, o: Optional[Tensor] = None, s: float = 0.5, n: int = 2, "
    "flag: bool = False, check: int = 0"
)


def program_text(random: Random) -> str:
    """Return the text of a program: one written by hand, or a random one."""
    match random.randrange(6):
        case 0 | 1:
            return random.choice(FUNCTIONS)
        case 2:
            return random.choice(MODULES)
        case 3:
            return _as_module(_function(random))
    return _function(random)


def _function(random: Random) -> str:
    """A function of two tensors and more, that runs on two tensors of shape (3, 3)."""
    names, lines, checks = ["a", "b"], list[str](), 0
    further = random.sample(list(FURTHER), random.choice((0, 0, 1, 2)))
    statements = [text for each in further for text in FURTHER[each].strip().splitlines()]
    head = ", ".join([HEAD, *further])
    for _ in range(random.choice((2, 3, 4, 6, 9))):
        kind = random.randrange(12)
        if kind == 0 and checks < 4:
            checks += 1
            new = _laid_out(random.choice(REFUSALS).format(checks, names[-1]))
        else:
            texts = WRITES if kind in (1, 2) else STATEMENTS
            if statements and kind in (3, 4, 5):
                texts = statements
            new = _statement(random, names, texts)
        made = [match[1] for line in new if (match := re.match(r" *(v\d+) = ", line))]
        found = list(dict.fromkeys([*names, *made]))
        if _runs(_text(head, [*lines, *new], found[-1:])):
            names, lines = found, [*lines, *new]
    text = _text(head, lines, names[-1:])
    refused = re.findall(r"(\w+)\.view\(-1, 97\)", text)  # what nobody needs may not even fail
    results = dict.fromkeys([*unused(text), *refused, *names[2:][-1:], *random.sample(names, 1)])
    return _text(head, lines, [name for name in results if name in names] or names[:1])


def _statement(random: Random, names: list[str], texts: list[str]) -> list[str]:
    tensors = [random.choice((names[-1], random.choice(names))), random.choice(names)]
    words = {key: random.choice(found) for key, found in WORDS.items()}
    words |= {"r": f"v{len(names) - 2}", "r2": f"v{len(names) - 1}"}
    words |= {"t": tensors[0], "t2": tensors[1], "f": f"f{len(names) - 2}"}
    return _laid_out(string.Template(random.choice(texts)).substitute(words))


def _laid_out(text: str) -> list[str]:
    """`v = 1; if c: v = 2`, each statement on a line of its own."""
    lines = []
    for part in text.split("; "):
        head, colon, body = part.partition(": ")
        is_block = colon and head.startswith(("if ", "for "))
        lines += [f"{head}:", f"    {body}"] if is_block else [part]
    return lines


def _text(head: str, lines: list[str], results: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    if len(results) == 1:
        return f"def program({head}) -> Tensor:\n{body}    return {results[0]}\n"
    types = ", ".join(["Tensor"] * len(results))
    return f"def program({head}) -> Tuple[{types}]:\n{body}    return {', '.join(results)}\n"


def _as_module(text: str) -> str:
    """The same as a module's `forward`; `b` is a parameter, `s` and `flag` are attributes."""
    head, *body = text.replace("program(", "forward(self, ").splitlines(keepends=True)
    head = head.replace("b: Tensor, ", "").replace("s: float = 0.5, ", "")
    head = head.replace("flag: bool = False, ", "")
    lines = ["    b, s, flag = self.weight, self.scale, self.turned\n", *body]
    made = "".join(f"    {line}" for line in [head, *lines])
    return (
        "class Program(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.weight = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))\n"
        "        self.scale = 2.0\n"
        "        self.turned = False\n\n"
        f"{made}"
    )


def _runs(text: str) -> bool:
    """Whether eager takes a program on two matrices and gives small numbers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = Program(text).make()(T((3, 3), seed=1).make(), T((3, 3), seed=2).make())
        return bool(torch.isfinite(result).all() and (result.abs() < 1e3).all())
    except (RuntimeError, IndexError, TypeError, ValueError):
        return False
