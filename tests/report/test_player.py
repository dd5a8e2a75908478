"""A recorded run in the page: steps, breakpoints, watched values, addresses, small screens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import colour_scheme, resize
from tests.support.report_pages import (
    click,
    code,
    element,
    move,
    now,
    open_at,
    press,
    texts,
    told,
    until,
    written,
)  # fmt: skip

FUNCTIONS = str(Path(__file__).parents[2] / "examples" / "functions.py")
STEPS_5 = "%steps.5 : int = aten::add(%steps.11, %5)"


@pytest.fixture(scope="module")
def address(folder: Path) -> str:
    """The page of a compiled program that was recorded, too."""
    return written(folder, f"{FUNCTIONS}:collatz", "--input", "6", "--record")


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page, opened anew; nothing may be written to the console."""
    resize(browser, 1400, 900)
    colour_scheme(browser, "light")
    open_at(browser, address, "collatz")
    yield browser
    assert browser.get_log("browser") == []


# ---- Steps -------------------------------------------------------------------------------------


def test_before_the_first_step_the_page_is_as_it_is_without_a_run(page: Any) -> None:
    assert texts(page, ".now") == texts(page, ".lit") == []
    assert texts(page, ".tab.shown h3") == ["Run of collatz"]
    assert texts(page, ".endings li") == ["✓ returned 8"]
    assert not any("prim::Loop(%3" in line for line in code(page, ".rows .now"))


def test_steps_forwards_and_backwards(page: Any) -> None:
    move(page, "step")
    assert told(page) == "%38 : bool = aten::ne(%n.1, %5)\n%38 = True"
    assert now(page) == ("while n != 1:", "%38 : bool = aten::ne(%n.1, %5)")
    assert "%38 : bool = aten::ne(%n.1, %5)" in code(page, ".rows .lit")
    assert "n" in texts(page, ".source [data-i].lit")
    move(page, "step")
    move(page, "step")
    assert told(page) == "begin trip 0 of the loop at line 23\n%8 = 0\n%steps.11 = 0\n%n.17 = 6"
    assert texts(page, ".calls > li ul li") == [
        "trip 0 of the loop at line 23 began with %steps.11 = 0, %n.17 = 6"
    ]
    move(page, "stepBack")
    assert told(page).startswith("enter %steps : int, %n : int = prim::Loop")
    move(page, "overBack")
    move(page, "begin")
    assert told(page) == "call collatz\n%n.1 = 6"
    move(page, "stepBack")
    assert texts(page, ".count")[0].endswith("nothing before it")


def test_over_and_out(page: Any) -> None:
    press(page, "s", "s", "o")
    end = "end of %steps : int, %n : int = prim::Loop(%3, %38, %steps.1, %n.1)"
    assert told(page) == f"{end}\n%steps = 8\n%n = 1"
    press(page, "O", "s", "s")
    assert texts(page, ".calls ul li") != []
    press(page, "f")
    assert told(page).startswith("end of %steps") and texts(page, ".calls ul li") == []
    press(page, "G")
    assert texts(page, ".count")[0].startswith("step 83 of 83")
    press(page, "g")
    assert texts(page, ".count")[0].startswith("step 1 of 83")


def test_the_slider(page: Any) -> None:
    page.execute_script(
        "const slider = document.querySelector('.step'); slider.value = 12;"
        "slider.dispatchEvent(new Event('input'))"
    )
    assert texts(page, ".count") == ["step 12 of 83"]
    assert len(now(page)) == 2


def test_the_graph_of_a_pass_can_stay(page: Any) -> None:
    lines = ".rows .line:not(.removed, .was)"
    last = code(page, lines)
    press(page, "s")
    ran = code(page, lines)
    assert ran != last and texts(page, ".stage-name") == ["of collatz, as it ran"]
    click(page, page.find_element("css selector", ".follow"))
    assert code(page, lines) == last
    press(page, "s")
    assert "after" in texts(page, ".stage-name")[0]
    assert code(page, ".rows .lit") != []
    click(page, page.find_element("css selector", ".follow"))
    assert code(page, lines) == ran


# ---- Breakpoints and watched values ------------------------------------------------------------


def test_a_breakpoint_in_the_margin(page: Any) -> None:
    line = element(page, ".source .line", "steps += 1")
    button = line.find_element("css selector", ".breakpoint")
    assert button.accessible_name == "breakpoint at line 25"
    click(page, button)
    assert button.get_attribute("aria-pressed") == "true"
    press(page, "c")
    assert now(page) == ("steps += 1", STEPS_5)
    assert texts(page, ".count")[0].endswith("breakpoint 25")
    press(page, "c")
    assert "%steps.5 = 2" in told(page)
    press(page, "C")
    assert "%steps.5 = 1" in told(page)
    press(page, "b")  # at the line that is lit
    assert button.get_attribute("aria-pressed") == "false" and texts(page, ".stops li") == []
    press(page, "c")
    assert texts(page, ".count")[0].endswith("the end of the run")
    click(page, element(page, ".source [data-i]", "int"))
    press(page, "b")
    assert "nothing that ran is at 20" in texts(page, ".count")[0] or texts(page, ".stops li")
    press(page, "\ue00c", "b")
    assert texts(page, ".count")[0].endswith("no line is lit")


