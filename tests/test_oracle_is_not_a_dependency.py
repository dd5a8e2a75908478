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
        if isinstance(node, ast.Attribute) and is_dotted(node):
            found.append((ast.unparse(node), node.lineno))
        elif isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def test_no_module_reaches_into_the_oracle() -> None:
    offending = [
        f"{path.relative_to(PACKAGE)}:{line}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for name, line in dotted_names(ast.parse(path.read_text(encoding="utf-8")))
        if FORBIDDEN.match(name)
    ]
    assert not offending


def is_dotted(node: ast.expr) -> bool:
    """Whether an expression is a name, or an attribute of one and so on."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


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
