"""A program's numbers have a point in C as in Python, whatever locale the process has set."""

import locale
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

import minits
from minits.native.function import NativeFunction
from tests.support.native_libraries import library
from tests.support.needs import need_compiler

need_compiler()


def shown(x: float, text: str) -> tuple[str, str, str, str, float]:
    return str(x), f"{x}|{[x]}", "%f %e" % (x, x), str([x, 2.5]), float(text)  # noqa: UP031


def of_tensor(x: Tensor) -> str:
    return str(x)


@pytest.fixture
def with_commas() -> Iterator[None]:
    """Set a locale in which floats have a comma; skip where the system has none."""
    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8", "ru_RU.UTF-8"):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        yield
        locale.setlocale(locale.LC_ALL, before)
        return
    pytest.skip("the system has no locale with commas")


def test_numbers_in_functions(with_commas: None) -> None:
    native = NativeFunction(minits.script(shown).graph, "shown")
    for x in (1.5, -0.25, 1024.125):
        assert native(x, "2.25") == shown(x, "2.25")
    with pytest.raises(RuntimeError, match="could not convert"):
        native(1.5, "2,25")


def test_numbers_in_libraries(with_commas: None) -> None:
    assert library(shown).shown(1.5, "2.25") == shown(1.5, "2.25")


def test_tensors(with_commas: None) -> None:
    x = torch.tensor([[0.5, 1e-9], [2.0, 1e12]])
    native = NativeFunction(minits.script(of_tensor).graph, "of_tensor")
    expected = minits.script(of_tensor)(x)
    assert native(x) == expected


def test_no_helper_writes_or_reads_floats_by_the_locale_of_the_process() -> None:
    folder = Path(minits.__file__).parent
    for path in [*folder.glob("native/c/*.c"), *folder.glob("native_build/c/*.c")]:
        if path.name == "locales.c":
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bstrtod\(", text), path.name
        for pattern in re.findall(r"\bsnprintf\(\s*\w+, [\w ]+,\s*([^,]*)", text):
            assert pattern.startswith('"'), path.name
            assert not re.search(r"%[-+0-9.*]*[aefg]", pattern), path.name
