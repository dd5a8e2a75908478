"""What notebooks show: HTML of graphs, functions, plans, kernels and errors, and `%%minits`."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
import minits.ir.printer
from minits.kernels.lowering import lower
from minits.notebook import fragments

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def scaled(x: Tensor, y: Tensor, more: bool = True):
    if more:
        x = x * y + 1
    return torch.tanh(x)


class Balanced(HTMLParser):
    """Checks that elements end in the order in which they begin, and collects the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data if self.open[-1] != "style" else ""


def test_a_graph_is_its_text_with_the_lines_of_the_source() -> None:
    graph = minits.script(scaled).graph
    html = graph._repr_html_()
    page = Balanced(html)
    for line in minits.ir.printer.print_graph(graph, ranges=False).splitlines():
        assert line in page.text
    line = scaled.__code__.co_firstlineno + 2
    assert f'<span class="no">{line}</span>' in html and "x = x * y + 1" in html


def test_a_function_has_its_source_and_a_plan_its_kernels() -> None:
    function = minits.script(scaled)
    text = Balanced(function._repr_html_()).text
    assert "return torch.tanh(x)" in text and "aten::tanh" in text
    plan = function.plan_for(torch.ones(40, 40), torch.ones(40, 40))
    assert plan.kernels
    text = Balanced(plan._repr_html_()).text
    assert "kernel_0: its loops" in text and "Group" in text


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 3), nn.BatchNorm1d(3)])
        self.register_buffer("mask", torch.ones(0, 4, dtype=torch.bool))

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


class Inherited(minits.ScriptModule):
    @minits.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x


def test_a_module_is_its_tree_with_parameters_and_buffers(tmp_path: Path) -> None:
    module = minits.script(Norm())
    minits.save(module, tmp_path / "norm.pt")
    for shown in (module, minits.load(tmp_path / "norm.pt")):
        html = shown._repr_html_()
        rows = re.findall(r"<tr><td.*?</tr>", html)
        texts = [" ".join(Balanced(row).text.split()) for row in rows]
        assert texts == [
            "Normmask: bool[0, 4] buffer",
            "layers ModuleList",
            "0 Linearweight: float32[3, 2]; bias: float32[3]",
            "1 BatchNorm1dweight: float32[3]; bias: float32[3]; running_mean: float32[3] buffer; "
            "running_var: float32[3] buffer; num_batches_tracked: int64[] buffer",
        ]
        assert "Norm: 4 modules, 15 elements of parameters" in Balanced(html).text
        assert "<details open>" in html
    assert "Inherited: 1 module, 0 elements" in Balanced(Inherited()._repr_html_()).text
    deep = minits.script(nn.Sequential(*[nn.Identity() for _ in range(60)]))
    assert "<details open>" not in deep._repr_html_()


def test_a_module_whose_children_are_shared_is_shown_once_for_each() -> None:
    one = nn.Linear(1, 1)
    html = minits.script(nn.Sequential(one, one))._repr_html_()
    assert html.count("<b>0</b> Linear") == html.count("<b>1</b> Linear") == 1
    assert "3 modules, 2 elements" in html


def test_a_kernel_is_its_text() -> None:
    plan = minits.script(scaled).plan_for(torch.ones(40, 40), torch.ones(40, 40))
    kernel = lower(*plan.kernels[0]).kernel
    text = Balanced(kernel._repr_html_()).text
    assert all(line in text for line in str(kernel).splitlines())


def test_an_error_is_shown_with_its_cures() -> None:
    def wrong(x: int) -> str:
        return x

    with pytest.raises(minits.CompileError) as found:
        minits.script(wrong)
    for shown in (found.value, found.value.diagnostics[0]):
        assert "error:" in Balanced(shown._repr_html_()).text


def test_without_the_packages_the_text_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragments, "find_spec", lambda name: None)
    assert minits.script(scaled).graph._repr_html_() is None


@pytest.mark.slow
def test_nothing_of_it_is_imported_before_it_is_shown() -> None:
    code = (
        "import sys, minits; minits.script; print(sorted({'minits.notebook', 'jinja2', 'pygments', "
        "'IPython'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    pytest.importorskip("IPython", reason="pip install 'minits[test]' has IPython")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setattr(sys, "displayhook", sys.displayhook)
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.history_manager.enabled = False
    yield shell
    shell.history_manager.end_session()


CELL = "%%minits{}\ndef double(x: int):\n    return x * 2\n\nextra = double(2)\n"


def test_a_cell_is_compiled(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%load_ext minits")
    for option in ("", " --dialect extended", " --dialect=torch"):
        assert shell.run_cell(CELL.format(option)).success, capsys.readouterr()
    assert isinstance(shell.user_ns["double"], minits.ScriptFunction)
    assert shell.user_ns["double"](21) == 42 and shell.user_ns["extra"] == 4


def test_faults_of_a_cell_are_shown_without_a_traceback(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.run_cell("%load_ext minits")
    shell.run_cell("%%minits\ndef wrong(x: int) -> str:\n    return x\n")
    said = capsys.readouterr()
    assert "return x" in said.out and "Traceback" not in said.out + said.err
    assert "wrong" not in shell.user_ns
    shell.run_cell("%%minits --frob\nx = 1\n")
    assert "write %%minits" in "".join(capsys.readouterr())


@pytest.mark.slow
@pytest.mark.skipif(
    not importlib.util.find_spec("nbclient") or not importlib.util.find_spec("ipykernel"),
    reason="there is no nbclient or ipykernel: pip install 'minits[test]'",
)
@pytest.mark.filterwarnings("ignore")
def test_the_example_notebook_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = "".join(str(output.get("data", output)) for output in outputs)
    assert shown.count('<div class="minits">') >= 4
    assert not [output for output in outputs if output["output_type"] == "error"]
