"""The report page in a browser: links, passes, addresses, search, keys, narrow and large pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch  # noqa: F401  (programs that are texts read it)

import minits
from minits.passes.instrumentation import instrumented
from minits.report.collecting import Collector
from minits.report.model import Page
from minits.report.recording import Recorder
from tests.support.browser import colour_scheme, resize
from tests.support.report_pages import (
    click,
    code,
    element,
    hover,
    open_at,
    press,
    save,
    texts,
    until,
    written,
)

ROOT = Path(__file__).parents[2]
MASK = "optional.forward-mask-is-given"
OPERATOR = "%scaled.5 : Tensor = aten::add(%scaled.1, %mask.1, %4)"


@pytest.fixture(scope="module")
def address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("masks")
    return written(folder, str(ROOT / "examples" / "masked_softmax.py"))


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page, opened anew at the program with a mask; nothing may be written to the console."""
    resize(browser, 1400, 900)
    colour_scheme(browser, "light")
    open_at(browser, address, MASK)
    yield browser
    assert browser.get_log("browser") == []


# ---- Links -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_source_lights_the_graph_and_the_kernels(page: Any) -> None:
    hover(page, element(page, ".source [data-i]", " + "))  # around it are names, with their types
    assert OPERATOR in code(page, ".rows .lit")
    kernel = code(page, ".tab[data-title='kernel_0 CUDA'] .lit")
    assert any("v3 + v4" in line for line in kernel)
    assert not any("v0 / v2" in line for line in kernel)
    assert "aten::add: Tensor" in page.find_element("id", "info").text


def test_a_type_has_its_reason(page: Any) -> None:
    hover(page, element(page, ".source [data-i]", "mask"))
    told = page.find_element("id", "info").text
    assert told.startswith("mask: Tensor, refined from Optional[Tensor] by line 44; a parameter")


def test_a_kernel_statement_lights_its_source(page: Any) -> None:
    press(page, "3")
    click(page, element(page, ".tab.shown code", "v3 + v4"))
    assert texts(page, ".source [data-i].lit") == ["scaled", "+", "mask"]
    assert OPERATOR in code(page, ".rows .lit")
    hover(page, page.find_element("tag name", "h1"))
    assert OPERATOR in code(page, ".rows .lit"), "what was clicked stays lit"
    press(page, "\ue00c")  # Escape
    assert texts(page, ".lit") == []


def test_what_was_called_is_linked_to_the_call(page: Any) -> None:
    hover(page, element(page, ".rows code", "aten::softmax"))
    assert "F.softmax" in "".join(texts(page, ".source [data-i].call"))
    assert "torch.softmax" not in "".join(texts(page, ".source [data-i].call"))
    assert any("input.softmax" in text for text in code(page, ".source .line:has([data-i].lit)"))


def test_a_box_of_the_picture_lights_its_operator(page: Any) -> None:
    press(page, "4")
    hover(page, element(page, ".picture g.box:not(.group)", "add"))
    assert OPERATOR in code(page, ".rows .lit")


def test_a_value_is_lit_wherever_it_is(page: Any) -> None:
    hover(page, element(page, ".rows .v", "%scale"))
    assert set(texts(page, ".rows .v.same")) == {"%scale"}
    assert page.find_element("id", "info").text.startswith("%scale : int")


def test_remarks_stand_below_their_lines(browser: Any, tmp_path: Path) -> None:
    open_at(browser, written(tmp_path, str(ROOT / "examples" / "fused.py:block")), "block.forward")
    remark = element(browser, ".source .remark.missed", "aten::gelu could be in a kernel")
    line = browser.execute_script("return arguments[0].previousElementSibling.textContent", remark)
    assert "F.gelu" in line or "missed" in line
    assert "help: " in remark.text


# ---- Passes ------------------------------------------------------------------------------------


def test_the_slider_goes_through_the_passes(page: Any) -> None:
    last = code(page, ".rows .line")
    slider = page.find_element("css selector", ".program.shown .slider")
    page.execute_script(
        "arguments[0].value = 0; arguments[0].dispatchEvent(new Event('input'))", slider
    )
    first = code(page, ".rows .line")
    assert any("prim::Store" in row for row in first)
    assert not any("prim::Store" in row for row in last)
    while page.execute_script("return arguments[0].value !== arguments[0].max", slider):
        press(page, "\ue014")  # right
    assert code(page, ".rows .line:not(.removed):not(.was)") == last


def test_a_pass_shows_what_it_removed(page: Any, address: str) -> None:
    number = page.execute_script(
        "return program.stages.findLastIndex(({name, change}) => name == 'dce' && change.removed)"
    )
    open_at(page, address, f"{MASK}/pass{number}")
    removed = texts(page, ".rows .removed")
    assert any("aten::__isnot__" in row for row in removed)
    assert all("−" in row for row in removed)
    assert f"−{len(removed)} " in texts(page, ".summary")[0]
    assert texts(page, ".passes tr.current td:first-child") == ["dce"]


