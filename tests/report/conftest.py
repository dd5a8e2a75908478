"""The browser of the tests of pages, one for each file, and a folder for its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import started


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from started()


@pytest.fixture(scope="module")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")
