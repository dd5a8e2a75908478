"""Nothing under minits/ calls torch.jit's compiler."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "minits"
FORBIDDEN = re.compile(
    r"torch\.jit\b|torch\._C\.(_jit_script_compile|_jit_pass_\w+|parse_ir|_create_function_from_\w+)"
)


def dotted_names(tree: ast.AST) -> list[tuple[str, int]]:
    """Every dotted name that the code evaluates or imports, with its line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.append((ast.unparse(node), node.lineno))
        elif isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_module_reaches_into_the_oracle(path: Path) -> None:
    offending = [
        f"{path.name}:{line}: {name}"
        for name, line in dotted_names(ast.parse(path.read_text(encoding="utf-8")))
        if FORBIDDEN.match(name)
    ]
    assert not offending


@pytest.mark.parametrize(
    "code",
    [
        "import torch.jit",
        "from torch.jit import script",
        "torch._C._jit_pass_dce(g)",
        "x = torch.jit.script(f)",
    ],
)
def test_the_check_itself_bites(code: str) -> None:
    assert any(FORBIDDEN.match(name) for name, _ in dotted_names(ast.parse(code)))
