"""`minits opt`, passes of users' files, and graphs as graphviz draws them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minits.cli.main import main
from minits.passes.pipeline import PASSES

IR = """# first
graph(%x : Tensor, %n : int):
  %two : int = prim::Constant[value=2]()
  %t : Tensor = aten::tanh(%x)
  %y : Tensor = aten::mul(%t, %two)
  return (%y)

# second
graph(%x : Tensor):
  %unused : Tensor = aten::relu(%x)
  %t : Tensor = aten::tanh(%x)
  return (%t)
"""
PASSES_OF_A_USER = '''
from minits.ir.graph import Graph
from minits.passes.user_passes import graph_pass


@graph_pass("no-tanh")
def drop_tanh(graph: Graph) -> bool:
    """Replace tanh by its operand."""
    found = list(graph.nodes_of_kind("aten::tanh"))
    for node in found:
        node.output.replace_all_uses_with(node.inputs[0])
        node.destroy()
    return bool(found)


@graph_pass("breaks")
def forget_an_input(graph: Graph) -> bool:
    next(iter(graph.nodes_of_kind("aten::tanh"))).inputs.pop()
    return True


@graph_pass("silent")
def return_nothing(graph: Graph) -> bool:
    pass


@graph_pass("raises")
def ask_for_nothing(graph: Graph) -> bool:
    return graph.nothing
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "two.ir").write_text(IR)
    (tmp_path / "mine.py").write_text(PASSES_OF_A_USER)
    (tmp_path / "plain.py").write_text("def keep_all(graph):\n    return False\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    return (status, *capsys.readouterr())


def test_passes_run_on_each_graph_of_a_file(folder: Path, capsys) -> None:
    assert run(capsys, "opt", "two.ir") == (0, IR.replace(", %n", ",\n      %n"), "")
    status, out, err = run(
        capsys, "opt", "two.ir", "--passes=dce", "--print-changed=diff", "--verify-each"
    )
    assert status == 0
    assert "aten::relu" not in out
    assert "+++ after dce (function: second)" in err
    assert "-  %unused : Tensor = aten::relu(%x)" in err
    assert "(function: first)" not in err


def test_a_fault_has_the_line_of_the_file(folder: Path, capsys) -> None:
    (folder / "two.ir").write_text(IR.replace("relu(%x)", "relu(%z)"))
    status, _, err = run(capsys, "opt", "two.ir")
    assert status == 1
    assert err.startswith("two.ir:10:")
    (folder / "two.ir").write_text("nothing\n")
    assert run(capsys, "opt", "two.ir")[2].startswith("two.ir:1:1: error: this is not the text of")


def test_a_graph_that_is_not_verified_is_a_fault(folder: Path, capsys) -> None:
    (folder / "two.ir").write_text(IR.replace("aten::relu(%x)", "aten::relu()"))
    status, _, err = run(capsys, "opt", "two.ir")
    assert status == 1
    assert err.startswith("two.ir:9:1: error: ") and "[TS906]" in err


def test_what_compile_prints_is_read(folder: Path, capsys) -> None:
    text = "def f(n: int) -> int:\n    while n > 5:\n        n = n - 2\n    return n\n"
    (folder / "f.py").write_text(text)
    assert main(["compile", "f.py", "-o", "f.ir"]) == 0
    assert run(capsys, "opt", "f.ir") == (0, (folder / "f.ir").read_text(), "")


def test_passes_of_a_users_file(folder: Path, capsys) -> None:
    before = dict(PASSES)
    status, out, _ = run(capsys, "opt", "two.ir", "--load-pass=mine.py", "--passes=no-tanh,dce")
    assert status == 0
    assert "tanh" not in out
    assert run(capsys, "opt", "two.ir", "--load-pass=plain.py", "--passes=keep-all")[0] == 0
    assert before == PASSES


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--load-pass=mine.py", "--passes=breaks"], "the pass 'breaks' broke the graph:\n"),
        (["--load-pass=mine.py", "--passes=silent"], "mine.py:22: the pass returned None"),
        (["--load-pass=mine.py", "--passes=raises"], "mine.py:29: the pass raised AttributeError"),
        (["--load-pass=mine.py"], "--load-pass is for passes that --passes names"),
        (["--load-pass=mine.py", "--passes=dce"], "names: no-tanh, breaks, silent, raises"),
        (["--load-pass=none.py", "--passes=dce"], "cannot read none.py"),
        (["--load-pass=two.ir", "--passes=dce"], "two.ir is not a Python file"),
        (["--load-pass=empty.py", "--passes=dce"], "empty.py has no pass"),
        (["--load-pass=fails.py", "--passes=dce"], "running fails.py failed: ZeroDivisionError"),
        (["--load-pass=taken.py", "--passes=dce"], "there is a pass 'dce' already"),
        (["--passes=fuse"], "is of the plan of a call: name it in minits compile"),
        (["--passes=dec"], "there is no pass 'dec'"),
        (["--print-ir-after=fuse"], "the pass 'fuse' was not run; these were: none"),
    ],
)
def test_misuse(folder: Path, capsys, options: list[str], told: str) -> None:
    (folder / "empty.py").write_text("def _hidden(graph):\n    return True\n")
    (folder / "fails.py").write_text("1 / 0\n")
    (folder / "taken.py").write_text("def dce(graph):\n    return True\n")
    status, out, err = run(capsys, "opt", "two.ir", *options)
    assert (status, out) == (2, "")
    assert told in err


# ---- Drawings ----------------------------------------------------------------------------------


PROGRAM = """
from typing import Optional
import torch
from torch import Tensor

