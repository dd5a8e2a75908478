"""Drawn wrong programs: programs of the suite, each with a mistake that people make.

A mistake is a statement that is put into a function, or a change of the function itself: an
annotation that is lost, `*args`, a `try` around a statement. `{x}` stands for a parameter.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).parents[2] / "conformance" / "cases"
CHAPTERS = ("functions", "modules", "for_loops", "if_statements", "classes", "lists_and_dicts")

IMPORTS = """import torch
import collections, copy, logging, math, os, random, time, warnings
import numpy as np
import torch.nn.functional as F
LOG = logging.getLogger("log")
COUNT = 0
TABLE = {"a": 1}
"""

STATEMENTS = """
print(f"{{{x}:.2f}}")
print(f"{{{x}=}}")
print("a", {x}, sep="")
print("%.2f" % 1.5, end="")
print("{{:>8}}".format({x}))
logging.info("message")
LOG.info("message")
LOG.debug(f"{{{x}}}")
warnings.warn("message", UserWarning)
warnings.warn("message", stacklevel=2)
start = time.time()
noise = random.random()
size = np.sqrt(2.0)
array = np.zeros(3)
array = np.array([1, 2, 3])
array = torch.from_numpy(np.ones(2))
array = torch.ones(2).numpy()
kind = np.float32
path = os.path.join("a", "b")
queue = collections.deque([1, 2])
counts = collections.defaultdict(int)
counter = collections.Counter([1, 2])
copied = copy.deepcopy({x})
total = sum(i for i in range(3))
largest = max(i * 2 for i in range(3))
found = any(i > 1 for i in range(3))
every = all(i > 1 for i in range(3))
pairs = dict(zip(["a"], [1]))
text = ", ".join(str(i) for i in range(3))
squares = (i * i for i in range(3))
lists = [i + j for i in range(2) for j in range(2)]
evens = [i for i in range(4) if i % 2 == 0]
mixed = {{"a": 1, "b": "c"}}
mixed = {{"a": torch.ones(1), "n": 1}}
mixed = [1, "a"]
mixed = [torch.ones(1), 1]
mixed = [1, None]
mixed = [1, 2.5]
names = {{1, 2, 3}}
unique = set([1, 2])
add = lambda v: v + 1
ordered = sorted([2, 1], key=lambda v: -v)
ordered = sorted({{"a": 1}}.items())
best = max([1, 2], key=lambda v: -v)
best = min([1, 2], default=0)
doubled = list(map(lambda v: v * 2, [1, 2]))
positive = list(filter(lambda v: v > 0, [1, 2]))
backwards = list(reversed([1, 2]))
numbered = [i for i, v in enumerate([3, 4], start=1)]
is_number = isinstance({x}, (int, float))
is_array = isinstance({x}, np.ndarray)
is_int = type({x}) == int
name = type({x}).__name__
identity = id({x})
global COUNT; COUNT += 1
limit = TABLE["a"]
value = +1
import math as m
if (n := 3) > 2: print(n)
xs = []; xs.append(1)
xs = []; xs.append("a")
xs = []; xs.append((1, 2.0))
xs = []; xs.append([1])
xs = []; xs += [1]
xs = []; xs.extend([1, 2])
xs = list(); xs.append(1)
d = {{}}; d["a"] = 1
d = {{}}; d[1] = torch.ones(1)
d = dict(); d["a"] = 1
d = dict(a=1, b="c")
d = {{"a": 1}}; d2 = {{**d, "b": 2}}
total = 0; total += 0.5
total = 0
for i in range(3): total += 0.5
best = None
for i in range(3): best = i
best = None; best = torch.ones(1)
half = [0] * (5 / 2)
for i in range(5 / 2): print(i)
for i in range(torch.ones(1).item()): print(i)
for a, b in {{"a": 1}}: print(a)
count = len(5)
first, *rest = [1, 2, 3]
a = b = torch.ones(1)[0]
chosen = 1 if {x} is None else None
chosen = 1 if True else "a"
flag = 1; flag = "a"
empty = ()
nothing = ...
z = torch.ones(2).astype("float32")
z = torch.ones(2).tolist()
z = torch.ones(2).item() + "a"
z = torch.ones(2).softmaxx(0)
z = torch.ones(2).sahpe
z = torch.ones(2).to("cuda:0" if 1 > 2 else None)
z = torch.ones(2, 2)["a"]
z = torch.tensor([torch.ones(1), torch.ones(1)])
z = torch.cat(torch.ones(2), torch.ones(2))
z = torch.stack(torch.ones(2), torch.ones(2))
z = torch.zeros(2.5)
z = torch.ones(2).view("a")
z = torch.ones(2).sum(axes=0)
z = torch.ones(2).sum(dimm=0)
z = F.softmax(torch.ones(2), dims=0)
z = F.dropout(torch.ones(2), "a")
z = math.sqrt("a")
z = math.foo(1.0)
z = "abc".removeprefix("a")
z = "abc".casefold()
z = "abc" + 1
z = 1 + "abc"
z = "%s %d" % ("a", 1)
z = "a" * 2.0
z = [1, 2].foo()
z = [1, 2] + (3,)
z = [1, 2]["a"]
z = {{"a": 1}}[1]
z = {{"a": 1}}.get("a") + 1
z = (1, 2)[{x}]
z = 5[0]
z = round(2.567, 2)
z = divmod(7, 2)
z = pow(2, 3, 5)
z = int("5", 16)
z = bool("a")
z = complex(1, 2) > 1j
z = hash("a")
z = abs("a")
z = next(iter([1, 2]))
z = next(v for v in [1, 2] if v > 1)
xs = [1, 2]; z = next(iter(xs))
d = collections.OrderedDict(); d["a"] = 1
d: dict[str, int] = collections.OrderedDict(); d["a"] = 1
z = open("a").read()
z = input()
z = eval("1")
z = getattr({x}, "shape")
z = hasattr({x}, "shape")
z = vars({x})
z = callable({x})
z = undefined_name
z = torh.ones(1)
z = Foo()
z = [1, 2, 3][::0]
assert {x} is not None, f"bad {{{x}:3}}"
raise ValueError
raise "text"
del {x}.foo
del undefined
with open("a") as f: print(f)
with torch.autograd.set_detect_anomaly(True): print(1)
while [1]: break
if torch.ones(2): print(1)
if [1, 2]: print(1)
if "a": print(1)
for line in 5: print(line)
match 1:
    case 1: print(1)
