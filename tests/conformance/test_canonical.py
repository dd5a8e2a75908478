"""Graph texts at the three levels, made independent of place and process."""

from __future__ import annotations

from pathlib import Path

from conformance.canonical import Normaliser, at_level, mask_foreign_ranges

GRAPH = r"""graph(%x.1 : Tensor,
      %y : int):
  %7 : str = prim::Constant[value="100%x # \" a.py:1:2"]() # cases/a.py:3:4
  %z.1 : Tensor = aten::add(%x.1, %y, %y) # torch/functional.py:10:8
  %8 : Tensor = prim::If(%7) # cases/a.py:5:4
    block0():
      -> (%z.1)
  return (%8)"""


def test_full_text_is_kept() -> None:
    assert at_level(GRAPH, "names") == GRAPH


def test_ranges_level_numbers_values_but_not_what_is_in_strings() -> None:
    text = at_level(GRAPH, "ranges")
    assert text == GRAPH.replace("%x.1", "%0").replace("%y", "%1").replace("%7", "%2").replace(
        "%z.1", "%3"
    ).replace("%8", "%4")
    assert r"100%x # \" a.py:1:2" in text


def test_structure_level_has_no_ranges() -> None:
    lines = at_level(GRAPH, "structure").splitlines()
    assert lines[2] == r'  %2 : str = prim::Constant[value="100%x # \" a.py:1:2"]()'
    assert lines[3] == "  %3 : Tensor = aten::add(%0, %1, %1)"
    assert lines[4] == "  %4 : Tensor = prim::If(%2)"


def test_swapped_operands_differ_at_every_level() -> None:
    other = GRAPH.replace("%x.1, %y, %y)", "%y, %x.1, %y)")
    assert at_level(other, "structure") != at_level(GRAPH, "structure")


def test_another_constant_differs_at_every_level() -> None:
    assert at_level(GRAPH.replace("100", "101"), "structure") != at_level(GRAPH, "structure")


def test_lines_in_torch_can_be_masked() -> None:
    masked = mask_foreign_ranges(GRAPH)
    assert "aten::add(%x.1, %y, %y) # torch/functional.py\n" in masked
    assert masked.replace("functional.py", "functional.py:10:8") == GRAPH


def test_places_do_not_depend_on_the_checkout() -> None:
    normalise = Normaliser({Path("/home/me/cases"): "", Path("/lib/torch"): "torch/"})
    text = '%1 : str = prim::Constant[value="/home/me/cases/a"]() # /home/me/cases/b/a.py:1:2'
    assert normalise.graph(text).endswith('"/home/me/cases/a"]() # b/a.py:1:2')
    assert normalise.graph("%1 = aten::f() # /lib/torch/nn.py:1:2").endswith(" # torch/nn.py:1:2")
    assert normalise.graph("%1 = aten::f() # <string>:1:2").endswith(" # <string>:1:2")


def test_mangled_names_are_counted_by_appearance() -> None:
    normalise = Normaliser({})
    assert normalise.names("___torch_mangle_9.A ___torch_mangle_3.A ___torch_mangle_9.B") == (
        "___torch_mangle_0.A ___torch_mangle_1.A ___torch_mangle_0.B"
    )
    assert normalise.names("___torch_mangle_3.C") == "___torch_mangle_1.C"
