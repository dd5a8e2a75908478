"""The programs that a text compiles, read with `ast`, without running it.

    from torch import jit
    net = jit.script(Net(8))        # a call that names what is compiled

Calls in functions and in the main block are not run when the file is imported; their arguments are
evaluated where they consist of the module's names and literals. `model = Net(8)` in the same block
tells what `jit.script(model)` compiles.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from minits.records import dataclass, field

_MODULES = ("torch.jit", "minits")
_COMPILING = {f"{module}.script" for module in _MODULES}
_TRACING = {f"{module}.{name}" for module in _MODULES for name in ("trace", "trace_module")}
_CONCERNED = ("torch", "minits")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False, slots=True)
class CompileCall:
    """A call of `script` that importing the file does not run.

    argument: the expression, local names replaced by what they were assigned.
    """

    argument: ast.expr
    line: int


@dataclass(eq=False, slots=True)
class TextScan:
    """The parts of a text that matter to what is compiled.

    compiles: whether it compiles anything; compiles_functions: other than classes of objects.
    calls: calls of `script` in functions and in the main block.
    constructions: calls by the name of what is called, such as `Net(8, 2)`, anywhere.
    main_names: names that are called by module-level code, which are therefore Python's.
    """

    tree: ast.Module
    compiles: bool = False
    compiles_functions: bool = False
    concerns_torch: bool = False
    calls: list[CompileCall] = field(default_factory=list)
    constructions: dict[str, list[ast.Call]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    has_examples: bool = False
    main_names: set[str] = field(default_factory=set)


def scan_text(parsed: ast.Module) -> TextScan:
    """Return the calls, constructions and definitions of a text."""
    scan = TextScan(parsed)
    for node in ast.walk(parsed):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            scan.imports.update(_imported(node))
    scan.concerns_torch = any(
        name.partition(".")[0] in _CONCERNED for name in scan.imports.values()
    )
    for statement in parsed.body:
        if isinstance(statement, Function):
            scan.functions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            scan.classes[statement.name] = statement
        else:
            scan.main_names |= set(_called_names(statement))
            scan.has_examples |= ast.unparse(statement).startswith("example_inputs")
    for node in ast.walk(parsed):
        _scan_node(node, scan)
    for block in _blocks(parsed):
        scan.calls += _calls_of(block, scan.imports)
    return scan


def _scan_node(node: ast.AST, scan: TextScan) -> None:
    if isinstance(node, ast.Call):
        if full_name(node.func, scan.imports) in _COMPILING | _TRACING:
            scan.compiles = scan.compiles_functions = True
        name = dotted(node.func)
        if name is not None:
            scan.constructions.setdefault(name.rpartition(".")[2], []).append(node)
    elif isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        decorators = [getattr(each, "func", each) for each in node.decorator_list]
        if any(_is_script(each, scan.imports) for each in decorators):
            scan.compiles = True
            scan.compiles_functions |= not isinstance(node, ast.ClassDef)
        if isinstance(node, ast.ClassDef):
            scan.compiles |= any("ScriptModule" in (dotted(base) or "") for base in node.bases)


def dotted(node: ast.expr) -> str | None:
    """Return `a.b.c` for the expression of that text, and None for others."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return the meanings of the names of an import: `{"s": "torch.jit.script"}`."""
    if isinstance(node, ast.ImportFrom):
        prefix = "." * node.level + (node.module or "")
        return {alias.asname or alias.name: f"{prefix}.{alias.name}" for alias in node.names}
    return {
        alias.asname or alias.name.partition(".")[0]: (
            alias.name if alias.asname else alias.name.partition(".")[0]
        )
        for alias in node.names
    }


def full_name(node: ast.expr, imports: dict[str, str]) -> str | None:
    """Return a dotted name with the import that its first part comes from."""
    name = dotted(node)
    if name is None:
        return None
    first, dot, rest = name.partition(".")
    return f"{imports.get(first, first)}{dot}{rest}"


def _is_script(function: ast.expr, imports: dict[str, str]) -> bool:
    return full_name(function, imports) in _COMPILING


def _called_names(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def _blocks(parsed: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the bodies that importing does not run: of functions, and the main block."""
    for node in ast.walk(parsed):
        if isinstance(node, Function):
            yield node.body
    for statement in parsed.body:
        if isinstance(statement, ast.If) and "__main__" in ast.unparse(statement.test):
            yield statement.body


def _calls_of(block: list[ast.stmt], imports: dict[str, str]) -> Iterator[CompileCall]:
    assigned: dict[str, ast.expr] = {}
    for statement in block:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _is_script(node.func, imports) and node.args:
                yield CompileCall(_Locals(assigned).visit(_copied(node.args[0])), node.lineno)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            (target,) = statement.targets
            if isinstance(target, ast.Name):
                assigned[target.id] = _Locals(assigned).visit(_copied(statement.value))


def _copied(expression: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(expression), mode="eval").body


class _Locals(ast.NodeTransformer):
    """Replaces local names by what was assigned to them."""

    def __init__(self, assigned: dict[str, ast.expr]) -> None:
        self._assigned = assigned

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._assigned.get(node.id, node)
