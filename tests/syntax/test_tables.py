"""The parser's tables come from the cache, or are made anew where there is none."""

from pathlib import Path

import pytest

from minits.syntax import tables


@pytest.mark.parametrize("damage", [None, "", "{}", "[]", "i\0\0\0\0", "half", "no folder"])
def test_a_cache_that_cannot_be_used_is_no_fault(
    damage: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tables.load_tables()
    root = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(root))
    grammar = tables.read_grammar("torchscript.lark")
    path = tables._cache_path(grammar)
    if damage == "no folder":
        root.write_text("a file stands in the way")
    elif damage == "half":
        tables._write(path, expected)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif damage is not None:
        path.parent.mkdir(parents=True)
        path.write_text(damage)
    made = tables.load_tables.__wrapped__()
    assert made.rules == expected.rules
    assert len(made.actions) == len(expected.actions)


def test_no_home_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(self: Path) -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    assert tables.load_tables.__wrapped__().rules
