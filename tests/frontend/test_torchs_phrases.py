"""Messages have torch's phrases, and underline what torch underlines: tools look for both."""
# ruff: noqa: UP006, UP035

import itertools
import linecache
import math
import re
import textwrap
from typing import Any, Dict, List, Union

import pytest
import torch

import minits
from minits.source import SourceFile, SourceRange
from minits.source_excerpt import highlight

PROGRAMS = [
    ("x.frobnicate()", "object has no attribute or method 'frobnicate'"),
    ("x + nowhere", "undefined value nowhere"),
    ("math.hypot(1.0, 2.0)", "Python builtin <built-in function hypot> is currently not supported"),
    ("math.nowhere", "object has no attribute nowhere"),
    ("n(1)", "cannot call a value"),
    ("n[0]", "'int' object is not subscriptable"),
    ("[i for i in n]", "'int' object is not iterable"),
    ("1 if (x, x) else 2", "Could not cast value of type Tuple[Tensor, Tensor] to bool"),
    ("torch.neg", "builtin cannot be used as a value"),
    ("torch.neg.missing", "attribute lookup is not defined on builtin"),
    (
        "helper(values=n)",
        "Expected a value of type 'List[int]' for argument 'values' but instead found",
    ),
    ("helper()", "Argument values not provided"),
    ("helper([1], [2])", "Expected at most 1 arguments but found 2 positional arguments"),
    ("helper([1], other=2)", "Keyword argument other unknown"),
    ("torch.add(x, 'a')", "Arguments for call are not valid"),
    ("x.sum(x)", "Inferred the value for argument 'dim' to be of type 'Tensor' because it was"),
    ("torch.LongTensor(hello=n)", "Got kwarg hello"),
    ("torch.LongTensor(1, device='cpu', dtype=n)", "Got multiple kwargs"),
    ("[1].append('a')", "previously matched to type int"),
    ("range()", "range expected at least 1 arguments, got 0"),
    ("range(1, 2, 3, 4)", "range expected at most 3 arguments, got 4"),
    ("[0 for _ in range(1.5)]", "all inputs of range must be ints, found float"),
    ("[i for i in zip()]", "zip expected at least 1 arguments, got 0"),
    ("hasattr(x, n)", "hasattr's second argument must be a string literal"),
    ("(1, 2.5)[n]", "because we cannot resolve the output type"),
    ("(1, 2)[3]", "Tuple index out of range"),
    ("{'a': 1, 2: 3}", "Dict keys must contain only a single type"),
    ("x[1.5]", "Unsupported operation: indexing tensor with unsupported index type 'float'"),
    ("x[..., ...]", "An index can only have a single ellipsis"),
    ("helper(*[1])", "cannot statically infer the expected size of a list"),
    ("Holder(1).shared", "'shared' is defined as a class attribute"),
    ("[1][slice(0, stop=1)]", "Slice does not accept any keyword arguments"),
    ("torch.set_anomaly_enabled(True)", "This op may not exist or may not be currently supported"),
    ("takes_pair(Holder(1))", "does not have method 'second'"),
    ("1 if Vague() else 2", "expected a bool expression for condition but found int"),
    ("{**{1: 2}}", "Dict expansion (e.g. `{**dict}`) is not supported"),
    ("helper(**{'values': [1]})", "keyword-arg expansion is not supported"),
    ("f'{n!r}'", "Don't support conversion in JoinedStr"),
    ("f'{n:3}'", "Don't support formatting in JoinedStr"),
    ("[i for i in [1] if i]", "Comprehension ifs are not supported yet"),
    ("[i for i in [1] for j in [2]]", "Only a single generator is currently supported"),
]
STATEMENTS = [
    ("n: str = 1", "is annotated with type str but is being assigned to a value of type int"),
    ("a, b = 1, 2, 3", "too many values to unpack: need 2 but found 3"),
    ("a, b, c = 1, 2", "need 3 values to unpack but found only 2"),
    ("a, b = n", "int cannot be used as a tuple"),
    ("(1, 2)[0] += 1", "does not support augmented assign"),
    ("a = (1, 2)\na[0] = 1", "does not support subscripted assignment"),
    ("if n > 1:\n    n = 'a'", "previously had type int but is now being assigned to a value of"),
    ("if n > 1:\n    a = 1\nprint(a)", "a is not defined in the false branch"),
    (
        "if n > 1:\n    a = 1\nelse:\n    a = 1.5\nprint(a)",
        "a is set to type int in the true branch",
    ),
    ("values: List[int] = [1.5]", "did not match the types of the given list elements"),
    ("y: slice = {}", "Unknown type name 'slice'"),
    ("values: int = [1]", "Expected an annotation of type List"),
    ("for i in [1]:\n    pass\nelse:\n    pass", "else branches of for loops aren't supported"),
    ("del x.y", "del statements are only supported for deleting"),
    ("raise n", "exceptions must derive from BaseException"),
    ("with n:\n    pass", "With item expression must return an object"),
    ("values = x.tolist()", "Expected type hint for result of tolist()"),
    ("a: List[str] = x.tolist()", "str is not one of the supported element types for tolist"),
    ("a: Union[int, str] = [x]", "Expected an Union type annotation with an inner List type"),
    ("a: Union[int, str] = {}", "Expected an Union type annotation with an inner Dict type"),
    ("a: Union[List[str], List[int]] = []", "there are multiple possible List type candidates in"),
    ("a: Union[List[str], List[int]] = [x]", "none of those types match the types of the given"),
    (
        "a: Union[Dict[str, str], Dict[str, int]] = {'a': x}",
        "none of those dict types can hold the types of the given keys and values",
    ),
    ("a: Dict[str, str] = {'a': x}", "the type of values given by the dict literal is Tensor"),
    (
        "a: Union[Dict[str, str], Dict[str, int]] = dict(a=1)",
        "full type inference is not yet supported for",
    ),
    ("with Few():\n    pass", "__exit__ must have four arguments"),
    ("with Typed():\n    pass", "argument 2 of __exit__ must have Any type"),
]


