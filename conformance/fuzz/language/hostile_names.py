"""Names that make trouble: those of Python, C, torch, and of what minits generates.

def f0(a: int) -> int:            def malloc(linux: int) -> int:
    v1 = a + 1              -->       torch_add = linux + 1
    return v1                         return torch_add
"""

from __future__ import annotations

import ast
import keyword
from dataclasses import replace
from random import Random

from conformance.fuzz.language.programs import MAIN, Program

GENERATED = """
    torch_add aten_add_Tensor constant copied wrap kernel_0 loop trips again entered warned values
    by_number raised enter exit wait fork _t _d _ v3 x args kwargs last guard then launch find turn
    call MISSING run take i0 i1 o0 d key_of getattr_ self_ __minits_stacks__ _minits result results
    given kept owner a0 m0 own made_1 match case type _private forward training state pool out
""".split()
OF_PYTHON = """
    len range str list sum abs set int float bool min max isinstance getattr print dict tuple object
    id type Exception sorted zip enumerate any all map filter hash repr round input vars super
    property callable iter next open ord chr hex divmod reversed slice complex bytes
""".split()
OF_C = """
    linux unix main errno malloc free memcpy strlen printf putchar write abort pow gamma y0 index
    isnan qsort auto register restrict typeof constexpr nullptr alignas signed unsigned short long
    double char void struct union switch const static extern volatile goto default do enum inline
    size_t int32_t int64_t uint8_t INT64_MAX NULL EOF mts_list mts_value mts_run_group MTS_INT
    group method arguments groups site model model_call text error template near this new delete
""".split()
POOL = tuple(dict.fromkeys((*GENERATED, *OF_PYTHON, *OF_C)))
CALLED = ("len", "range", "sum", "abs", "set")
"""Builtins that generated code calls."""
TYPES = ("int", "float", "bool", "str", "complex", "bytes", "list", "dict", "tuple", "property")
"""Names that annotations and decorators within a class would find in it. Functions and classes
have no names of builtins: where these are called, torch.jit finds the builtin."""


def renamed(random: Random, program: Program) -> Program:
    """The program with other names for most of its functions, classes, members and variables."""
    tree = ast.parse(program.text)
    own, members = _own_names(tree), _members(tree)
    called = {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    others = {
        name
        for node in ast.walk(tree)
        for name in (getattr(node, "id", None), getattr(node, "attr", None))
        if name is not None and name not in own | members
    }
    free = [name for name in POOL if name not in others and not keyword.iskeyword(name)]
    random.shuffle(free)
    meaning: dict[str, str] = {}
    for name in sorted(own | members):
        hidden = TYPES if name in members else OF_PYTHON if name in called else ()
        fitting = [each for each in free if each not in hidden]
        if name in members and random.random() < 0.5:
            fitting = [each for each in fitting if each in CALLED] or fitting
        if fitting and random.random() < 0.7:
            meaning[name] = fitting[0]
            free.remove(fitting[0])
    return replace(program, text=f"{ast.unparse(_Renamer(meaning).visit(tree))}\n")


def _own_names(tree: ast.AST) -> set[str]:
    """The functions, classes, parameters and variables of a program, members aside."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
    return {name for name in names - _members(tree) - {MAIN, "self"} if not name.startswith("__")}


def _members(tree: ast.AST) -> set[str]:
    """The attributes, methods and properties of the classes of a program."""
    methods = {
        part.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("__")
    }
    attributes = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    return methods | attributes


class _Renamer(ast.NodeTransformer):
    def __init__(self, meaning: dict[str, str]) -> None:
        self.meaning = meaning

    def visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "attr", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and name in self.meaning:
                setattr(node, field, self.meaning[name])
        self.generic_visit(node)
        return node