def f(x: Tensor, y: Optional[Tensor], n: int) -> Tensor:
    z = torch.tanh(x) * 2
    if y is not None:
        z = z + y
    for i in range(n):
        z = torch.mm(z, x) + i
    return z
"""


def drawn(text: str) -> dict[str, str]:
    """Return the labels of a drawing's boxes, after a check that it is well formed."""
    assert text.count("{") == text.count("}")
    boxes = dict(re.findall(r'^ +(n\d+) \[label="((?:[^"\\]|\\.)*)"', text, re.MULTILINE))
    ends = re.findall(r"^ +(n\d+) -> (n\d+)", text, re.MULTILINE)
    assert ends and {name for pair in ends for name in pair} <= set(boxes)
    return boxes


def test_blocks_are_clusters(folder: Path, capsys) -> None:
    (folder / "f.py").write_text(PROGRAM)
    _, out, _ = run(capsys, "compile", "f.py:f", "--emit=dot")
    boxes = drawn(out.partition("\n")[2])
    assert "%3 = aten::tanh(%x.1)" in boxes.values() or "aten::tanh(%x.1)" in out
    labels = re.findall(r'label="(prim::\w+|block\d)"', out)
    assert labels == ["prim::If", "block0", "block1", "prim::Loop", "block0"]
    assert 'label="again"' in out


def test_fused_groups_are_coloured_boxes(folder: Path, capsys) -> None:
    (folder / "f.py").write_text(PROGRAM)
    call = ["--input", "torch.ones(2, 2)", "--input", "n=2", "--input", "y=torch.ones(2)"]
    _, out, _ = run(capsys, "compile", "f.py:f", "--emit=dot", *call)
    drawn(out.partition("\n")[2])
    group = out.partition('label="prim::FusionGroup"; style="filled,rounded"')[2].partition("}")[0]
    assert re.findall(r"aten::\w+", group)[:2] == ["aten::tanh", "aten::mul"]
    assert "prim::If" not in out


def test_texts_are_quoted(folder: Path, capsys) -> None:
    (folder / "q.py").write_text("def f(s: str) -> str:\n    return s + 'a\"b\\\\c\\nd'\n")
    _, out, _ = run(capsys, "compile", "q.py:f", "--emit=dot")
    assert any('a\\"b' in label for label in drawn(out.partition("\n")[2]).values())
