"""Code that was written for `torch.jit`: which of its names minits has, and `patch_torch_jit`."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
import minits as jit
from minits.torch_jit_names import ABSENT

PAGE = Path(__file__).parents[1] / "docs" / "torch-jit-names.md"
HEAD_ENDS = "|---|---|\n"


def public_names() -> list[str]:
    """Return the names of `torch.jit` that are not merely what it imports."""
    found = []
    for name, value in vars(torch.jit).items():
        home = getattr(value, "__module__", None) or ""
        is_own = home.startswith(("torch.jit", "torch._jit_internal", "torch._C", "pybind11"))
        is_own |= name in (*torch.jit.__all__, "Final")
        if not name.startswith("_") and not inspect.ismodule(value) and is_own:
            found.append(name)
    return sorted(found, key=str.lower)


def rows() -> str:
    """Return the table of the page, without its head."""
    return "".join([f"| `{name}` | {ABSENT.get(name, 'yes')} |\n" for name in public_names()])


def test_each_name_is_there_or_has_a_reason() -> None:
    for name in public_names():
        assert hasattr(minits, name) != (name in ABSENT), name
    assert set(ABSENT) <= set(public_names())


def test_the_page_lists_them() -> None:
    """`UPDATE=1 pytest` writes the table again."""
    head, end, found = PAGE.read_text().partition(HEAD_ENDS)
    if os.environ.get("UPDATE"):
        PAGE.write_text(head + end + rows())
    else:
        assert found == rows()


def test_a_missing_name_says_why() -> None:
    with pytest.raises(AttributeError, match=r"torch\.jit\.ONNXTracedModule belongs to"):
        _ = jit.ONNXTracedModule
    with pytest.raises(AttributeError, match=r"no attribute 'fusser'$"):
        _ = jit.fusser


class Net(nn.Module):
    scale: jit.Final[int]

    def __init__(self) -> None:
        super().__init__()
        self.scale = 3
        self.names = jit.Attribute([], list[str])

    @jit.export
    def other(self, x: Tensor) -> Tensor:
        return x + self.scale

    @jit.unused
    def never(self, x: Tensor) -> Tensor:
        return torch.from_numpy(x.numpy())

    @jit.ignore
    def rank(self, x: Tensor) -> int:
        return len(x.shape)

    def forward(self, x: Tensor, v: Any) -> Tensor:
        xs = jit.annotate(list[int], [])
        xs.append(self.rank(x))
        if not jit.is_scripting():
            return self.never(x)
        if jit.isinstance(v, list[int]):
            xs.append(v[0])
        f: jit.Future[Tensor] = jit.fork(torch.neg, x)
        return jit.wait(f) * len(xs) + len(self.names)


def test_forms_and_marks_are_those_of_torch() -> None:
    compiled, x = jit.script(Net()), torch.ones(2, 3)
    assert torch.equal(compiled(x, [1]), x * -2)
    assert torch.equal(compiled(x, 1), x * -1)
    assert torch.equal(compiled.other(x), x + 3)


def test_marks_are_read_by_torch() -> None:
    assert torch._jit_internal.is_ignored_fn(Net.rank)
    assert torch._jit_internal.is_ignored_fn(Net.never)


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ([1], list[int]),
        ([1.0], list[int]),
        ({"a": torch.ones(1)}, dict[str, Tensor]),
        ((1, [2.0]), tuple[int, list[float]]),
        (1, (str, int | float)),
        (None, (str, int)),
    ],
)
def test_isinstance_of_plain_python(value: Any, type: Any) -> None:
    assert jit.isinstance(value, type) == torch.jit.isinstance(value, type)


def raising(n: int) -> int:
    if n > 0:
        raise ValueError("positive")
    return n


def test_forks_of_plain_python() -> None:
    assert jit.wait(jit.fork(raising, 0)) == jit.fork(raising, n=0).wait() == 0
    assert jit.wait(jit.fork(jit.script(raising), -3)) == -3
    with pytest.raises(ValueError, match="positive"):
        jit.wait(jit.fork(raising, 1))
    with pytest.raises(jit.Error, match="positive"):
        jit.script(raising)(1)


@pytest.mark.parametrize("fault", [True, 1.0, "drop"])
def test_ignore_takes_a_bool(fault: Any) -> None:
    if fault is True:
        assert torch._jit_internal.should_drop(jit.ignore(drop=True)(lambda: 0))
        return
    with pytest.raises(TypeError, match="a bool for drop"):
        jit.ignore(drop=fault)


def test_ignore_has_an_old_name_for_drop() -> None:
    with pytest.warns(FutureWarning, match="drop_on_export") as told:
        marked = jit.ignore(drop_on_export=True)(lambda: 0)
    assert told[0].filename == __file__
    assert torch._jit_internal.should_drop(marked)
    assert not torch._jit_internal.should_drop(jit.ignore(drop_on_export=False)(lambda: 0))


LIBRARY = """
import torch

