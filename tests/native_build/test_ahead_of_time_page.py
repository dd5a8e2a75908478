"""What the page on native code says about libraries is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minits.native_build.library_functions import OWN_NAMES, TENSOR_NAMES
from minits.native_build.make_files import BUILD_FLAGS, make_files
from tests.support.needs import need_compiler

need_compiler()
ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "native.md").read_text(encoding="utf-8")
SECTION = SECTION.partition("## Ahead of time")[2].partition("\n## ")[0]


def test_it_names_the_functions_of_the_header() -> None:
    table = SECTION.partition("| function | does |")[2].partition("\n\n")[0]
    assert re.findall(r"model_(\w+)\(", table) == [*OWN_NAMES, *TENSOR_NAMES]


@pytest.mark.parametrize("has_torch", [False, True])
def test_files_for_make_are_ten_lines(has_torch: bool) -> None:
    for text in make_files("model", has_torch).values():
        assert len(text.splitlines()) <= 10
        assert BUILD_FLAGS in text
        assert "torch" in text if has_torch else "torch" not in text