def helper(values: List[int]) -> int:
    return len(values)


def frobnicates(x):
    return x.frobnicate()


class Holder:
    shared = 3

    def __init__(self, held: int):
        self.held = held

    def first(self) -> int:
        return self.held


class Few:
    def __init__(self) -> None:
        self.held = 1

    def __enter__(self) -> None:
        pass

    def __exit__(self, type: Any, value: Any) -> None:
        pass


class Typed:
    def __init__(self) -> None:
        self.held = 1

    def __enter__(self) -> None:
        pass

    def __exit__(self, type: Any, value: int, traceback: Any) -> None:
        pass


class Vague:
    def __init__(self) -> None:
        self.truth = 1

    def __bool__(self) -> int:
        return self.truth


@torch.jit.interface
class Pair:
    def first(self) -> int:
        pass

    def second(self) -> int:
        pass


def takes_pair(pair: Pair) -> int:
    return pair.first()


def compiled_error(compile: Any, body: str, name: str) -> str:
    """What is said of a function with this body."""
    text = f"def program(x, n: int):\n    before = 0\n{textwrap.indent(body, '    ')}\n"
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {
        "__name__": __name__, "torch": torch, "math": math, "helper": helper, "List": List,
        "frobnicates": frobnicates, "Dict": Dict, "Union": Union, "Few": Few, "Typed": Typed,
        "Holder": Holder, "Vague": Vague, "takes_pair": takes_pair,
    }  # fmt: skip
    exec(compile_text(text, file), scope)
    with pytest.raises(Exception) as caught:
        compile(scope["program"])
    return str(caught.value)


def compile_text(text: str, file: str) -> Any:
    import warnings

    with warnings.catch_warnings():  # CPython warns of some of these programs itself
        warnings.simplefilter("ignore")
        return compile(text, file, "exec")


def underlined(text: str) -> list[str]:
    """The lines that are marked, with their marks."""
    lines = text.splitlines()
    return [
        f"{before}\n{line}"
        for before, line in itertools.pairwise(lines)
        if re.fullmatch(r" *~+( <--- HERE)?", line)
    ]


BODIES = [(f"return {text}", phrase) for text, phrase in PROGRAMS] + STATEMENTS


@pytest.mark.parametrize("body, phrase", BODIES, ids=[phrase for _, phrase in BODIES])
def test_phrase(body: str, phrase: str) -> None:
    expected = compiled_error(torch.jit.script, body, "torchs_phrase")
    found = compiled_error(minits.script, body, "torchs_phrase")
    assert phrase in expected
    assert phrase in found
    assert re.search(r"\[TS\d{3}\]", found)


TEXTS = [
    ("return [x x]", "expected ] but found"),
    ("return (x x)", "expected ) but found"),
    ("return program(x x)", "expected ) but found"),
    ("x + 1 = x", "unexpected expression on left-hand side of assignment"),
    ("x, x += x, x", "augmented assignment can only have one LHS expression"),
    ("x + 1 += x", "unexpected expression on left-hand side of augmented assignment"),
    ('print("\n', "expected a valid token but found"),
    ("break", "SyntaxError: 'break' outside loop"),
    ("continue", "SyntaxError: 'continue' outside loop"),
    ("for y in x, x:\n        pass", "List of iterables is not supported currently"),
    ("y: Tuple[(int,)] = (1,)", "Tuple literal in Tuple type annotation must not have any"),
    ("y: List[(int,)] = [1]", "Expression of type tuple-literal cannot be used in a type"),
]


