# ruff: noqa: UP045  # classes of C++ do not know the operator |
"""Objects of C++ classes of libraries in archives: written and read by torch.jit and by minits."""

import io
from typing import Any, Optional

import pytest
import torch
from torch import nn

import minits
from minits.archive.pickling.globals import is_of_library
from tests.support.archives import packed, records_of, refused
from tests.support.cpp_classes import needs_library
from tests.support.hostile_archives import with_data

pytestmark = needs_library

T = torch.classes._TorchScriptTesting
CLASSES = "__torch__.torch.classes"


class Holder(nn.Module):
    stack: Optional[torch.classes._TorchScriptTesting._StackString]

    def __init__(self) -> None:
        super().__init__()
        self.stack = T._StackString(["a", "b"])
        self.queue = T._TensorQueue(torch.zeros(2))
        self.queue.push(torch.ones(2))

    def forward(self, n: int):
        found = self.stack
        made = T._Foo(n, 2)
        properties = T._FooReadWrite(n, 6)
        properties.x = properties.y + 1
        if found is not None:
            return found.top(), self.queue.top(), made.info(), properties.x
        return "", torch.zeros(2), 0, 0


class Taken(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.numbers = T._PickleTester([3, 4])

    def forward(self, x: torch.Tensor):
        return torch.ops._TorchScriptTesting.take_an_instance(self.numbers).sum() + x


def saved(module: Any, save: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    save(module, buffer)
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize("load", [minits.load, torch.jit.load])
@pytest.mark.parametrize(
    ("script", "save"), [(minits.script, minits.save), (torch.jit.script, torch.jit.save)]
)
def test_is_read_by_both(script: Any, save: Any, load: Any) -> None:
    loaded = load(saved(script(Holder()), save))
    expected = torch.jit.load(saved(torch.jit.script(Holder()), torch.jit.save))(4)
    found = loaded(4)
    torch.testing.assert_close(found[1], expected[1])
    assert (found[0], *found[2:]) == (expected[0], *expected[2:]) == ("deserialized", 8, 7)


def test_an_archive_is_written_again_as_it_was_read() -> None:
    first = saved(minits.script(Holder()), minits.save)
    again = saved(minits.load(first), minits.save)
    assert minits.load(again)(4)[0] == "deserialized"


@pytest.mark.parametrize("load", [minits.load, torch.jit.load])
def test_a_traced_module_has_the_object(load: Any) -> None:
    x = torch.rand(4, 4)
    ours, theirs = minits.trace(Taken(), (x,)), torch.jit.trace(Taken(), (x,))
    assert str(ours.code) == str(theirs.code)
    torch.testing.assert_close(load(saved(ours, minits.save))(x), theirs(x))


class WithoutState(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pair = T._FooReadWrite(5, 6)

    def forward(self) -> int:
        return self.pair.x


class CallsStatic(nn.Module):
    def forward(self) -> int:
        return T._StaticMethod.staticMethod(3)


@pytest.mark.parametrize(
    ("module", "match"),
    [(WithoutState, "_FooReadWrite cannot be saved"), (CallsStatic, "static method .* cannot be")],
)
def test_what_torch_cannot_write_is_refused(module: type[nn.Module], match: str) -> None:
    with pytest.raises(RuntimeError):
        torch.jit.save(torch.jit.script(module()), io.BytesIO())
    with pytest.raises(minits.SaveError, match=match):
        minits.save(minits.script(module()), io.BytesIO())


def object_of(name: str, state: bytes) -> io.BytesIO:
    """Return an archive whose module is an object of a C++ class with this state."""
    module, _, last = f"{CLASSES}.{name}".rpartition(".")
    return with_data(b"c" + module.encode() + b"\n" + last.encode() + b"\n)\x81" + state + b"b.")


def test_a_state_of_another_type_is_refused_before_cpp_sees_it() -> None:
    records = records_of(saved(minits.script(Holder()), minits.save))
    (name,) = [name for name in records if name.endswith("data.pkl")]
    assert b"X\1\0\0\0a" in records[name]
    changed = records[name].replace(b"X\1\0\0\0a", b"K\3")
    refused(packed({**records, name: changed}), "state of _StackString")


@pytest.mark.parametrize("name", ["mkldnn.ConvOpContext", "c10d.ProcessGroup", "no.Such"])
def test_torchs_own_classes_and_unknown_ones_are_refused(name: str) -> None:
    refused(object_of(name, b"N"), r"C\+\+ class")


def test_torchs_own_namespaces_are_known() -> None:
    """A class that a new torch brings must not be open to archives."""
    registered = {str(s.arguments[0].type) for s in torch._C._jit_get_custom_class_schemas()}
    found = {name for name in registered if is_of_library(name)}
    assert {name.split(".")[3] for name in found} == {"_TorchScriptTesting"}
