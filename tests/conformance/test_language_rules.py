"""The rules of the language: their programs exist and do what is said, the pages are up to date."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from conformance.language.evidence import minits_evidence, torch_evidence
from conformance.language.pages import FOLDER, pages
from conformance.language.rule import Rule, chapters

RULES = [(chapter.name, rule) for chapter in chapters() for rule in chapter.rules]


def test_ids_are_told_apart() -> None:
    ids = Counter(f"{chapter}.{rule.id}" for chapter, rule in RULES)
    assert [id for id, count in ids.items() if count > 1] == []


@pytest.mark.one_in(30)
@pytest.mark.parametrize("rule", [pytest.param(rule, id=f"{c}.{rule.id}") for c, rule in RULES])
def test_a_rule(rule: Rule) -> None:
    made = rule.implementation()
    assert inspect.isfunction(made) or inspect.isclass(made) or inspect.ismodule(made)
    assert rule.text
    for case in rule.shown:
        assert torch_evidence(case).passed("run"), f"{case.name} is refused by torch"
        assert minits_evidence(case).passed("run"), f"{case.name} is refused by minits"
    for case in rule.broken:
        assert torch_evidence(case).refused_at, f"{case.name} is accepted by torch"
        assert minits_evidence(case).refused_at, f"{case.name} is accepted by minits"


@pytest.mark.slow
def test_the_pages_are_up_to_date() -> None:
    written = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    found = pages()
    changed = [name for name in found.keys() | written if found.get(name) != written.get(name)]
    assert sorted(changed) == [], "run `python -m conformance language`"
