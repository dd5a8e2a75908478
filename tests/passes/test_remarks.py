"""Each operator is told of: which kernel it is in, or why it is in none, and what would help."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.copying import clone_graph
from minits.passes.remarks import FIXES, Remark, fix_for, to_yaml
from minits.passes.remove_mutation import remove_mutation
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.records import replace
from minits.types.tensor_meta import TensorMeta
from tests.support.fusing import fuse, optimize


def remarks_of(program: Any, *arguments: Any, device: str | None = None) -> list[Remark]:
    """The remarks about a program. `device` is where its last argument is taken to be."""
    graph = clone_graph(minits.script(program).graph)
    optimize(graph)
    metas = infer_metadata(graph, arguments)
    if device is not None:
        last = graph.inputs[-1]
        metas[last] = replace(metas[last], device=torch.device(device))
    remarks: list[Remark] = []
    remove_mutation(graph, metas, remarks)
    fuse(graph, metas, remarks)
    return remarks


def about(remarks: list[Remark]) -> list[tuple[str, str, str | None]]:
    """Operators with their kernel or the reason that they are in none, and what blocks."""
    return [
        (
            each.operator.removeprefix("aten::"),
            str(each.kernel) if each.kind == "passed" else each.code,
            each.blocked_by,
        )
        for each in remarks
        if each.kind != "analysis"
    ]


def rand(*shape: int) -> Tensor:
    return torch.rand(shape)


X = rand(3, 3)
NUMBERED = re.compile(r"%[\w.]+")

# ---- A program for each reason -----------------------------------------------------------------


def fused(x: Tensor, y: Tensor):
    return (x * y + 1) * 2


def blocked(x: Tensor, y: Tensor):
    return torch.mm(x * 2, y) * 3


def branch(x: Tensor, n: int):
    if n > 2:
        y = x * 2
    else:
        y = x
    return y + 1


def loop(x: Tensor, n: int):
    y = x * 2
    for _ in range(n):
        y = torch.mm(y, x)
    return y + x - y


def across_a_region(x: Tensor, y: Tensor):
    a = x * 2
    with torch.no_grad():
        b = a + 1
    return b - y


def across_a_call_with_effects(x: Tensor, y: Tensor):
    a = x * 2
    print(a)
    b = torch.rand(3, 3)
    return b + a


def written_between(x: Tensor, y: Tensor):
    a = x * 2
    x.add_(y)
    return a + x


def complex_numbers(x: Tensor):
    return x * 2 + 1


def two_tensors(x: Tensor, y: Tensor):
    return x * y + 1


def unknown(x: Tensor, dtype: int):
    a = x.to(dtype) * 2
    return a + 1


def random(x: Tensor, training: bool):
    return torch.dropout(x * 2, 0.5, training) * 2


def number_of_a_dimension(x: Tensor, n: int):
    return (x * 2).sum(n)


def first_dimension(x: Tensor, y: Tensor):
    return (x * 2 + y).sum(0)


def flat(x: Tensor, row: Tensor):
    return (x + row).view(-1) * 2


def views_in_between(x: Tensor, n: int):
    a = x.view(n, -1)
    return torch.mm(a, x) * 2 + (x * 2).view(n, -1)


def two_shapes(x: Tensor, row: Tensor):
    a = row * 2
    return a, x + a


def alone(x: Tensor, y: Tensor):
    return x + y


REASONS: list[tuple[Any, tuple[Any, ...], list[tuple[str, str, str | None]]]] = [
    (fused, (X, X), [("mul", "0", None), ("add", "0", None), ("mul", "0", None)]),
    (
        blocked,
        (X, X),
        [
            ("mul", "cut-off-by(aten::mm)", "aten::mm"),
            ("mm", "not-elementwise", None),
            ("mul", "cut-off-by(aten::mm)", "aten::mm"),
        ],
    ),
    (
        branch,
        (X, 3),
        [("mul", "control-flow", "prim::If"), ("add", "control-flow", "prim::If")],
    ),
    (
        loop,
        (X, 3),
        [
            ("mul", "control-flow", "prim::Loop"),
            ("mm", "not-elementwise", None),
            ("add", "0", None),
            ("sub", "0", None),
        ],
    ),
    (
        across_a_region,
        (X, X),
        [
            ("mul", "side-effect-between", "prim::Enter"),
            ("add", "side-effect-between", "prim::Enter"),
            ("sub", "side-effect-between", "prim::Exit"),
        ],
    ),
    (
        across_a_call_with_effects,
        (X, X),
        [
            ("mul", "side-effect-between", "aten::rand"),
            ("rand", "not-elementwise", None),
            ("add", "side-effect-between", "aten::rand"),
        ],
    ),
    (
        written_between,
        (X, X),
        [
            ("add_", "aliased-mutation", None),
            ("mul", "aliased-mutation", "aten::add_"),
            ("add", "aliased-mutation", "aten::add_"),
        ],
    ),
    (complex_numbers, (X.to(torch.complex64),), [("mul", "dtype", None), ("add", "dtype", None)]),
    (
        unknown,
        (X, 6),
        [
            ("to", "not-constant", None),
            ("mul", "unknown-type", "aten::to"),
            ("add", "unknown-type", "aten::to"),
        ],
    ),
    (alone, (X, X), [("add", "too-small", None)]),
    (
        random,
        (X, True),
        [
            ("mul", "cut-off-by(aten::dropout)", "aten::dropout"),
            ("dropout", "random", None),
            ("mul", "cut-off-by(aten::dropout)", "aten::dropout"),
        ],
    ),
    (
        number_of_a_dimension,
        (X, 1),
        [("mul", "cut-off-by(aten::sum)", "aten::sum"), ("sum", "not-constant", None)],
    ),
    (
        first_dimension,
        (X, X),
        [("mul", "0", None), ("add", "0", None), ("sum", "reduction", None)],
    ),
    (flat, (X, X[0]), [("add", "view", "aten::mul"), ("mul", "view", "aten::add")]),
    (
        views_in_between,
        (X, 3),
        [
            ("mm", "not-elementwise", None),
            ("mul", "0", None),
            ("mul", "cut-off-by(aten::view)", "aten::view"),
            ("view", "not-constant", None),
            ("add", "0", None),
        ],
    ),
    (two_shapes, (X, X[0]), [("mul", "shape", "aten::add"), ("add", "shape", "aten::mul")]),
]


@pytest.mark.parametrize(("program", "arguments", "expected"), REASONS)
def test_reasons(program: Any, arguments: Any, expected: list[Any]) -> None:
    remarks = remarks_of(program, *arguments)
    assert about(remarks) == expected
    for remark in remarks:
        assert remark.range is not None
        if remark.kind == "missed":
            assert remark.fix == fix_for(remark.code, remark.blocked_by or remark.operator)
            assert remark.fix
            assert remark.kernel is None
        else:
            assert remark.kernel is not None or remark.code == "mutation-removed"


def test_devices() -> None:
    (product, _) = remarks_of(two_tensors, X, X, device="meta")
    assert (product.code, product.operator) == ("multi-device", "aten::mul")
    (product, _) = remarks_of(complex_numbers, X, device="meta")
    assert (product.code, product.operator) == ("device", "aten::mul")
    assert product.fix == "move the tensors to the CPU or to a CUDA device"


def test_kernels_that_are_apart() -> None:
    def program(x: Tensor, y: Tensor):
        a = x * 2 + 1
        return torch.mm(a, y) * a - x

    remarks = remarks_of(program, X, X)
    (apart,) = [remark for remark in remarks if remark.kind == "analysis"]
    assert apart.code == "cut-off-by(aten::mm)"
    assert apart.blocked_by == "aten::mm"
    assert apart.kernel == 1
    assert [remark.kernel for remark in remarks if remark.kind == "passed"] == [0, 0, 1, 1]


def test_each_reason_has_a_fix() -> None:
    for code in FIXES:
        text = fix_for(code, "aten::mm")
        assert text
        assert "{" not in text
    assert fix_for("cut-off-by(aten::mm)", "aten::mm") == (
        "apply it on the other side of aten::mm, if that means the same: alone it gains nothing"
    )
    assert fix_for("fused", "aten::mm") is None


# ---- How remarks are written -------------------------------------------------------------------


def test_as_text() -> None:
    first, second, _ = remarks_of(blocked, X, X)
    place = first.range.begin.line if first.range else 0
    assert [first.render(), second.render()] == [
        f"{__file__}:{place}:21: missed: aten::mul could be in a kernel, but aten::mm, which reads"
        " its result, is in none [cut-off-by(aten::mm)]\n"
        "        return torch.mm(x * 2, y) * 3\n"
        "                        ^^^^^\n"
        "help: apply it on the other side of aten::mm, if that means the same: alone it gains"
        " nothing",
        f"{__file__}:{place}:12: missed: aten::mm is not computed by kernels [not-elementwise]\n"
        "        return torch.mm(x * 2, y) * 3\n"
        "               ^^^^^^^^\n"
        "help: no change: aten::mm runs by itself; put what is to be fused on one side of it",
    ]


def test_as_yaml() -> None:
    passed, *_ = remarks_of(fused, X, X)
    missed, *_ = remarks_of(blocked, X, X)
    line = passed.range.begin.line if passed.range else 0
    other = missed.range.begin.line if missed.range else 0
    assert to_yaml([passed, missed]) == (
        "--- !Passed\n"
        "Pass: fuse\n"
        'Name: "fused"\n'
        f'DebugLoc: {{ File: "{__file__}", Line: {line}, Column: 13 }}\n'
        'Function: "aten::mul"\n'
        "Args:\n"
        '  - String: "aten::mul is in kernel 0"\n'
        "  - Kernel: 0\n"
        "...\n"
        "--- !Missed\n"
        "Pass: fuse\n"
        'Name: "cut-off-by(aten::mm)"\n'
        f'DebugLoc: {{ File: "{__file__}", Line: {other}, Column: 21 }}\n'
        'Function: "aten::mul"\n'
        "Args:\n"
        '  - String: "aten::mul could be in a kernel, but aten::mm, which reads its result, is in'
        ' none"\n'
        '  - BlockedBy: "aten::mm"\n'
        '  - Fix: "apply it on the other side of aten::mm, if that means the same: alone it gains'
        ' nothing"\n'
        "...\n"
    )


def test_yaml_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    strange = Remark("analysis", "code: 'x'", 'a "quoted" #text: {é}\n', "prim::If", None, 3)

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined]
        pass

    Loader.add_multi_constructor(
        "!", lambda loader, tag, node: (tag, loader.construct_mapping(node, deep=True))
    )
    documents = list(yaml.load_all(to_yaml([strange, *remarks_of(fused, X, X)]), Loader))
    assert [tag for tag, _ in documents] == ["Analysis", "Passed", "Passed", "Passed"]
    assert documents[0][1] == {
        "Pass": "fuse",
        "Name": strange.code,
        "Function": "prim::If",
        "Args": [{"String": strange.message}, {"Kernel": 3}],
    }


def test_metadata_of_new_values_is_known() -> None:
    graph = clone_graph(minits.script(blocked_twice).graph)
    optimize(graph)
    metas: dict[Any, TensorMeta] = infer_metadata(graph, (X, X))
    fuse(graph, metas, [])
    for node in graph.nodes:
        if node.kind == "prim::FusionGroup":
            assert all(metas[value].shape == (3, 3) for value in node.outputs)


def blocked_twice(x: Tensor, y: Tensor):
    return torch.mm(x * 2 + 1, y) * 3 - y


def test_a_remark_is_one_line_as_text() -> None:
    remark = next(
        each for each in remarks_of(blocked, rand(2, 2), rand(2, 2)) if each.kind == "missed"
    )
    assert str(remark) == remark.render().splitlines()[0]
    assert re.fullmatch(r"\S+test_remarks\.py:\d+:\d+: missed: .+ \[[^]]+\]", str(remark))
