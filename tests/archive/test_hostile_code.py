"""Code that means harm, or is damaged, and states that classes set themselves."""

from __future__ import annotations

import time
import zipfile

import pytest

import minits
from minits.archive.reading.code_scope import REFUSED_OPERATORS
from minits.ops.registry import schemas_for
from tests.support.archives import CLASS, FORWARD, archive_of, packed, refused
from tests.support.hostile_archives import CODE, RECORDS, stateful


def test_blocks_of_code_in_one_another() -> None:
    compiled = minits.CompilationUnit(
        "def f(n: int):\n" + "    if n > 1:\n        return 1\n" * 30 + "    return 0\n"
    ).f
    refused(compiled.save_to_buffer(), "more than 20 blocks", blocks=20)


BOMBS = {
    "functions": "def f(x: Tensor) -> Tensor:\n  return torch.add(x, x)\n" * 200_000,
    "statements": f"class M(Module):\n{FORWARD}" + "    x = torch.add(x, x)\n" * 500_000,
    "elements": "class M(Module):\n  a : List[int] = [" + "1," * 6_000_000 + "1]\n",
    "lines": "\n" * 12_000_000,
    "comments": "#\n" * 6_000_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_holds_no_mass_of_code(name: str) -> None:
    """12 MB of code in some kB: it is refused before it is parsed."""
    code = {**RECORDS, "code/__torch__.py": BOMBS[name]}
    archive = packed(code, zipfile.ZIP_DEFLATED)
    assert len(archive.getvalue()) < 40_000
    began = time.process_time()
    refused(archive, "more than programs have")
    assert time.process_time() - began < 5


def test_code_of_programs_is_no_mass() -> None:
    """Statements that are alike, as of a trace of a loop: a thousand to the kB."""
    lines = [f"    _{n} = torch.add(_{n - 1}, x)\n" for n in range(1, 3000)]
    code = CLASS + FORWARD.replace("    return x", "    _0 = x\n" + "".join(lines) + "    return x")
    minits.load(packed({**RECORDS, "code/__torch__.py": code}, zipfile.ZIP_DEFLATED))


@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("class M(Module):\n  def f(self", "TS0"),
        ("class M(Other):\n  a : int\n", "no classes of the base Other"),
        ("import os\nos.system('true')\n" + CODE, "classes and functions, and nothing else"),
        (CODE + "  a = 3\n", "only enums assign"),
        (CODE + "  print(3)\n", "attributes and methods"),
        (CODE + FORWARD, "'forward' is defined twice"),
        (CODE + "  a : int\n  a : int\n", "'a' is defined twice"),
        (CODE + "  k : Final[int] = torch.add(1, 2)\n", "no literal"),
        (CODE + "  k : Final[int] = CONSTANTS.c0\n", "there is no constant c0"),
        (CODE + "  a : " + "List[" * 200 + "int" + "]" * 200 + "\n", "nested too deeply"),
        (CODE + "  a : torch.os.system\n", "Unknown type name"),
        (CODE + "  a : __torch__.nothing.Here\n", "Unknown type name"),
        (CODE + "  a : Set[int]\n", "Unknown type name|not a TorchScript type"),
        (CODE + "  __forward_hooks__ = ['nothing']\n", "no hook nothing"),
        (CODE + "  __parameters__ = [3]\n", "no list of names"),
        (CODE + "  a : __torch__.P\nclass P(NamedTuple):\n  b : __torch__.P\n", "of itself"),
        (CODE + "  a : __torch__.P\nclass P(NamedTuple):\n  _b : int\n", "no NamedTuple"),
        (CODE + "  a : __torch__.E\nclass E(Enum):\n  mro = 1\n", "no enum"),
        (CODE + "  a : __torch__.E\nclass E(Enum):\n  A = 1\n  B = 'a'\n", "all int"),
        (CLASS + FORWARD.replace("x: Tensor", "x: int=id(3)"), "no literal"),
    ],
)  # fmt: skip
def test_damaged_code(code: str, match: str) -> None:
    refused(archive_of(code), match)


@pytest.mark.parametrize(
    ("body", "match"),
    [
        ('torch.save(x, "file")', "reaches outside the program"),
        ('return torch.from_file("/etc/passwd")', "reaches outside the program"),
        ("ops.c10d.barrier()", "reaches outside the program"),
        ("return ops.inductor._reinterpret_tensor(x, [1], [1], 0)", "reaches outside the program"),
        ("return torch.nothing(x)", "Unknown builtin op"),
        ("return math.pi", "undefined value math"),
        ("return open(x)", "undefined value open"),
        ("return __torch__.nothing", "does not define"),
        ("return CONSTANTS.c1", "there is no constant c1"),
        ("return CONSTANTS.__class__", "there is no constant __class__"),
        ("return torch.__class__", "cannot be|builtin|function"),
        ("return ops.prim.__class__.__init__", "no attribute|cannot|builtin"),
        ("return __torch__.M.__class__", "unknown attribute"),
        ("try:\n      pass\n    except:\n      pass", "try blocks"),
        ("import os", "import statements"),
        ("return (lambda: 3)()", "lambda"),
        ("return __torch__.again(x, )", "called recursively"),
        ("return " + "(" * 3000 + "x" + ")" * 3000, "more than 200 brackets"),
        ("return " + "-" * 3000 + "1", "nested too deeply"),
    ],
)
def test_code_that_is_refused(body: str, match: str) -> None:
    code = CLASS + (
        f"  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    {body}\n"
        "def again(x: Tensor) -> Tensor:\n  return __torch__.again(x, )\n"
    )
    refused(archive_of(code), match)


def test_operators_that_are_refused_cannot_be_called_as_methods() -> None:
    for operator in REFUSED_OPERATORS:
        for schema in schemas_for(operator):
            assert all(argument.name != "self" for argument in schema.arguments), schema


@pytest.mark.slow
def test_setstate_ends() -> None:
    assert minits.load(stateful("    self.n = torch.add(state, 1)\n")).n == 6
    refused(stateful("    while True:\n      self.n = state\n"), "longer than it may")
    refused(stateful("    for i in range(100000000):\n      self.n = i\n"), "longer than it may")
    refused(stateful('    ops.prim.RaiseException("no")\n'), "__setstate__ of __torch__.M failed")
    refused(stateful("    pass\n"), "did not set 'n'")