@torch.jit.script
def scaled(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * n

class Net(torch.jit.ScriptModule):
    @torch.jit.script_method
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return scaled(x, 2)
"""


def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "minits_library.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "minits_library", raising=False)
    import minits_library

    monkeypatch.delitem(sys.modules, "minits_library")
    return minits_library


def test_libraries_are_compiled_by_minits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(vars(torch.jit))
    with pytest.raises(KeyError), minits.patch_torch_jit():
        library = imported(tmp_path, monkeypatch)
        assert isinstance(library.Net(), torch.jit.ScriptModule)
        raise KeyError
    assert vars(torch.jit) == before
    assert isinstance(library.scaled, minits.ScriptFunction)
    assert not isinstance(library.Net(), torch.jit.ScriptModule)
    assert torch.equal(library.Net()(torch.ones(2)), torch.full((2,), 2.0))


def test_modules_that_are_imported_meanwhile_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "minits_neighbour.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with minits.patch_torch_jit():
        neighbour = importlib.import_module("minits_neighbour")
    assert sys.modules.pop("minits_neighbour", None) is neighbour


def test_a_torch_without_torch_jit_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.jit", None)
    monkeypatch.delattr(torch, "jit")
    with minits.patch_torch_jit():
        library = imported(tmp_path, monkeypatch)
    assert isinstance(library.scaled, minits.ScriptFunction)
    assert not hasattr(torch, "jit")


def plus(x: Tensor) -> Tensor:
    return x + 1


KEPT = (torch.jit.script, torch.jit.trace, torch.jit.load, torch.jit.save, torch.jit.freeze)


def test_names_taken_before_work_on(tmp_path: Path) -> None:
    script, trace, load, save, freeze = KEPT
    net, x, path = (
        nn.Sequential(nn.Linear(2, 3), nn.ReLU()).eval(),
        torch.ones(4, 2),
        tmp_path / "a",
    )
    before = script(net)
    with minits.patch_torch_jit():
        save(script(net), path)
        made = [load(path), script(net), trace(net, x), freeze(script(net)), before]
        assert all(torch.equal(each(x), net(x)) for each in made)
        assert trace(plus, x)(x).equal(x + 1) and script(plus)(x).equal(x + 1)
        assert all(isinstance(each, torch.jit.ScriptModule) for each in made)
        assert not any(isinstance(each, minits.ScriptModule) for each in made)
        assert torch.jit.script(net)(x).equal(net(x))


def test_classes_are_the_same_under_all_paths() -> None:
    torchs = torch.jit.script(plus)
    with minits.patch_torch_jit():
        net, function = torch.jit.script(nn.Linear(2, 2)), torch.jit.script(plus)
        for home in (torch.jit, torch.jit._script):
            assert isinstance(net, home.ScriptModule)
            assert isinstance(net, home.RecursiveScriptModule)
            assert not isinstance(nn.Linear(2, 2), home.ScriptModule)
        for home in (torch.jit, torch._C):
            assert isinstance(function, home.ScriptFunction)
            assert isinstance(torchs, home.ScriptFunction)
            assert not isinstance(plus, home.ScriptFunction)
        assert isinstance(net, minits.ScriptModule) and net._c.hasattr("weight")
    assert not isinstance(net, torch.jit._script.ScriptModule)
    assert not isinstance(function, torch._C.ScriptFunction)


def test_blocks_may_be_nested_repeated_and_overlap_in_threads() -> None:
    before, there, go_on = dict(vars(torch.jit)), threading.Event(), threading.Event()

    def other() -> None:
        with minits.patch_torch_jit():
            there.set()
            go_on.wait(20)

    for _ in range(2):
        with minits.patch_torch_jit(), minits.patch_torch_jit():
            assert torch.jit.script is minits.script
    thread = threading.Thread(target=other)
    with minits.patch_torch_jit():
        thread.start()
        assert there.wait(20)
    assert torch.jit.script is minits.script  # in the other thread's block
    go_on.set()
    thread.join()
    assert vars(torch.jit) == before


PROGRAM = """
import sys
import torch

def f(x: torch.Tensor) -> torch.Tensor:
    return x * 2

if __name__ == "__main__":
    print(type(torch.jit.script(f)).__module__.split(".")[0], sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("as_module", [False, True])
def test_a_whole_program_runs_patched(as_module: bool, tmp_path: Path) -> None:
    (tmp_path / "patched_program.py").write_text(PROGRAM)
    named = ["-m", "patched_program"] if as_module else ["patched_program.py"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "minits.patched", *named, "--a", "1"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(minits.__file__).parents[1])},
    )  # fmt: skip
    assert done.stdout == "minits ['--a', '1']\n"


def test_a_patched_program_is_named() -> None:
    from minits.patched import main

    with pytest.raises(SystemExit, match="2"):
        main([])


def test_in_the_patch_the_text_of_a_class_of_modules_is_that_of_torch() -> None:
    class Own(minits.ScriptModule):
        pass

    classes = minits.ScriptModule, minits.RecursiveScriptModule, Own
    before = [repr(each) for each in classes]
    with minits.patch_torch_jit():
        made = torch.jit.script(torch.nn.Linear(2, 2))
        assert str(type(made)) == "<class 'torch.jit._script.RecursiveScriptModule'>"
        assert repr(Own) == before[2]
    assert [repr(each) for each in classes] == before
