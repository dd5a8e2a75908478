"""The error of a parameter that is a Tensor for lack of an annotation names and writes it."""

from pathlib import Path

import pytest
import torch

import minits
from minits.runtime.argument_faults import ArgumentError
from tests.support.mistakes import faults_of, mended_by_edits

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import Tensor, nn\n\n\n"

USES = {
    "range": ("def f(x, n):\n    for _ in range(n):\n        x = x + 1\n    return x\n", "n: int"),
    "computed_count": (
        "def f(x, n):\n    m = n + 1\n    for i in range(m):\n        x = x + i\n    return x\n",
        "n: int",
    ),
    "equal_to_text": ("def f(x, how):\n    return x if how == 'a' else -x\n", "how: str"),
    "in_text": ("def f(x, how):\n    return how in ['a', 'b']\n", "how: str"),
    "method_of_text": ("def f(x, k):\n    return k.startswith('a')\n", "k: str"),
    "text_added": ("def f(x, k):\n    return 'a' + k\n", "k: str"),
    "append": ("def f(x, ys):\n    ys.append(1)\n    return ys\n", "ys: list[int]"),
    "texts": ("def f(x, ys):\n    return [y.upper() for y in ys]\n", "ys: list[str]"),
    "tensors": ("def f(xs):\n    return torch.cat(xs)\n", "xs: list[Tensor]"),
    "unpacked": ("def f(x, s):\n    h, c = s\n    return h + c\n", "s: tuple[Tensor, Tensor]"),
    "key": ("def f(d):\n    return d['a'] + 1\n", "d: dict[str, Tensor]"),
    "items": (
        "def f(x, d):\n    for k, v in d.items():\n        x = x + v\n    return x\n",
        "d: dict[str, Tensor]",
    ),
    "dim": ("def f(x, dim):\n    return x.sum(dim)\n", "dim: int"),
    "bool": ("def f(x, on):\n    return F.dropout(x, 0.5, on)\n", "on: bool"),
    "default": ("def f(x, n=3):\n    return x + n\n", "n: int = 3"),
    "caller_gives_int": (
        "def g(x, k):\n    return x.topk(k)[1]\n\n\ndef f(x: Tensor):\n    return g(x, 3)\n",
        "k: int",
    ),
    "caller_gives_list": (
        "def g(x, k):\n    return x * len(k)\n\n\ndef f(x: Tensor):\n    return g(x, [True])\n",
        "k: list[bool]",
    ),
    "caller_gives_keyword": (
        "def g(x, k):\n    return x\n\n\ndef f(x: Tensor):\n    return g(x, k='a')\n",
        "k: str",
    ),
    "caller_gives_none": (
        "def g(x, k):\n    return x\n\n\ndef f(x: Tensor):\n    return g(x, None)\n",
        "k: Tensor | None",
    ),
    "method": (
        "class M(nn.Module):\n    def g(self, x, k):\n        return x * k\n\n"
        "    def forward(self, x):\n        return self.g(x, 2.5)\n",
        "k: float",
    ),
}


@pytest.mark.parametrize("name", USES)
def test_the_annotation_is_named_and_written(name: str, tmp_path: Path) -> None:
    text, annotation = USES[name]
    path = tmp_path / f"unannotated_{name}.py"
    fault, *_ = faults_of(HEAD + text, path)
    parameter = annotation.partition(":")[0]
    wanted = annotation.partition(" =")[0]
    assert fault.fix == f"`{parameter}` has no annotation, so it is a Tensor; annotate `{wanted}`"
    done = mended_by_edits(HEAD + text, path, unsafe=False)
    assert annotation in done.text and done.left == ()


def test_a_call_from_python_names_the_annotation() -> None:
    compiled = minits.script(_scaled)
    with pytest.raises(ArgumentError, match="Annotate it: `k: List\\[int\\]`"):
        compiled(torch.ones(2), [1, 2])


def _scaled(x, k):  # type: ignore[no-untyped-def]
    return x * k
