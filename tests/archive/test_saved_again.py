"""What was loaded is saved again: as it was, and together with what has the same names."""

from __future__ import annotations

import io
import textwrap
from typing import Any

import pytest
import torch
from torch import nn

import minits
from conformance.archives import savable
from conformance.case import Case, find_cases
from tests.support.archives import packed, records_of
from tests.support.reading_by_torch import read_by_torch, records

CASES = savable(find_cases(pattern="modules/")) + savable(find_cases(pattern="classes/"))[:8]


@pytest.mark.one_in(6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_changes_from_save_to_save(case: Case) -> None:
    compiled = minits.script(case.load().make())
    first = minits.load(io.BytesIO(compiled.save_to_buffer())).save_to_buffer()
    second = minits.load(io.BytesIO(first)).save_to_buffer()
    assert records(first) == records(second)


# ---- Names that are taken ----------------------------------------------------------------------


def archive_with(forward: str, classes: str) -> io.BytesIO:
    """An archive of a `__torch__.Model` with a function `helper` and other classes."""
    code = f"""\
    class Model(Module):
      __parameters__ = []
      __buffers__ = []
      training : bool
      def forward(self: __torch__.Model,
        x: int) -> Tuple[int, __torch__.Pair]:
        {forward}
    {textwrap.indent(textwrap.dedent(classes), "    ").strip()}
    """
    compiled = minits.script(Empty())
    parts = records_of(io.BytesIO(compiled.save_to_buffer()))
    del parts["code/__torch__/test_saved_again.py"]
    del parts["code/__torch__/test_saved_again.py.debug_pkl"]
    data = parts["data.pkl"].replace(b"__torch__.test_saved_again\nEmpty", b"__torch__\nModel")
    return packed({**parts, "data.pkl": data, "code/__torch__.py": textwrap.dedent(code)})


class Empty(nn.Module):
    def forward(self, x: int) -> int:
        return x


FIRST = (
    "return (__torch__.helper(x, ), __torch__.Pair(x, 2))",
    """\
    class Pair(NamedTuple):
      a : int
      b : int
    def helper(x: int) -> int:
      return torch.add(x, 1)
    """,
)
SECOND = (
    'return (__torch__.helper(x, ), __torch__.Pair("two"))',
    """\
    class Pair(NamedTuple):
      a : str
    def helper(x: int) -> int:
      return torch.mul(x, 10)
    """,
)


class Both(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = minits.load(archive_with(*FIRST))
        self.second = minits.load(archive_with(*SECOND))

    def forward(self, x: int) -> tuple[int, int, int, int]:
        number, pair = self.first(x)
        product, other = self.second(x)
        return number, product, pair.a + pair.b, len(other.a)


def test_loaded_programs_of_the_same_names_are_saved_together() -> None:
    compiled: Any = minits.script(Both())
    assert compiled(3) == (4, 30, 5, 3)
    content = compiled.save_to_buffer()
    assert read_by_torch(content)(3) == compiled(3)
    assert minits.load(io.BytesIO(content))(3) == compiled(3)


def test_loaded_modules_are_parts_of_new_ones() -> None:
    loaded = minits.load(io.BytesIO(minits.script(nn.Linear(2, 2)).save_to_buffer()))
    stack = nn.Sequential(loaded, nn.ReLU(), loaded)
    again = read_by_torch(minits.script(stack).save_to_buffer())
    x = torch.randn(3, 2)
    assert torch.equal(stack(x), again(x))
    assert len(list(again.parameters())) == 2
