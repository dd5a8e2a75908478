"""One mistake put into a program: most are refused, and all must be treated alike."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random

from conformance.fuzz.language.programs import Program

WRONG_VALUES = ("1", "1.5", "'a'", "None", "True", "[1]", "[]", "{}", "(1, 'a')", "torch.ones(2)",
                "undefined", "torch.undefined", "b", "{1: 2}", "...", "lambda: 1", "{1}",
                "[*[1]]", "f0", "self", "int", "x := 1", "1j", "b")  # fmt: skip
WRONG_TYPES = ("int", "str", "Optional[int]", "List[str]", "'Undefined'", "Tuple[int]", "float",
               "Dict[str, int]", "None", "List", "3", "Tensor", "Optional[Tensor]")  # fmt: skip
WRONG_STATEMENTS = ("break", "continue", "return", "return None", "pass", "del a", "a = None",
                    "a += 'x'", "assert False", "global a", "import math", "x: int", "a, b = 1",
                    "raise 3", "raise", "a.b = 1", "f0()", "a[0] = a", "yield 1",
                    "nonlocal a", "class A: pass", "def g(): pass", "a = b = c = a",
                    "try:\n    pass\nfinally:\n    pass", "for z in a: pass",
                    "while a: break", "with a: pass", "a()", "a @ a", "print(a, b)",
                    "a = [z for z in a if z]", "a = b", "(a, b) = (b, a)")  # fmt: skip
WRONG_NAMES = ("undefined", "a", "b", "append", "size", "pop", "upper", "v1", "v2", "f0", "len")


def mistaken(random: Random, program: Program) -> Program:
    """The program with one thing changed at random; Python still loads it."""
    before = ast.unparse(ast.parse(program.text))
    while True:
        tree = ast.parse(program.text)
        random.choice(MISTAKES)(random, tree)
        wrong = _loaded(tree)
        if wrong is not None and wrong.text != f"{before}\n":
            return wrong


def _loaded(tree: ast.Module) -> Program | None:
    """The tree as a program; None if Python does not take it."""
    try:
        program = Program(ast.unparse(ast.fix_missing_locations(tree)) + "\n", ())
        program.load().make()
    except Exception:  # a statement in the body of a class runs
        return None
    return program


def _some(random: Random, tree: ast.Module, *kinds: type[ast.AST]) -> ast.AST | None:
    found = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return random.choice(found) if found else None


def _expression(text: str) -> ast.expr:
    return ast.parse(f"({text})", mode="eval").body


def _wrong_value(random: Random, tree: ast.Module) -> None:
    """Another value in the place of an expression."""
    places = [
        (node, name, index)
        for node in ast.walk(tree)
        for name, value in ast.iter_fields(node)
        for index, part in enumerate(value if isinstance(value, list) else [value])
        if isinstance(part, ast.expr) and name not in ("annotation", "returns")
        if isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
    ]
    node, name, index = random.choice(places)
    new = _expression(random.choice(WRONG_VALUES))
    if isinstance(getattr(node, name), list):
        getattr(node, name)[index] = new
    else:
        setattr(node, name, new)


def _wrong_annotation(random: Random, tree: ast.Module) -> None:
    """Another type, or none, where one is annotated."""
    node = _some(random, tree, ast.arg, ast.FunctionDef, ast.AnnAssign)
    name = "returns" if isinstance(node, ast.FunctionDef) else "annotation"
    new = None if random.random() < 0.2 else _expression(random.choice(WRONG_TYPES))
    setattr(node, name, new)


def _wrong_name(random: Random, tree: ast.Module) -> None:
    """Another name for a variable, a method or an argument."""
    node = _some(random, tree, ast.Name, ast.Attribute, ast.keyword, ast.Name)
    field = {ast.Name: "id", ast.Attribute: "attr", ast.keyword: "arg"}[type(node)]
    setattr(node, field, random.choice(WRONG_NAMES))


def _wrong_statement(random: Random, tree: ast.Module) -> None:
    """A statement too many."""
    block = random.choice(_blocks(tree))
    block.insert(random.randint(0, len(block)), ast.parse(random.choice(WRONG_STATEMENTS)).body[0])


def _missing_statement(random: Random, tree: ast.Module) -> None:
    """A statement less, at the end of a block more often than elsewhere."""
    block = random.choice(_blocks(tree))
    del block[-1 if random.random() < 0.5 else random.randrange(len(block))]
    if not block:
        block.append(ast.Pass())


def _missing_branch(random: Random, tree: ast.Module) -> None:
    """An if without its else."""
    node = _some(random, tree, ast.If)
    if isinstance(node, ast.If):
        node.orelse = []


def _wrong_operator(random: Random, tree: ast.Module) -> None:
    """Another operator between operands."""
    node = _some(random, tree, ast.BinOp, ast.AugAssign, ast.Compare)
    operators = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.LShift, ast.BitAnd,
                 ast.MatMult, ast.FloorDiv)  # fmt: skip
    comparisons = (ast.Lt, ast.Eq, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.GtE)
    if isinstance(node, ast.Compare):
        node.ops[0] = random.choice(comparisons)()
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        node.op = random.choice(operators)()


def _wrong_arguments(random: Random, tree: ast.Module) -> None:
    """A call with an argument more, less, or twice."""
    node = _some(random, tree, ast.Call)
    if not isinstance(node, ast.Call):
        return
    match random.randint(0, 3):
        case 0 if node.args:
            del node.args[-1]
        case 1:
            node.args.append(_expression(random.choice(WRONG_VALUES)))
        case 2:
            name = random.choice(WRONG_NAMES)
            node.keywords.append(ast.keyword(name, _expression(random.choice(WRONG_VALUES))))
        case _ if len(node.args) > 1:
            node.args.reverse()


def _blocks(tree: ast.Module) -> list[list[ast.stmt]]:
    blocks = [
        getattr(node, name, None)
        for node in ast.walk(tree)
        if not isinstance(node, ast.Module | ast.IfExp | ast.Lambda)
        for name in ("body", "orelse")
    ]
    return [block for block in blocks if isinstance(block, list) and block]


MISTAKES: tuple[Callable[[Random, ast.Module], None], ...] = (
    _wrong_value,
    _wrong_value,
    _wrong_annotation,
    _wrong_name,
    _wrong_statement,
    _missing_statement,
    _missing_branch,
    _wrong_operator,
    _wrong_arguments,
)
