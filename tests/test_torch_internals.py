"""Private names of torch stand in `minits/torch_internals/` alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits import torch_internals as internals
from minits.gc_pause import gc_paused
from minits.torch_internals import operators, tensors

ROOT = Path(minits.__file__).parent
INTERNALS = sorted((ROOT / "torch_internals").glob("*.py"))
FILES = sorted(set(ROOT.rglob("*.py")) - set(INTERNALS))
OF_TENSORS = {"_cdata", "_version", "_is_zerotensor", "_raw_saved_tensors", "_current_level",
              "_schema", "_backward_hooks"}  # fmt: skip
"""Attributes of tensors, storages, operators and modules of torch that minits has used."""
PUBLIC = {"torch.utils._python_dispatch.TorchDispatchMode"}
"""Documented names in a private module."""


def is_private(name: str) -> bool:
    parts = name.split(".")
    return parts[0] == "torch" and any(
        part.startswith("_") and not part.startswith("__") for part in parts
    )


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` of an expression that is such a name, else ""."""
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return inner and f"{inner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def asked(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node of a tree asks torch for."""
    if isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.Attribute):
        is_tensors = node.attr in OF_TENSORS and dotted(node.value) != "self"
        yield f"torch.{node.attr}" if is_tensors else dotted(node)
    elif isinstance(node, ast.Call) and dotted(node.func) in ("getattr", "hasattr"):
        owner, name = node.args[0], node.args[1]
        if isinstance(name, ast.Constant):
            yield f"{'torch' if name.value in OF_TENSORS else dotted(owner)}.{name.value}"


def private_names(text: str) -> set[str]:
    found = {name for node in ast.walk(ast.parse(text)) for name in asked(node)}
    return set(filter(is_private, found)) - PUBLIC


def test_no_other_file_reaches_into_torch() -> None:
    with gc_paused():
        found = {str(path.relative_to(ROOT)): private_names(path.read_text()) for path in FILES}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "torch._C._get_tracing_state()",
        "from torch._jit_internal import is_ignored_fn",
        "from torch.cuda._utils import _check_cuda",
        "import torch._dynamo",
        "getattr(torch._C, 'x', None)",
        "getattr(torch.library, '_defs', ())",
        "x.untyped_storage()._cdata",
        "func._schema.name",
    ],
)
def test_it_would_be_seen(text: str) -> None:
    assert private_names(text)


def test_each_name_is_used() -> None:
    """A name that nothing needs any longer goes."""
    body = [node for path in INTERNALS for node in ast.parse(path.read_text()).body]
    made = {
        name.id for node in body if isinstance(node, (ast.Assign, ast.AnnAssign))
        for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }  # fmt: skip
    made |= {node.name for node in body if isinstance(node, ast.FunctionDef)}
    texts = "\n".join(path.read_text() for path in FILES)
    words = set(re.findall(r"\w+", texts))
    assert sorted(name for name in made - words if not name.startswith("_")) == []


def test_the_driver_of_either_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """torch 2.9 calls it otherwise than 2.11 does."""
    from torch.cuda import _utils

    library: Any = object()
    monkeypatch.setattr(_utils, "_get_cuda_library", lambda: library, raising=False)
    monkeypatch.delattr(_utils, "_get_gpu_runtime_library", raising=False)
    assert internals.cuda_driver() is library


def test_the_ways_around_give_what_is_needed() -> None:
    plain, negative = torch.randn(3), torch._neg_view(torch.randn(3))
    assert tensors._by_questions(plain) != tensors._by_questions(negative)
    assert operators._call(torch.add, (), (plain, plain), {"alpha": 2}).equal(plain * 3)


def test_storages_tell_views_from_copies() -> None:
    x: Tensor = torch.empty(4, 4, device="meta")
    assert internals.storage_of(x) == internals.storage_of(x[1:])
    assert internals.storage_of(x) != internals.storage_of(x.clone())
