"""The page about native code shows what is printed, and names what is native."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

import minits
from examples.elements import time_warping
from examples.native.shown import cells
from minits.ir.native_loops import outlined
from minits.native.awaits import AWAITS
from minits.native.complex_operators import COMPLEX_OPERATORS
from minits.native.dict_operators import DICT_OPERATORS
from minits.native.element_operators import OF_ELEMENTS
from minits.native.elements import Kind
from minits.native.generic_operators import GENERIC_OPERATORS
from minits.native.hot import WORTH_BUILDING
from minits.native.list_operators import LIST_OPERATORS
from minits.native.number_operators import NUMBER_OPERATORS
from minits.native.printer import FunctionPrinter
from minits.native.questions import ASKED
from minits.native.scalar_operators import SCALAR_OPERATORS
from minits.native.tensor_operators import TENSOR_OPERATORS
from minits.native.text_operators import IDENTITY_OPERATORS, TEXT_OPERATORS
from minits.types import types as t
from tests.support.native_loops import compiled
from tests.support.needs import need_compiler
from tests.support.pages import blocks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")
SHOWN = [block.text for block in blocks("docs/native.md") if block.test]


def test_it_names_all_native_operators() -> None:
    table = PAGE.partition("## Native operators")[2]
    table = table.partition("| operators |")[2].partition("\n\n")[0]
    named = re.findall(r"`((?:aten|prim)::\w+)`", table)
    assert len(named) == len(set(named))
    tables = SCALAR_OPERATORS | COMPLEX_OPERATORS | LIST_OPERATORS | TEXT_OPERATORS | DICT_OPERATORS
    tables |= TENSOR_OPERATORS | NUMBER_OPERATORS
    rows = {key.partition(".")[0] for key in (*tables, *IDENTITY_OPERATORS, *GENERIC_OPERATORS)}
    made = {"prim::ListConstruct", "prim::ListUnpack", "prim::DictConstruct"}
    made |= {"prim::TupleConstruct", "prim::TupleUnpack", "prim::TupleIndex"}
    made |= {"prim::CreateObject", "prim::GetAttr", "prim::SetAttr"}
    printed = made | {"aten::str", "aten::format", "prim::EnumName", "prim::EnumValue"}
    printed |= {"aten::percentFormat", "aten::partition", "aten::rpartition", "prim::Print"}
    printed |= {"aten::_unwrap_optional", "prim::isinstance"}
    printed |= {"prim::fork", "aten::wait", "prim::index", *AWAITS}
    printed |= {"aten::warn", "prim::Enter", "prim::Exit", *ASKED}
    printed |= {"prim::isinstance"}
    assert set(named) == rows | printed | OF_ELEMENTS | {"aten::arange"}


def test_its_elements_are_what_is_printed() -> None:
    graph = minits.script(time_warping).graph_after(["optimize"])
    (loop, *_) = graph.nodes_of_kind("prim::Loop")
    part, outer = outlined(loop)
    ranks = {"a": 1, "b": 1, "cost": 2}
    kinds = [
        Kind(torch.float32, ranks[value.name.partition(".")[0]]) if value.type == t.TENSOR else None
        for value in outer
    ]
    (shown,) = [text for text in SHOWN if "elements.py" in text]
    assert shown in FunctionPrinter(part, "time_warping", kinds, is_part=True).text()


def test_its_group_is_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    need_compiler()
    values = (torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 4), torch.ones(16, 7), 2)
    plan = compiled(cells, "now", monkeypatch).plan_for(*values)
    (shown,) = [text for text in SHOWN if "mts_run_group" in text]
    assert shown in plan.native.native.text


def test_it_tells_how_long_python_runs() -> None:
    assert f"run for {WORTH_BUILDING} s in Python" in PAGE
