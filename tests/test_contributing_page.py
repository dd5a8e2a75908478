"""What CONTRIBUTING.md names is there: files, and names in the file that is named before them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TOPS = ("minits", "tests", "conformance", "docs", "grammar")
PATHS = [
    path
    for path in re.findall(r"`([\w/.]+)`", TEXT)
    if "/" in path and path.startswith(tuple(f"{top}/" for top in TOPS))
]


def test_files_that_are_named_exist() -> None:
    assert len(PATHS) > 30
    assert [path for path in PATHS if not (ROOT / path).exists()] == []


def test_tables_that_are_named_exist() -> None:
    tables = {name for name in re.findall(r"`(_?[A-Z][A-Z_]+)`", TEXT) if name != "UPDATE"}
    files = [ROOT / path for path in PATHS if path.endswith(".py")]
    files += [
        ROOT / "minits/frontend/emit/statements.py",
        ROOT / "minits/frontend/extended/visitor.py",
        ROOT / "tests/passes/test_against_torch.py",
    ]
    files += [ROOT / "minits/syntax/extensions/__init__.py"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in tables if not re.search(rf"^{name}\b", text, re.MULTILINE)] == []
