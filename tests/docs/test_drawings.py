"""Drawings of pages become pictures: each box and arrow is there, and boxes are apart."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import Any

import pytest

from tests.support.pages import blocks, page_names

HOOK: Any = pytest.importorskip("mkdocs_hooks.drawings", reason="`make docs` installs mkdocs")
DRAWINGS = [
    pytest.param(block.text, id=block.place)
    for page in page_names()
    for block in blocks(page)
    if block.language == "mermaid"
]


def picture(text: str) -> ET.Element:
    return ET.fromstring(HOOK.drawing(text))


def of_class(found: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in found.iter() if name in each.get("class", "").split()]


def texts(found: ET.Element) -> list[str]:
    return [each.text or "" for each in found.iter() if each.tag.endswith("text")]


@pytest.mark.parametrize("text", DRAWINGS)
def test_drawings_of_pages(text: str) -> None:
    found = picture(text)
    quoted = [line for label in re.findall(r'"(.+?)"', text) for line in label.split("<br>")]
    assert set(quoted) <= set(texts(found))
    assert len(of_class(found, "arrow")) == len(re.findall(r"(?:--|==)>", text))
    rectangles = [box for box in of_class(found, "box") if box.tag.endswith("rect")]
    assert rectangles and "nan" not in ET.tostring(found, "unicode").lower()


@pytest.mark.parametrize("text", DRAWINGS)
def test_boxes_are_apart_and_within(text: str) -> None:
    chart = HOOK._parse(text)
    HOOK._lay_out(chart)
    waiting = [chart]
    while waiting:
        around = waiting.pop()
        for one, other in combinations(around.boxes.values(), 2):
            apart_x = abs(one.x - other.x) - (one.width + other.width) / 2
            apart_y = abs(one.y - other.y) - (one.height + other.height) / 2
            assert max(apart_x, apart_y) > 5, (one.name, other.name)
        for box in around.boxes.values():
            assert 0 <= box.x - box.width / 2 and box.x + box.width / 2 <= around.width
            assert 0 <= box.y - box.height / 2 and box.y + box.height / 2 <= around.height
        waiting += [box for box in around.boxes.values() if isinstance(box, HOOK.Chart)]


def test_shapes_labels_and_subgraphs() -> None:
    found = picture(
        'flowchart TB\n    a(["a & b"]) -- yes --> b{"<c>"} == "two words" ==> c[("d<br>e")]\n'
        '    subgraph inner\n        direction LR\n        x --> y["%x.1"]\n    end\n'
        "    c --> inner\n"
    )
    assert sorted(texts(found)) == sorted(
        ["a & b", "yes", "<c>", "two words", "d", "e", "inner", "x", "%x.1"]
    )
    assert len(of_class(found, "around")) == 1 and len(of_class(found, "thick")) == 1
    assert len(of_class(found, "arrow")) == 4 and len(of_class(found, "head")) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sequenceDiagram\n    a --> b\n", "cannot begin"),
        ("flowchart RL\n    a --> b\n", "cannot begin"),
        ("flowchart LR\n    a -.-> b\n", "no arrow"),
        ("flowchart LR\n    a -->\n", "no arrow"),
        ('flowchart LR\n    a --> ["b"]\n', "no box"),
        ("flowchart LR\n    subgraph a\n    b --> c\n", "has no end"),
    ],
)
def test_what_cannot_be_drawn_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        picture(text)


def test_other_blocks_stay() -> None:
    page = "# Page\n\n```python\nx = 1\n```\n"
    assert HOOK.on_page_markdown(page, None) == page
    drawn = HOOK.on_page_markdown(f"{page}\n```mermaid\nflowchart LR\n    a --> b\n```\n", None)
    assert "```python\nx = 1\n```" in drawn and "mermaid" not in drawn and "<svg" in drawn
    assert drawn.startswith("# Page\n")
