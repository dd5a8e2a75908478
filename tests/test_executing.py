"""Programs that are defined in no file: texts that are executed, cells of notebooks, zip files."""

import linecache
import sys
import zipfile
from pathlib import Path

import pytest
import torch

import minits

TEXT = """import torch

class Point:
    def __init__(self, x: int):
        self.x = x

def far(x: int) -> int:
    return Point(x).x + 1

class Net(torch.nn.Module):
    scale: float

    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale
"""


def test_a_text_that_is_executed() -> None:
    names = minits.exec_source(TEXT)
    assert minits.script(names["far"])(3) == 4
    assert minits.script(names["Net"]())(torch.ones(1)).tolist() == [2.0]


def test_it_is_executed_in_the_namespace_that_is_given() -> None:
    names = {"__name__": "mine", "functional": torch.nn.functional}
    assert minits.exec_source("def f(x):\n    return functional.relu(x)\n", names) is names
    assert minits.script(names["f"])(-torch.ones(1)).tolist() == [0.0]


def test_errors_show_the_text() -> None:
    names = minits.exec_source("def f(x: int):\n    return x + 'a'\n")
    with pytest.raises(minits.CompileError, match=r"return x \+ 'a'"):
        minits.script(names["f"])


def test_a_text_without_source_names_the_cure() -> None:
    names: dict = {"__name__": "mine"}
    exec("def f(x: int):\n    return x\n", names)
    with pytest.raises(minits.CompileError, match=r"minits\.exec_source"):
        minits.script(names["f"])


def test_a_cell_of_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython puts the text of each cell into `linecache`, under a name of its own."""
    lines, name = TEXT.splitlines(keepends=True), "/tmp/ipykernel_1/42.py"
    monkeypatch.setitem(linecache.cache, name, (len(TEXT), None, lines, name))
    names: dict = {"__name__": "__main__"}
    exec(compile(TEXT, name, "exec"), names)
    assert minits.script(names["far"])(3) == 4


def test_a_module_of_a_zip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.writestr("zipped_program.py", TEXT)
    monkeypatch.syspath_prepend(tmp_path / "app.zip")
    module = __import__("zipped_program")
    monkeypatch.delitem(sys.modules, "zipped_program")
    assert minits.script(module.far)(3) == 4
    assert minits.script(module.Net())(torch.ones(1)).tolist() == [2.0]
