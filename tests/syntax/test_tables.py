"""The parser's tables come from the cache, or are made anew where there is none."""

from pathlib import Path

import pytest

from minits.syntax import tables


@pytest.mark.one_in(6)
@pytest.mark.parametrize("damage", [None, "", "{}", "[]", "i\0\0\0\0", "half", "no folder"])
def test_a_cache_that_cannot_be_used_is_no_fault(
    damage: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = tables.load_tables()
    root = tmp_path / "cache"
    monkeypatch.setenv("MINITS_CACHE", str(root))
    if damage == "no folder":
        root.write_text("a file stands in the way")
        assert len(tables.load_tables.__wrapped__().actions) == len(expected.actions)
        return
    path = tables._cache_path(tables.read_grammar("torchscript.lark"))
    if damage == "half":
        tables._write(path, expected)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif damage is not None:
        path.write_text(damage)
    made = tables.load_tables.__wrapped__()
    assert made.rules == expected.rules
    assert len(made.actions) == len(expected.actions)


def test_no_home_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("MINITS_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: "~/.cache/minits")
    assert tables.load_tables.__wrapped__().rules
    assert not Path("~").exists()


def test_tables_that_others_can_write_to_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    path = tables._cache_path(tables.read_grammar("torchscript.lark"))
    path.write_bytes(b"i\0\0\0\0")
    path.chmod(0o666)
    assert tables.load_tables.__wrapped__().rules
