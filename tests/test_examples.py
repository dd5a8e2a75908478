"""The examples compile and run with torch.jit's compiler out of reach."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import minits

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
ENTRY_POINTS = [
    (torch.jit, ("script", "trace", "trace_module", "load", "save", "freeze")),
    (torch._C, ("_jit_script_compile", "_jit_script_class_compile", "_create_function_from_trace")),
    (torch._C, ("_create_function_from_graph", "parse_ir", "_jit_script_interface_compile")),
    (torch._C, tuple(name for name in dir(torch._C) if name.startswith("_jit_pass_"))),
    (torch.jit._recursive, ("create_script_module", "try_compile_fn", "make_stub")),
    (torch.jit.frontend, ("get_jit_def", "get_jit_class_def")),
]


@pytest.fixture(autouse=True)
def no_torch_jit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace every entry point of torch.jit's compiler by a function that raises."""

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("torch.jit's compiler was called")

    for owner, names in ENTRY_POINTS:
        for name in names:
            monkeypatch.setattr(owner, name, refuse)


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def programs(path: Path) -> Iterator[tuple[str, Any]]:
    module = load(path)
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if isinstance(value, nn.Module) or (own and type(value).__name__ == "function"):
            yield name, value


def test_the_entry_points_are_out_of_reach() -> None:
    with pytest.raises(AssertionError, match=r"torch\.jit's compiler was called"):
        torch.jit.script(nn.ReLU())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_program_of_an_example_compiles(path: Path) -> None:
    found = dict(programs(path))
    assert found
    for program in found.values():
        assert minits.script(program).graph is not None


def test_masks_are_one_kernel() -> None:
    masks = load(next(path for path in EXAMPLES if path.stem == "masked_softmax"))
    scores, mask = torch.randn(2, 3, 3), torch.randn(2, 3, 3)
    cast = masks.CastMask(64, 8, True)
    for module, dialect in [
        (masks.untyped, "torch"),
        (masks.optional, "torch"),
        (masks.asserted, "torch"),
        (masks.empty, "torch"),
        (cast, "extended"),
    ]:
        compiled = minits.script(module, dialect=dialect)
        graph = compiled.graph_for(scores, mask)
        beside = ("prim::Constant", "prim::GetAttr")
        kinds = [node.kind for node in graph.nodes if node.kind not in beside]
        assert kinds == ["prim::FusionGroup"]
        torch.testing.assert_close(compiled(scores, mask), module(scores, mask))


def test_masks_that_are_refused_say_how_to_mend_them() -> None:
    masks = load(next(path for path in EXAMPLES if path.stem == "masked_softmax"))
    with pytest.raises(minits.CompileError, match="is not None"):
        minits.script(masks.FlaggedMask(64, 8, True))
    with pytest.raises(minits.CompileError, match="extended"):
        minits.script(masks.CastMask(64, 8, True))


def test_a_checked_cast_raises_for_none() -> None:
    masks = load(next(path for path in EXAMPLES if path.stem == "masked_softmax"))
    compiled = minits.script(masks.CastMask(64, 8, True), dialect="extended")
    with pytest.raises(RuntimeError, match="null optional"):
        compiled(torch.randn(2, 2))
