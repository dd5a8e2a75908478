"""A browser without a window, for tests of pages: Debian's chromium and chromium-driver."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

REQUIRED = os.environ.get("MINITS_BROWSER") == "required"
"""Where it is, a test that lacks the browser fails, as in `.ci/run`."""


def missing() -> str | None:
    """Return what these tests lack, and how to get it; None if nothing."""
    programs = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if programs:
        return f"no {' and no '.join(programs)}: apt-get install chromium chromium-driver"
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "no selenium: pip install 'minits[test]'"
    return None


def started() -> Iterator[Any]:
    """Yield a browser, or skip. It is 1400 by 900, and keeps what pages write to the console."""
    reason = missing()
    if reason is not None:
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage",
                 "hide-scrollbars"):  # fmt: skip
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    yield browser
    browser.quit()


def resize(browser: Any, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def colour_scheme(browser: Any, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": name}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
