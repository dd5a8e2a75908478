"""Recordings from files, without their programs, in the page; it moves as `minits debug` does."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minits.cli.main import main
from minits.stepping.files import read_recording
from minits.stepping.session import Breakpoint, Session
from tests.support.browser import resize
from tests.support.damage import damaged
from tests.support.report_pages import (
    click,
    move,
    now,
    open_at,
    press,
    recorded,
    texts,
    told,
    until,
    written,
)

FUNCTIONS = str(Path(__file__).parents[2] / "examples" / "functions.py")
ODD = """
import torch
from torch import Tensor, nn

class Scale(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return x / self.by

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = nn.ModuleList([Scale(1.0), Scale(0.0)])

    def forward(self, x: Tensor, n: int) -> Tensor:
        for s in self.scales:
            x = s(x)
        for i in range(n):
            print("trip", i, "<b>&amp;")
            assert i != 2, 'too "many" <trips>'
            x = x + shifted(x)
        return x

def shifted(x: Tensor) -> Tensor:
    return x - 1
"""
LONG = """
from torch import nn

class Long(nn.Module):
    def forward(self, n: int):
        for i in range(n):
            n = n + i % 3
        return n
"""


@pytest.fixture
def odd(browser: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """The page of a recording of which the program is gone; the program raised."""
    address, _ = recorded(folder, "odd", ODD, "Net()", "torch.ones(20)", "5")
    resize(browser, 1400, 900)
    open_at(browser, address, "")
    yield browser
    assert browser.get_log("browser") == []


# ---- Recordings from files ---------------------------------------------------------------------


def test_a_recording_without_its_program(odd: Any) -> None:
    assert texts(odd, ".endings li") == ['✗ raised AssertionError: too "many" <trips>, in line 23']
    assert texts(odd, ".tabs:not([hidden])") == [] and texts(odd, ".tab.shown h3") == [
        "Run of Net.forward"
    ]
    move(odd, "run")
    last, _, why = texts(odd, ".count")[0].partition(" · ")
    assert why == "the program raised"
    assert 'raises AssertionError: too "many" <trips>' in told(odd)
    assert now(odd)[0].startswith("assert i != 2")
    assert texts(odd, ".printed") == ["trip 0 <b>&amp;\ntrip 1 <b>&amp;\ntrip 2 <b>&amp;"]
    assert "trip 2 of the loop at line 21" in texts(odd, ".calls ul li")[0]
    assert any("20 inf" in text and "⚠" in text for text in texts(odd, ".values td"))
    link = odd.find_element("css selector", ".endings a")
    move(odd, "begin")
    click(odd, link)
    until(odd, lambda: texts(odd, ".count") == [last])
    assert now(odd)[0].startswith("assert i != 2")


def test_calls_show_their_graphs(odd: Any) -> None:
    press(odd, "s")
    while not texts(odd, ".calls button")[0].startswith("shifted"):
        press(odd, "s")
    assert texts(odd, ".calls > li > button") == ["shifted", "Net.forward"]
    press(odd, "s")
    assert texts(odd, ".stage-name") == ["of shifted, as it ran"]
    assert now(odd)[0] == "return x - 1"
    assert "shifted" in "".join(texts(odd, ".source [data-i].call")), "where it is called"
    odd.find_elements("css selector", ".program.shown .calls > li > button")[1].click()
    assert texts(odd, ".calls > li > button") == ["Net.forward"]
    assert texts(odd, ".stage-name") == ["of Net.forward, as it ran"]


def test_a_cut_recording_says_so(browser: Any, folder: Path, tmp_path: Path) -> None:
    address = written(tmp_path, f"{FUNCTIONS}:newton_sqrt", "--input", "torch.ones(2)", "--record")
    text = Path(address.removeprefix("file://")).read_text()
    assert "was not recorded any more" not in text
    _, recording = recorded(folder, "long", LONG, "Long()", "9000")
    assert len(json.loads(recording.read_text())["steps"]) == 20_000
    open_at(browser, (folder / "long.html").as_uri(), "Long.forward&step=20000")
    assert [text.partition(":")[0] for text in texts(browser, ".endings li")] == [
        "✓ returned 18000", "! cut after 20000 steps",
    ]  # fmt: skip
    assert texts(browser, ".count") == ["step 20000 of 20000"]
    assert len(now(browser)) == 2
    press(browser, "C")
    assert texts(browser, ".count") == ["step 1 of 20000 · the beginning of the run"]
    assert browser.get_log("browser") == []


def test_texts_of_a_foreign_recording_are_no_markup(browser: Any, folder: Path) -> None:
    _, path = recorded(folder, "odd", ODD, "Net()", "torch.ones(20)", "1")
    evil = "\\\"'><img src=x onerror=window.broken=1><script>window.broken=1</script>\\ud800"
    text = path.read_text()
    for name in (
        "x.1",
        "Net.forward",
        "prim::Loop",
        "trip 0",
        "odd.py",
        "Tensor float32",
        "return x",
    ):
        text = text.replace(name, f"{name}{evil}")
    path.write_text(text)
    assert main(["report", str(path), "-o", str(folder / "evil.html")]) == 0
    open_at(browser, (folder / "evil.html").as_uri(), "")
    press(browser, *"sscoSbG")
    for button in browser.find_elements("css selector", ".values button, .breakpoint")[:6]:
        click(browser, button)
    assert browser.execute_script("return window.broken ?? document.images.length") == 0
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_a_damaged_recording_is_refused_or_shown(folder: Path, browser: Any) -> None:
    _, path = recorded(folder, "odd", ODD, "Net()", "torch.ones(20)", "5")
    whole, chosen = path.read_text(), random.Random(1)
    shown = 0
    for _ in range(150):
        path.write_text(json.dumps(damaged(whole, chosen)))
        status = main(["report", str(path), "-o", str(folder / "damaged.html")])
        assert status in (0, 2)
        if status == 0 and shown < 8:
            shown += 1
            open_at(browser, (folder / "damaged.html").as_uri(), "")
            press(browser, *"sscoSGFFgff")
            assert browser.get_log("browser") == []
    assert shown == 8


# ---- It is what `minits debug` tells -----------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["odd", "collatz"])
def test_it_moves_as_the_stepper_of_the_terminal_does(
    browser: Any, folder: Path, name: str
) -> None:
    if name == "odd":
        _, path = recorded(folder, "odd", ODD, "Net()", "torch.ones(20)", "5")
        breaks, watches = ["23", "odd.py:11", "%x.1", "x", "aten::sub"], ["x", "%i.1"]
    else:
        path = folder / "collatz.json"
        main(["run", f"{FUNCTIONS}:collatz", "--input", "6", "--record", str(path)])
        main(["report", str(path), "-o", str(folder / "collatz.html")])
        breaks, watches = ["25", "%steps.5", "prim::If", "n"], ["steps", "%n.13"]
    open_at(browser, (folder / f"{name}.html").as_uri(), "")
    session, chosen = Session(read_recording(path)), random.Random(name)
    for _ in range(120):
        action = chosen.choice(["step", "over", "out", "run", "break", "watch"])
        by = chosen.choice([1, 1, -1])
        text = chosen.choice(breaks if action == "break" else watches)
        expected = _moved(session, action, by, text)
        found = browser.execute_script(
            """
            const [action, by, text] = arguments, { run } = program.player;
            if (action === "break") run.breakpoints.delete(text) || run.addBreakpoint(text);
            else if (action === "watch") run.watched.delete(text) || run.watch(text);
            const move = { step: "step", over: "over", out: "out", run: "resume" }[action];
            const told = move ? run[move](by) : null;
            const values = run.values().map(({ name, text }) => [name, text]);
            const watched = [...run.watched.keys()].map((each) => run.watchedValue(each) ?? null);
            return [told, run.at, values, run.calls(), run.blocks().length, watched];
            """,
            action, by, text,
        )  # fmt: skip
        assert found == expected


def _moved(session: Session, action: str, by: int, text: str) -> list[Any]:
    """Do in a session what the page is asked to do; return what both tell."""
    told: Any = None
    if action == "break":
        known = [each for each in session.breakpoints if each.text == text]
        for each in known:
            session.breakpoints.remove(each)
        if not known:
            session.breakpoints.append(Breakpoint(session.recording, text))
    elif action == "watch":
        if text in session.watched:
            del session.watched[text]
        else:
            session.watch(text)
    elif action == "out":
        depth = session._depths[session.at]
        told = session._move(by, lambda number: session._depths[number] < depth)
    else:
        told = {"step": session.step, "over": session.next, "run": session.resume}[action](by)
    watched = [session.watched_value(each) for each in session.watched]
    return [
        told, session.at, [[name, value["text"]] for name, value in session.values()],
        [number for _, number in session.calls()], len(session.places),
        [value and value["text"] for value in watched],
    ]  # fmt: skip
