"""Every operator of torch with `out=`, or in place, in loops: Python, plans and C agree with eager.

The programs are made from torch's schemas. Arguments follow from their types, once with those that
have defaults and once without; calls that eager refuses are left out.
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import minits

SQUARE = torch.tensor([[0.5, 0.25, 0.75], [0.125, 0.5, 0.25], [0.25, 0.75, 0.625]])
GIVEN = {
    "Tensor": "x", "int": "1", "SymInt": "1", "float": "0.5", "bool": "False", "Scalar": "2",
    "number": "2", "List[int]": "[1, 1]", "List[Tensor]": "[x, x]", "List[number]": "[1, 2]",
    "List[float]": "[0.5, 0.5]", "List[SymInt]": "[1, 1]",
}  # fmt: skip
A_PROGRAM = 12
"""Calls of a program."""
MAKERS = (
    "torch.arange(i + 1, out=b)", "torch.arange(1, i + 3, out=b)", "torch.arange(0.5, 3, out=b)",
    "torch.arange(0, i + 3, 2, out=b)", "torch.zeros(i + 1, out=b)", "torch.ones([2, i], out=b)",
    "torch.full([i + 1], 2.0, out=b)", "torch.eye(i + 1, out=b)", "torch.eye(2, i, out=b)",
    "torch.linspace(0, 1, i + 2, out=b)", "torch.logspace(0, 1, i + 2, out=b)",
    "torch.rand([i + 1], out=b)", "torch.range(0, i + 2, out=b)", "torch.range(0, 5, 2, out=b)",
    "torch.empty([0, i], out=b)", "torch.randperm(i + 1, out=b)",
)  # fmt: skip
OTHERS = frozenset(
    "resize_ resize_as_ set_ squeeze_ unsqueeze_ retains_grad_ requires_grad_ detach_ rename_ "
    "rename empty_like normal _resize_output_ empty empty_permuted empty_strided to "
    "resize_as_sparse_ sparse_resize_ sparse_resize_and_clear_ lift new_empty new_empty_strided "
    "swapaxes_ swapdims_ transpose_ t_ as_strided_ index_put_ log_softmax_backward_data".split()
)
"""Operators that leave elements open, change what a tensor is, or are not for programs."""


def calls() -> Iterator[str]:
    """Yield the text of a call of each overload that writes to an argument."""
    seen: set[str] = set()
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, name = schema.name.partition("::")
        if namespace != "aten" or name.startswith("_") or name in OTHERS:
            continue
        writes = [a.is_out for a in schema.arguments]
        is_method = name.endswith("_") and hasattr(torch.Tensor, name)
        if writes.count(True) != 1 and not is_method:
            continue
        for with_defaults in (True, False):
            text = _call(schema, name, is_method, with_defaults)
            if text is not None and text not in seen:
                seen.add(text)
                yield text


def _call(schema: Any, name: str, is_method: bool, with_defaults: bool) -> str | None:
    """Return the text of a call, or None where an argument has no value here."""
    texts = []
    for argument in schema.arguments[1 if is_method else 0 :]:
        kind = str(argument.type).removesuffix("?")
        kind = kind if not kind.startswith("Optional[") else kind[len("Optional[") : -1]
        if argument.is_out:
            texts.append(f"{argument.name}=b")
        elif argument.has_default_value() and not with_defaults:
            continue
        elif argument.name in ("dtype", "layout", "device", "pin_memory", "generator",
                               "memory_format"):  # fmt: skip
            continue
        elif kind == "str":
            return None
        else:
            value = "0" if argument.name in ("dim", "dim0", "dim1") and kind == "int" else None
            value = value or GIVEN.get(kind)
            if value is None:
                return None
            texts.append(f"{argument.name}={value}" if argument.kwarg_only else value)
    return f"b.{name}({', '.join(texts)})" if is_method else f"torch.{name}({', '.join(texts)})"


def function(name: str, lines: list[str]) -> Any:
    """Return a function that makes these calls in a loop, each with a tensor `b` of its own."""
    body = "".join(
        f"        b = {'x.clone()' if line.startswith('b.') else 'torch.empty([0])'}\n"
        f"        {line}\n        found.append(b)\n"
        for line in lines
    )
    text = (
        "def f(x: torch.Tensor, n: int) -> List[torch.Tensor]:\n"
        "    found: List[torch.Tensor] = []\n"
        f"    for i in range(n):\n{body}    return found\n"
    )
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names: dict[str, Any] = {"torch": torch, "List": list, "__name__": __name__}
    exec(compile(text, filename, "exec"), names)
    return names["f"]


def results(program: Any) -> list[torch.Tensor]:
    torch.manual_seed(0)
    return program(SQUARE.clone(), 3)


def same(found: list[torch.Tensor], expected: list[torch.Tensor]) -> None:
    for each, wanted in zip(found, expected, strict=True):
        torch.testing.assert_close(each, wanted, equal_nan=True, rtol=1e-5, atol=1e-6)


@functools.cache
def accepted() -> list[str]:
    """Return the calls that eager and the language take."""
    found = []
    for index, line in enumerate(calls()):
        try:
            program = function(f"one {index}", [line])
            results(program)
            minits.script(program)
        except Exception:  # whatever torch raises
            continue
        found.append(line)
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_there_are_hundreds_of_calls() -> None:
    found = accepted()
    assert len(found) > 400
    assert sum("out=b" in line for line in found) > 200


@pytest.mark.one_in(8)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("part", range(8))
def test_operators_that_write(part: int) -> None:
    lines = accepted()[part::8]
    for start in range(0, len(lines), A_PROGRAM):
        some = lines[start : start + A_PROGRAM]
        program = function(f"part {part}, {start}", some)
        expected, compiled = results(program), minits.script(program)
        for _ in range(3):
            same(results(compiled), expected)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("line", MAKERS)
def test_makers_of_tensors(line: str) -> None:
    program = function(line, [line])
    expected, compiled = results(program), minits.script(program)
    for _ in range(3):
        same(results(compiled), expected)