def test_a_breakpoint_on_a_value_or_an_operator(page: Any) -> None:
    field = page.find_element("css selector", ".break-at input")
    for text in ("%steps.5", "aten::ne", "n"):
        field.send_keys(f"{text}\n")
    assert texts(page, ".stops li") == ["%steps.5 ✕", "aten::ne ✕", "n ✕"]
    field.send_keys("s999\n")  # `s` is no key here
    assert texts(page, ".break-at output") == [
        "nothing that ran is at s999, and no value is called so"
    ]
    assert texts(page, ".count") == ["step 1 of 83"]
    field.send_keys("\ue00c")
    press(page, "c")
    assert texts(page, ".count")[0].endswith("breakpoint aten::ne")
    press(page, "c", "c")
    assert (
        "breakpoint n" in texts(page, ".count")[0]
        or "breakpoint %steps.5" in texts(page, ".count")[0]
    )
    click(page, page.find_element("css selector", ".stops button[aria-label='remove n']"))
    assert texts(page, ".stops li") == ["%steps.5 ✕", "aten::ne ✕"]


def test_a_watched_value_stops_where_it_changes(page: Any) -> None:
    press(page, "s")
    click(page, page.find_element("css selector", ".values button[aria-label='watch %n.1']"))
    press(page, "c")
    assert texts(page, ".count")[0].endswith("the end of the run"), "a parameter does not change"
    assert texts(page, ".stops li") == ["%n.1 = 6 ✕"]
    press(page, "g", "s", "s", "s")
    click(page, page.find_element("css selector", ".values button[aria-label='watch %n.17']"))
    press(page, "c")
    assert texts(page, ".count")[0].endswith("%n.17 changed")
    assert texts(page, ".stops li")[-1] == "%n.17 = 3 ✕"


# ---- Addresses ---------------------------------------------------------------------------------


def test_an_address_leads_to_a_step(page: Any, address: str) -> None:
    open_at(page, address, "collatz&step=12")
    assert texts(page, ".count") == ["step 12 of 83"]
    where = now(page)
    press(page, "s")
    until(page, lambda: page.current_url.endswith("#collatz&step=13"))
    click(page, element(page, ".source .line", "return steps").find_element("css selector", ".no"))
    until(page, lambda: page.current_url.endswith("#collatz/L26&step=13"))
    open_at(page, address, "collatz/L26&step=13")
    assert "return steps" in code(page, ".source .at")[0]
    page.execute_script("return new Promise((done) => setTimeout(done, 500))")
    assert page.current_url.endswith("#collatz/L26&step=13")
    press(page, "S")
    assert now(page) == where
    for step, found in (("0", 1), ("99999", 83), ("x", 83)):
        page.execute_script("location.hash = arguments[0]", f"#collatz&step={step}")
        until(page, lambda found=found: texts(page, ".count")[0].startswith(f"step {found} of 83"))


def test_addresses_are_not_written_too_often(page: Any) -> None:
    """Chromium warns, and others raise, after 200 addresses in a few seconds."""
    page.execute_script("for (let i = 0; i < 300; i++) program.player.goTo(i % 80 + 1)")
    until(page, lambda: page.current_url.endswith("#collatz&step=60"))


# ---- How it looks ------------------------------------------------------------------------------


def test_it_fits_into_400_pixels_and_its_buttons_stay(page: Any) -> None:
    resize(page, 400, 800)
    press(page, "s", "s", "s", "s")
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    before = page.execute_script("return scrollY")
    for name in ("step", "over", "out", "run", "end", "stepBack", "begin"):
        button = page.find_element("css selector", f"[data-move={name}]")
        assert button.is_displayed()
        button.click()
    assert page.execute_script("return scrollY") == before
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400


def test_every_button_has_a_name(page: Any) -> None:
    press(page, "s", "b")
    buttons = page.find_elements("css selector", ".program.shown button, .program.shown input")
    assert len(buttons) > 20
    assert [
        each.get_attribute("outerHTML")
        for each in buttons
        if each.is_displayed() and not each.accessible_name
    ] == []


def test_a_run_is_read_without_scripts(page: Any, address: str) -> None:
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        open_at(page, address, "collatz")
        shown = page.find_element("tag name", "body").text
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    for text in (
        "✓ returned 8",
        "The run has 83 steps",
        STEPS_5,
        "%steps.5 = 1",
        "The graph of collatz, as it ran",
    ):
        assert text in shown
    assert "step ›" not in shown