def inner(v): return v + 1
class Inner: pass
yield 1
return None
return 1, "a"
"""


class WrongProgram(NamedTuple):
    """A program with a mistake; `case` and `mistake` tell where it came from.

    entry: the function that has the mistake, or `build`, which makes the module that has it.
    """

    case: str
    mistake: str
    entry: str
    text: str


def wrong_programs(count: int, seed: int) -> Iterator[WrongProgram]:
    """Yield programs: each mistake in turn, put into a program that is drawn."""
    draw = random.Random(seed)
    cases = [path for chapter in CHAPTERS for path in sorted((CASES / chapter).glob("*.py"))]
    mistakes: list[tuple[str, Change]] = [(text, _inserted(text)) for text in statements()]
    mistakes += [(change.__name__.strip("_"), change) for change in CHANGES]
    made = 0
    while made < count:
        name, change = mistakes[made % len(mistakes)]
        path = draw.choice(cases)
        module = ast.parse(path.read_text(encoding="utf-8"))
        functions = list(_compiled_functions(module))
        if not functions:
            continue
        chosen = draw.choice(functions)
        changed = change(chosen, draw)
        if not changed:
            mistakes[made % len(mistakes)] = mistakes[draw.randrange(len(mistakes))]
            continue
        _add_imports(module)
        entry = chosen.name if chosen in module.body else "build"
        text = ast.unparse(module) + "\n"
        yield WrongProgram(f"{path.parent.name}/{path.stem}", name, entry, text)
        made += 1


def statements() -> list[str]:
    """Return the statements with mistakes."""
    found: list[str] = []
    for line in STATEMENTS.strip().splitlines():
        if line.startswith(("    ", "for i in range(3):")):
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found


def _add_imports(module: ast.Module) -> None:
    place = 1 if ast.get_docstring(module) else 0
    while place < len(module.body) and ast.unparse(module.body[place]).startswith(
        "from __future__"
    ):
        place += 1
    module.body[place:place] = ast.parse(IMPORTS).body


def _compiled_functions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a case, and the `forward` of its modules, that have parameters."""
    for each in module.body:
        if isinstance(each, ast.FunctionDef) and each.name not in ("build", "inputs"):
            yield each
        if isinstance(each, ast.ClassDef) and not _is_interface(each):
            for part in each.body:
                if isinstance(part, ast.FunctionDef) and part.name == "forward":
                    yield part


