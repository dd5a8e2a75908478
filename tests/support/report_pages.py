"""Report pages in a browser: they are written, opened, read and clicked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from minits.cli.main import command_line, main
from minits.cli.report_page import collect
from minits.report.model import Page
from minits.report.page import render


def written(folder: Path, target: str, *arguments: str) -> str:
    """Write the page of a target; return its address."""
    page, faults = collect(
        command_line().parse_args(["report", target, *arguments, "-o", "page.html"])
    )
    assert not faults
    return save(folder, page)


def save(folder: Path, page: Page) -> str:
    path = folder / "page.html"
    path.write_text(render(page), encoding="utf-8")
    return path.as_uri()


def open_at(browser: Any, address: str, place: str) -> None:
    browser.get("about:blank")
    browser.get(f"{address}#{place}")


def texts(browser: Any, selector: str) -> list[str]:
    """Return the texts of what a selector finds in the program that is shown."""
    found = browser.execute_script(
        "return [...document.querySelectorAll('.program.shown ' + arguments[0])]"
        ".map((each) => each.textContent)",
        selector,
    )
    return [text.strip() for text in found]


def code(browser: Any, selector: str) -> list[str]:
    return texts(browser, f"{selector} code")


def element(browser: Any, selector: str, text: str) -> Any:
    """Return the last element that a selector finds and that has this text, or is all of it."""
    return browser.execute_script(
        "const all = [...document.querySelectorAll('.program.shown ' + arguments[0])];"
        "return all.findLast((each) => each.textContent === arguments[1])"
        " ?? all.findLast((each) => each.textContent.includes(arguments[1]))",
        selector,
        text,
    )


def until(browser: Any, condition: Callable[[], Any]) -> None:
    """Wait until a condition holds: an address that is followed is read a moment later."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 10).until(lambda _: condition())


def press(browser: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def hover(browser: Any, target: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).move_to_element(target).perform()


def click(browser: Any, target: Any) -> None:
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    target.click()


# ---- Recorded runs ---------------------------------------------------------------------------


def recorded(folder: Path, name: str, text: str, module: str, *inputs: str) -> tuple[str, Path]:
    """Record a program, remove it, and write the page; return its address, and the recording."""
    program, recording = folder / f"{name}.py", folder / f"{name}.json"
    program.write_text(text)
    given = [word for value in inputs for word in ("--input", value)]
    main(["run", str(program), "--module", module, *given, "--record", str(recording)])
    program.unlink()
    assert main(["report", str(recording), "-o", str(folder / f"{name}.html")]) == 0
    return (folder / f"{name}.html").as_uri(), recording


def move(page: Any, name: str) -> None:
    click(page, page.find_element("css selector", f".program.shown [data-move={name}]"))


def told(page: Any) -> str:
    return "\n".join(texts(page, ".told p, .told li"))


def now(page: Any) -> tuple[str, str]:
    """Return the marked line of the source, and that of the graph."""
    (source,), (graph,) = code(page, ".source .now"), code(page, ".rows .now")
    return source.strip(), graph.strip()