def test_fusing_moves_nodes_and_changes_none(page: Any) -> None:
    number = page.execute_script("return program.stages.findIndex(({name}) => name == 'fuse')")
    page.execute_script("program.show(arguments[0])", number)
    assert [row for row in texts(page, ".rows .added") if "aten::" in row] == []
    assert any("prim::FusionGroup" in row for row in texts(page, ".rows .added"))
    assert [row for row in texts(page, ".rows .removed") if "aten::" in row] == []


# ---- Addresses, search, keys -------------------------------------------------------------------


@pytest.mark.slow
def test_an_address_leads_to_a_line_and_to_a_node(page: Any, address: str) -> None:
    open_at(page, address, f"{MASK}/L45")
    assert OPERATOR in code(page, ".rows .lit")
    click(page, element(page, ".rows code", "aten::add"))
    until(page, lambda: re.search(rf"#{MASK}/n\d+$", page.current_url))
    place = page.current_url.partition("#")[2]
    open_at(page, address, place)
    assert OPERATOR in code(page, ".rows .at")


def test_search(page: Any) -> None:
    press(page, "/", *"aten::add")
    assert page.find_element("id", "hits").text == "1 line"
    press(page, "\ue007")
    assert OPERATOR in code(page, ".rows .at")
    field = page.find_element("id", "search")
    field.clear()
    field.send_keys("no such thing")
    assert page.find_element("id", "hits").text == "0 lines"


def test_keys(page: Any) -> None:
    press(page, "j", "j")
    assert "prim::GetAttr" in code(page, ".rows .at")[0]
    press(page, "k")
    assert code(page, ".rows .at")[0].startswith("graph(")
    press(page, "2")
    assert texts(page, ".tab.shown h3")[0].startswith("kernel_0 in C")
    press(page, "?")
    assert page.find_element("id", "help").is_displayed()
    press(page, "[")
    assert page.execute_script("return program.slug") == "optional.forward-mask-is-None"


# ---- How it looks ------------------------------------------------------------------------------


def test_it_fits_into_400_pixels(page: Any) -> None:
    resize(page, 400, 800)
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    widths = page.execute_script(
        "return [...document.querySelectorAll('.program.shown .pane')].map((p) => p.offsetWidth)"
    )
    assert len(widths) == 3
    assert all(350 < width <= 400 for width in widths)
    click(page, element(page, ".rows code", "aten::add"))
    assert texts(page, ".source [data-i].lit") == ["scaled", "+", "mask"]


def test_it_is_light_and_dark(page: Any) -> None:
    def background() -> list[int]:
        colour = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        return [int(number) for number in re.findall(r"\d+", colour)[:3]]

    assert min(background()) > 200
    colour_scheme(page, "dark")
    assert max(background()) < 60


@pytest.mark.slow
def test_it_is_read_without_scripts(page: Any, address: str) -> None:
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        open_at(page, address, f"{MASK}/L45")
        shown = page.find_element("tag name", "body").text
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    for text in ("scaled = scaled + mask", OPERATOR, "v3 + v4", "ret = kernel_0(", "to-ssa"):
        assert text in shown


def test_it_needs_no_other_file(address: str) -> None:
    text = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text) == []
    assert re.findall(r"url\((?!#)|@import|https?://(?!\S*pytorch|\S*w3|\S*github)", text) == []


# ---- Large pages -------------------------------------------------------------------------------


ENCODER = "nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 12)"


@pytest.mark.slow
def test_an_encoder_of_12_layers_opens_and_is_linked(browser: Any, tmp_path: Path) -> None:
    """`python -m benchmarks pages` tells how long it takes."""
    path = tmp_path / "encoder.py"
    path.write_text("import torch\nfrom torch import nn\n")
    given = ["--module", ENCODER, "--input", "torch.randn(2, 4, 16)"]
    open_at(browser, written(tmp_path, str(path), *given), "")
    assert browser.execute_script("return program.lines.length") > 4000
    hover(browser, element(browser, ".source [data-i]", "self.linear2"))
    lit = code(browser, ".rows .lit, .rows .call")
    assert sum("aten::linear" in line for line in lit) >= 12
    assert len(texts(browser, ".picture g.box")) > 50 or texts(browser, ".picture .hint")
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_a_graph_of_5000_nodes(browser: Any, tmp_path: Path) -> None:
    body = "".join(f"    x = torch.tanh(x * y + {number}.5)\n" for number in range(1250))
    page, recorder = Page("many", "0"), Recorder()
    with instrumented(recorder):
        text = f"def many(x: Tensor, y: Tensor) -> Tensor:\n{body}    return x\n"
        function = minits.CompilationUnit(text).many
        Collector(page, recorder).add("many", "many", function, None)
    open_at(browser, save(tmp_path, page), "")
    assert browser.execute_script("return program.lines.length") >= 5000
    hover(browser, element(browser, ".source [data-i]", "3.5"))
    assert len(texts(browser, ".rows .lit")) >= 1
    assert "left out" in texts(browser, ".picture .hint")[0]
    assert browser.get_log("browser") == []