@pytest.mark.parametrize("body, phrase", TEXTS, ids=[phrase for _, phrase in TEXTS])
def test_phrase_for_a_text(body: str, phrase: str) -> None:
    for unit in (torch.jit.CompilationUnit, minits.CompilationUnit):
        with pytest.raises(RuntimeError) as caught:
            unit(f"def program(x):\n    {body}\n")
        assert phrase in str(caught.value)


class Declares:
    def __init__(self, held: int):
        self.held = held

    def hold(self, held: int) -> None:
        self.held: int = held


class NeverMade(torch.jit.ScriptModule):
    """Its name is a type as soon as one is compiled."""


def names_a_module(x: Dict[str, NeverMade]) -> None:
    pass


@pytest.mark.parametrize("program", [Declares, names_a_module])
def test_annotations_raise_value_errors(program: Any) -> None:
    for script in (torch.jit.script, minits.script):
        with pytest.raises(ValueError, match=r"(?i)type annotation"):
            script(program)


def test_the_callers_are_told() -> None:
    text = """\
def innermost(x):
    return x.nowhere()

def between(x):
    return innermost(x)

def outermost(x):
    return between(x)
"""
    linecache.cache["<callers>"] = (len(text), None, text.splitlines(keepends=True), "<callers>")
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, "<callers>", "exec"), scope)
    told = []
    for script in (torch.jit.script, minits.script):
        with pytest.raises(RuntimeError) as caught:
            script(scope["outermost"])
        text = str(caught.value)
        assert "'innermost' is being compiled since it was called from 'between'" in text
        assert "'between' is being compiled since it was called from 'outermost'" in text
        told.append(underlined(text))
    assert told[0] == told[1] and len(told[1]) == 3


@pytest.mark.parametrize(
    "body, marked",
    [
        ("y = frobnicates(x)", "y = frobnicates(x"),
        ("return frobnicates(x)", "frobnicates(x"),
        ("frobnicates(x)", "frobnicates(x"),
        ("y = x + frobnicates(x)", "frobnicates(x"),
        ("y: int = frobnicates(x)", "y: int = frobnicates(x"),
        ("before += frobnicates(x)", "frobnicates(x"),
        ("x[frobnicates(x)] = 1", "x"),  # the value that was emitted last
        ("y = x[frobnicates(x)]", "y = x[frobnicates(x)"),
        ("y = [n][frobnicates(x)]", "n"),
        ("y = torch.jit.annotate(int, frobnicates(x))", "frobnicates(x"),
        ("y = frobnicates(frobnicates(x))", "y = frobnicates(frobnicates(x"),
    ],
)
def test_what_the_callee_was_compiled_for(body: str, marked: str) -> None:
    for script in (torch.jit.script, minits.script):
        _, mark = underlined(compiled_error(script, body, "torchs_phrase"))
        line, below = mark.splitlines()
        start, end = below.index("~"), below.rindex("~") + 1
        assert line[start:end] == marked


@pytest.mark.parametrize(
    "text, marked",
    [
        ("f(x)", "f(x"),
        ("f()", "f"),
        ("x.f(a, [1, 2])", "x.f(a, [1, 2"),
        ("f('a')", "f('a"),
        ("x['a']", "x['a'"),
        ("x[f('a')]", "x[f('a'"),
        ("x[f(1)]", "x[f(1)"),
        ("a if b else [1]", "a if b else [1"),
        ("[1, 2]", "[1, 2"),
        ("[]", "["),
        ("()", "("),
        ("a + (b)", "a + (b"),
        ("f(x)(y)[0]", "f(x)(y)[0]"),
        ("x.f", "x.f"),
    ],
)
def test_what_is_underlined(text: str, marked: str) -> None:
    source = SourceFile("<text>", f"    return {text}\n", first_line=7)
    place, _, mark = highlight(SourceRange(source, 11, 11 + len(text)))
    assert place == '  File "<text>", line 7'
    assert mark == f"{' ' * 11}{'~' * len(marked)} <--- HERE"


@pytest.mark.parametrize(
    "statement", ["y = x.tolist()", "y = x.frobnicate()", "y = n['a']", "y = nowhere(x)"]
)
def test_what_is_underlined_in_a_text(statement: str) -> None:
    told = []
    for unit in (torch.jit.CompilationUnit, minits.CompilationUnit):
        with pytest.raises(RuntimeError) as caught:
            unit(f"def f(x, n: int):\n    {statement}\n")
        told.append(underlined(str(caught.value)))
    assert told[0] == told[1] and len(told[1]) == 1


def test_a_range_of_several_lines() -> None:
    source = SourceFile("<text>", "a\n" * 5 + "f(x,\n  y)\n" + "b\n" * 5)
    assert highlight(SourceRange(source, 10, 19)) == [
        '  File "<text>", line 6',
        *("a", "a", "f(x,", "~~~~", "  y)", "  ~ <--- HERE", "b", "b"),
    ]