def _is_interface(cls: ast.ClassDef) -> bool:
    return any(ast.unparse(each).endswith("interface") for each in cls.decorator_list)


Change = Callable[[ast.FunctionDef, random.Random], bool]
"""Puts a mistake into a function; returns whether it could."""


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [each for each in function.args.args if each.arg != "self"]


def _inserted(text: str) -> Change:
    def insert(function: ast.FunctionDef, draw: random.Random) -> bool:
        parameters = _parameters(function)
        if not parameters:
            return False
        statements = ast.parse(text.format(x=draw.choice(parameters).arg)).body
        at = 1 if ast.get_docstring(function) is not None else 0
        if isinstance(statements[-1], (ast.Return, ast.Raise)):
            test = ast.parse(f"if len('{function.name}') > 99: pass").body[0]
            assert isinstance(test, ast.If)
            test.body = statements
            statements = [test]
        function.body[at:at] = statements
        return True

    return insert


def _lost_annotation(function: ast.FunctionDef, draw: random.Random) -> bool:
    annotated = [each for each in _parameters(function) if each.annotation is not None]
    if not annotated:
        return False
    draw.choice(annotated).annotation = None
    return True


def _lost_annotations(function: ast.FunctionDef, draw: random.Random) -> bool:
    for each in _parameters(function):
        each.annotation = None
    return True


def _lost_annotation_of_variable(function: ast.FunctionDef, draw: random.Random) -> bool:
    for block in _blocks(function):
        for n, each in enumerate(block):
            if isinstance(each, ast.AnnAssign) and each.value is not None:
                block[n] = ast.Assign([each.target], each.value, lineno=0)
                return True
    return False


def _wrong_result(function: ast.FunctionDef, draw: random.Random) -> bool:
    function.returns = ast.parse(draw.choice(["int", "str", "bool", "None", "float"])).body[0].value  # type: ignore[attr-defined]
    return True


def _variable_arguments(function: ast.FunctionDef, draw: random.Random) -> bool:
    if draw.random() < 0.5:
        function.args.vararg = ast.arg("args")
    else:
        function.args.kwarg = ast.arg("kwargs")
    return True


def _default_of_another_type(function: ast.FunctionDef, draw: random.Random) -> bool:
    if not function.args.args or function.args.args[-1].arg == "self":
        return False
    value = draw.choice(["None", "[]", "{}", "1.5", "'a'", "True"])
    function.args.defaults = [ast.parse(value).body[0].value]  # type: ignore[attr-defined]
    return True


def _caught(function: ast.FunctionDef, draw: random.Random) -> bool:
    body = ast.parse("try:\n    pass\nexcept Exception:\n    pass").body
    handler = body[0]
    assert isinstance(handler, ast.Try)
    handler.body = [function.body[0]]
    function.body[0] = handler
    return True


def _optional(function: ast.FunctionDef, draw: random.Random) -> bool:
    annotated = [each for each in _parameters(function) if each.annotation is not None]
    if not annotated:
        return False
    chosen = draw.choice(annotated)
    assert chosen.annotation is not None
    chosen.annotation = ast.parse(f"'Optional[{ast.unparse(chosen.annotation)}]'").body[0].value  # type: ignore[attr-defined]
    return True


def _misspelled(function: ast.FunctionDef, draw: random.Random) -> bool:
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and len(n.id) > 3]
    names = [each for each in names if isinstance(each.ctx, ast.Load)]
    if not names:
        return False
    name = draw.choice(names)
    name.id = name.id[:-2] + name.id[-1] + name.id[-2]
    return True


def _returned_none(function: ast.FunctionDef, draw: random.Random) -> bool:
    last = function.body[-1]
    if not isinstance(last, ast.Return):
        return False
    last.value = None if draw.random() < 0.5 else ast.Constant(None)
    return True


CHANGES: list[Change] = [
    *[_lost_annotation] * 14, *[_lost_annotations] * 8, *[_lost_annotation_of_variable] * 8,
    *[_wrong_result] * 6, *[_variable_arguments] * 4, *[_default_of_another_type] * 8,
    *[_caught] * 3, *[_optional] * 10, *[_misspelled] * 6, *[_returned_none] * 6,
]  # fmt: skip


def _blocks(function: ast.FunctionDef) -> Iterator[list[Any]]:
    for part in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(part, name, None)
            if isinstance(block, list):
                yield block
