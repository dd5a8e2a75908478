"""Programs of numbers and containers made at random: C, the interpreter and torch.jit agree."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import torch

import minits
from minits.native.function import NativeFunction
from minits.runtime.interpreter import run
from tests.support import random_programs
from tests.support.agreement import comparable
from tests.support.needs import need_compiler

need_compiler()

INTS, FLOATS, BOOLS = ("a", "b", "c"), ("x", "y"), ("p", "q")
LISTS, ROWS, TEXTS = ("ks", "ls", "ms"), ("rows", "tiles"), ("s", "u", "v")
DICTS, COMPLEX = ("counts", "others"), ("w", "v0", "w0")
HELPERS = """\
def quotient(a: int, b: int) -> int:
    if b == 7 or b == -1:  # the least integer by -1 ends the process of torch
        raise ValueError("not by {}: {}".format(b, a))
    return a // b

def nearest(x: float, y: float) -> float:
    return x if abs(x - 1.0) < abs(y - 1.0) else y

"""
PARAMETERS = (
    "a: int, b: int, c: int, x: float, y: float, p: bool, q: bool, "
    "ks: List[int], ls: List[int], rows: List[List[int]], reals: List[float], flags: List[bool], "
    "s: str, o: Optional[str], words: List[str], counts: Dict[str, int], names: Dict[int, str], "
    "rings: Dict[int, List[int]], k: Optional[int], z: Optional[float], "
    "pairs: List[Tuple[int, str]], nested: List[Tuple[List[int], Tuple[int, bool]]], "
    "maybe: List[Optional[int]], held: Dict[str, Optional[float]], "
    "pair: Tuple[int, Tuple[str, Optional[int]]], deep: List[List[List[int]]], "
    "table: Optional[Dict[str, List[Tuple[int, str]]]], "
    "w: complex, zs: List[complex], g: Optional[complex], waves: Dict[str, Tuple[complex, int]]"
)
START = (
    "ms = ls",
    "tiles = [ks, [a, 7]]",
    "u, v = 'ab', s",
    "others = {'b': a, s: 1}",
    "v0, w0 = w, 1.5j",
)
RESULTS = {
    "int": ("a", "a + b", "(a ^ b) - c"),
    "float": ("x", "x * y", "x if p else y"),
    "bool": ("p", "p and q", "a < b or x > y"),
    "Tuple[int, float, bool]": ("a, x, p", "b ^ c, y, q", "0, 0.5, True"),
    "Tuple[Tuple[int, bool], Tuple[float, int]]": ("(a, p), (x, b)", "(c, a < b), (y, 3)"),
    "Tuple[int, int, int, float, float, bool, bool]": ("a, b, c, x, y, p, q",),
    "Tuple[List[int], List[int], List[int]]": ("ks, ls, ms", "ks, ks, ls[1:]"),
    "Tuple[List[List[int]], int, List[List[int]], List[int]]": ("rows, a, tiles, ks",),
    "Tuple[List[float], bool, List[bool], float]": ("reals, p, flags, x", "reals[::2], q, [p], y"),
    "Tuple[str, Optional[str], List[str], int]": ("s, o, words, a", "u + v, None, [s, u], b"),
    "Tuple[str, str, str, List[str], bool]": ("s, u, v, words, p",),
    "Tuple[Dict[str, int], Dict[int, str], Dict[str, int], int]": ("counts, names, others, a",),
    "Tuple[List[Tuple[int, str]], int, List[Tuple[List[int], Tuple[int, bool]]], List[int]]": (
        "pairs, a, nested, ks",
    ),
    "Tuple[Optional[int], Optional[float], List[Optional[int]], Dict[str, Optional[float]]]": (
        "k, z, maybe, held",
        "maybe[0], held.get('b', x), [k, a], held",
    ),
    "Tuple[Tuple[int, str], List[Tuple[str, int]]]": ("pairs[0], counts.items()",),
    "Tuple[Dict[int, List[int]], List[int], Dict[str, int]]": ("rings, ks, {s: 1, u: 2}",),
    "Tuple[Tuple[int, Tuple[str, Optional[int]]], List[List[List[int]]], int]": (
        "pair, deep, a",
        "(a, (s, k)), [rows, tiles], b",
    ),
    "Optional[Dict[str, List[Tuple[int, str]]]]": ("table", "{s: pairs}"),
    "complex": ("w", "w0 + v0"),
    "Tuple[complex, List[complex], Optional[complex], Dict[str, Tuple[complex, int]]]": (
        "w, zs, g, waves",
        "v0, [w0, w], w, {s: (v0, a)}",
    ),
}
ARGUMENTS: list[tuple[Any, ...]] = [
    (0, 1, 2, 0.5, -1.5, True, False, [1], [], [], [0.5], [True],
     "aXb a", None, ["b", "", "a"], {"a": 1, "ab": -1}, {0: "b", 7: ""}, {},
     None, 0.5, [(1, "a"), (-5, "")], [([1], (2, True))], [None, 3], {"a": None, "b": 2.5},
     (3, ("x", None)), [[[1, 2], []], [], [[3]]], {"a": [(1, "b")], "": []},
     1 - 2j, [0j, 1.5 + 1j], 3j, {"a": (1j, 2), "X": (-1 + 0j, 3)}),
    (-1, 5, 2**62, 1e300, 0.0, False, False, [3, -1, 3, 8], [2, 1], [[4], []], [], [False, True],
     "", "abc", [], {}, {}, {1: [2], -1: []}, 7, None,
     [], [], [], {}, (-1, ("twelve bytes", 7)), [], None,
     complex(-0.0, float("inf")), [], None, {}),
    (2**63 - 1, -(2**63), 7, float("inf"), -0.0, True, True, [*range(9)], [-(2**63), 5], [[1, 2]],
     [1.0, float("inf"), -0.0], [], " 12 ,a,", "", ["a", "12", "ab", "a"],
     {str(i): i for i in range(9)}, {i: str(i) for i in range(-2, 5)}, {0: [1], 2: [5, 6]},
     -(2**63), float("inf"), [(7, "12345678")] * 3, [([], (0, False)), ([4, 5], (1, True))],
     [1, None, 2], {"b": float("inf"), "a": -0.0}, (0, ("", 2**63 - 1)), [[[7]] * 2] * 2, {},
     0j, [1e300 + 1e300j] * 3, complex(0.0, -0.0), {"a": (2 + 1j, 0)}),
]  # fmt: skip


class Maker(random_programs.Maker):
    """Makes the source of one program of numbers."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.type = self.random.choice([*RESULTS])

    def source(self) -> str:
        start = [f"    {each}" for each in START]
        lines = [*start, *self.block(3, 1), f"    return {self.result()}", ""]
        return HELPERS + "\n".join([f"def f({PARAMETERS}) -> {self.type}:", *lines])

    def result(self) -> str:
        return self.random.choice(RESULTS[self.type])

    def statement(self, depth: int) -> list[str]:
        if depth and self.is_likely(0.05):
            return [f"if {self.condition()}:", f"    {self.leaving()}"]
        return super().statement(depth)

    def numbers(self) -> str:
        most = self.random.randint(0, 4)
        return self.random.choice((f"{most}", f"1, {most}", f"{most}, -2, -1", "0, 9, 4"))

    def counting(self, counter: str) -> str:
        return f"a += {counter}"

    def jump(self) -> str:
        return self.random.choice((super().jump(), super().jump(), self.leaving()))

    def leaving(self) -> str:
        if self.is_likely(0.7):
            return f"return {self.result()}"
        return self.random.choice(
            ("raise RuntimeError('left')", "raise ValueError('{} and {}'.format(a, x))")
        )

    def assignment(self) -> str:
        pick = self.random.random()
        if pick < 0.2:
            return self.of_lists()
        if pick < 0.28:
            return self.of_tuples() if self.is_likely(0.6) else self.of_optionals()
        if pick < 0.34:
            return self.of_complex()
        if pick < 0.45:
            return self.of_texts()
        if pick < 0.5:
            return self.of_values()
        return self.of_dicts() if pick < 0.65 else self.of_numbers()

    def of_tuples(self) -> str:
        """Return a statement with tuples that lists hold."""
        at, number, text = self.index(), self.int_name(), self.random.choice(TEXTS)
        name = self.random.choice(LISTS)
        return self.random.choice((
            f"pairs.append(({number}, {self.text()}))", f"pairs[{at}] = ({number}, {text})",
            f"{number}, {text} = pairs[{at}]", f"{number}, {text} = pairs.pop()", "pairs.pop(0)",
            "pairs = pairs[1:] + pairs[:2]", f"pairs = [({number}, {text})] * 3", "pairs.reverse()",
            f"{text} = pairs[{at}][1]", "pairs.extend(pairs[:2])", "pairs.append((7, 'z'))",
            f"nested.append(({name}, ({number}, {self.condition()})))", f"{name} = nested[{at}][0]",
            f"{name}, (b, p) = nested[{at}]", f"nested[{at}][0].append({number})",
            f"nested[{at}] = nested[0]", "nested = nested[:3]", f"b = nested[{at}][1][0]",
            f"{text}, {number} = counts.items()[{at}]", "a += len(others.items())",
            f"{number} = pair[0]", f"{text}, k = pair[1]", f"pair = ({number}, ({text}, k))",
            f"pair = ({number}, pair[1])", f"deep.append([{name}, ks])", f"deep[{at}] = rows",
            f"tiles = deep[{at}]", f"deep[{at}][0].append({number})", f"{name} = deep.pop()[0]",
            "table = None", f"table = {{{text}: pairs, 'a': []}}",
            f"pairs = table[{text}] if table is not None else pairs",
            f"a += len(table) if table is not None else {number}",
        ))  # fmt: skip

    def of_complex(self) -> str:
        """Return a statement with complex numbers."""
        at, text, real = self.index(), self.random.choice(TEXTS), self.random.choice(FLOATS)
        name, other = self.random.choice(COMPLEX), self.complex()
        return self.random.choice((
            f"{name} = {other}", f"w, w0 = w0, {other}", f"zs.append({other})",
            f"zs[{at}] = {other}", f"{name} = zs[{at}]", f"{name} = zs.pop()", "zs = zs[1:] + [w]",
            f"{real} = abs({name})", "g = None", f"g = {name}",
            f"{name} = g if g is not None else w",
            f"waves[{text}] = ({other}, a)", f"{name}, b = waves[{text}]", "g = waves[s][0]",
            f"p = {name} == {other}", f"q = {name} != {real}", f"zs = [{name}, {other}]",
            f"{name} = {other} if {self.condition()} else {name}", f"{name} = zs[{at}] * {name}",
        ))  # fmt: skip

    def complex(self) -> str:
        pick = self.random.random()
        if pick < 0.3:
            return self.random.choice(COMPLEX)
        if pick < 0.4:
            return f"complex({self.random.choice(FLOATS)}, {self.real()})"
        if pick < 0.5:
            return f"({self.complex()} {self.random.choice('+-*')} {self.random.choice(FLOATS)})"
        if pick < 0.6:
            return f"({self.int_name()} {self.random.choice('+-*')} {self.complex()})"
        if pick < 0.65:
            return f"(-{self.random.choice(COMPLEX)})"
        return f"({self.complex()} {self.random.choice('+-*/')} {self.random.choice(COMPLEX)})"

    def of_optionals(self) -> str:
        """Return a statement with numbers that may be None."""
        at, number, real = self.index(), self.int_name(), self.random.choice(FLOATS)
        return self.random.choice((
            "k = None", f"k = {self.integer()}", f"{number} = k if k is not None else {number}",
            "z = None", f"z = {self.real()}", f"{real} = z if z is not None else {real}",
            "maybe.append(k)", f"maybe.append({number})", "maybe.append(None)", f"k = maybe[{at}]",
            f"maybe[{at}] = {number}", f"maybe[{at}] = None", "maybe = maybe[1:] + maybe[:2]",
            "k = maybe.pop()", "maybe.reverse()", "maybe = [k, a]", "held['a'] = z",
            f"held[s] = {self.real()}", "held['b'] = None", "z = held['a']", "z = held.pop('b')",
            f"z = held.get(u, {real})", "p = k is None", "q = z is not None",
            f"k = {number} if {self.condition()} else None",
        ))  # fmt: skip

    def of_dicts(self) -> str:
        """Return a statement that writes a dict, or makes one."""
        one, other = self.random.choice(DICTS), self.random.choice(DICTS)
        key, number = self.random.choice(TEXTS), self.int_name()
        return self.random.choice((
            f"{one}[{key}] = {self.integer()}", f"{one}[{key}] += 1", f"del {one}[{key}]",
            f"{number} = {one}[{key}]", f"{number} = {one}.get({key}, {number})", f"{one}.clear()",
            f"{number} = {one}.pop({key})", f"{number} = {one}.pop({key}, 3)", f"{one} = {other}",
            f"words = list({one}.keys())", f"ks = list({one}.values())", f"{one}.update({other})",
            f"{one} = {{{key}: {number}, 'b': 5, {self.text()}: a}}", f"{one} = {other}.copy()",
            f"{one}, {other} = {other}, {one}", f"{one}['z' + {key}] = {number}",
            f"names[{number}] = {key}", f"names[{number} % 5] = {self.text()}",
            f"{key} = names[{number}]", f"{key} = names.get({number}, {key})", "o = names.get(a)",
            f"o = names.get({number} % 3)", f"{key} = names.pop({number} % 4)", "names.clear()",
            f"{key} = names.pop({number}, {key})", "del names[b]", f"names = {{a: {key}, 3: s}}",
            f"{number} = {one}.setdefault({key}, {self.int_name()})",
            f"ks = rings.setdefault({number} % 4, ls)", f"k = {one}.get({key})",
            f"k = rings.get({number}, ks)[0]", "z = held.get(s)",
            f"rings[{number} % 3] = ks", f"ks = rings[{number} % 3]", "rings[0].append(7)",
            "rings[b % 2] = [a, 1]", "ls = rings.pop(0)", "rings[1] += ks[:2]",
            f"ms = rings.get({number} % 3, ls)", "rings = {2: ks, 0: ls}",
        ))  # fmt: skip

    def of_texts(self) -> str:
        """Return a statement that makes a str, or writes a list of them."""
        one, other, third = (self.random.choice(TEXTS) for _ in range(3))
        at, word = self.index(), self.text()
        return self.random.choice((
            f"{one} = {word}", f"{one} = {other}", f"{one}, {other} = {other}, {one}",
            f"{one} = ({other} + {third})[:12]", f"{one} = ({one} + {word})[-9:]",
            f"{one} = {other}[{at}:]", f"{one} = {other}[::-1]", f"{one} = {other}[{at}]",
            f"{one} = {other} if {self.condition()} else {third}",
            f"{one} = {other}.replace('a', {word})[:12]", f"{one} = '-'.join(words)[:12]",
            f"{one} = '{{}}:{{}}'.format({self.int_name()}, {other})[:9]",
            f"words.append({word})", f"words[{at}] = {one}", f"{one} = words[{at}]",
            f"{one}, {other}, {third} = {third}.partition({one})",
            f"{one} = ('{{}}|{{}}'.format(ks, reals) + str(words))[:20]",
            f"{one} = ('%s-%d%%' % ({other}, {self.int_name()}))[-9:]",
            f"{one} = {other}.rpartition({word})[{self.random.randint(0, 2)}]",
            f"{one} = {other}[:: b % 4 - 1]", f"a = int({other})",
            f"a = int(str({self.int_name()}))",
            f"{one} = words.pop()", f"words = {one}.split({self.random.choice(TEXTS)})",
            f"words = {one}.split()", f"words = {one}.rsplit('a', 1)", "words.sort()",
            "words = sorted(words)[:5]", "words = words[::-1]", f"words.insert({at}, {word})",
            "o = None", f"o = {one}", f"{one} = o if o is not None else {other}",
            f"words.extend([{one}, {word}])", "words = words[:4]", f"words = [{one}] * 2",
            f"words.remove({one})", f"{one} = str(words.index({other}))",
        ))  # fmt: skip

    def text(self) -> str:
        name = self.random.choice(TEXTS)
        return self.random.choice((
            name, "'a'", "'X,y'", "''", f"str({self.int_name()})", f"str({self.condition()})",
            f"{name}.upper()", f"{name}.lower()", f"{name}.strip()", f"{name}.title()",
            f"{name}.center(7, '*')", f"{name}.zfill(4)", f"chr({self.int_name()} % 90 + 32)",
            f"{name}.lstrip('a')", f"hex({self.int_name()})", "str(x)", f"{name}[1:3]",
        ))  # fmt: skip

    def of_values(self) -> str:
        """Return a statement with an operator of values of any type."""
        number, text = self.int_name(), self.random.choice(TEXTS)
        real, other = self.random.choice(FLOATS), self.text()
        return self.random.choice((
            f"{text} = (str(pairs) + str(counts))[-9:]", f"{text} = str((k, z, {number}, o))[:12]",
            f"{text} = '{{}}{{}}'.format(table, held)[:15]", f"{text} = str(nested)[-9:]",
            f"{text} = ('%s|%d|%e' % (pair, {number}, {real}))[-9:]", f"{text} = str(waves)[:9]",
            f"{text} = ('%f%c' % ({number}, {number}))[-7:]", f"{text} = '%s%%' % deep",
            f"{number} = hash(({text}, {number}, {real}))", f"{number} = hash({other})",
            f"{number} = hash(k)", f"{number} = hash(pair)", f"{number} = hash(({real}, ks))",
            f"{real} = float({text})", f"{real} = float(str({number}) + '.5')",
            f"{text}, {number} = counts.popitem()", f"{number}, {text} = names.popitem()",
            "pairs.sort()", "pairs.sort(reverse=q)", "pairs = sorted(pairs)[:4]",
            "reals.sort()", "reals = sorted(reals)[:9]", f"reals.append({real})",
            "nested.sort()", f"{text} = {text}.expandtabs(3)", f"p = {text}.isidentifier()",
            f"{real}, y = divmod({real}, {number})", "p = w < w0",
        ))  # fmt: skip

    def of_lists(self) -> str:
        """Return a statement that writes a list, or lets a variable be another one."""
        name, other = self.random.choice(LISTS), self.random.choice(LISTS)
        rows, tiles = self.random.choice(ROWS), self.random.choice(ROWS)
        at, number = self.index(), self.int_name()
        return self.random.choice((
            f"{name} = {other}", f"{name}, {other} = {other}, {name}", f"{name} = {other}[{at}:]",
            f"{name} = [{number}, {self.integer()}]", f"{name} = {other}[:4] + {name}[::-2]",
            f"{name} = [{number}] * 3", f"{name}.append({self.integer()})",
            f"{name}[{at}] = {number}", f"{name}.insert({at}, {number})",
            f"{number} = {name}.pop()", f"{number} = {name}.pop({at})", f"{name}.reverse()",
            f"{name} *= {self.int_name()} % 3",
            f"{name} = {other}[::a % 3 - 1]",
            f"{number} = (a, b, {number})[{self.int_name()} % 3]",
            f"{name}.sort()", f"{name} = sorted({other})", f"{name} += {other}[:2]",
            f"{name}.extend({other}[:2])", f"{name} = list(range({self.random.randint(0, 4)}))",
            f"{name}.remove({number})", f"{name}.clear()", f"{number}, b = {name}[:2]",
            f"{name} = {rows}[{at}]", f"{rows}.append({name})", f"{rows}[{at}] = {name}",
            f"{rows} = {tiles}", f"{rows} = [{name}, {other}]",
            f"{rows} = {tiles}[:3] + {rows}[1:2]", f"{name} = {rows}.pop()",
            f"{rows}[{at}].append({number})", f"{name} = {other}.copy()",
            f"{rows}[{at}][{at}] = {number}", f"{number} = {rows}[{at}][{at}]",
            f"{name} = {other} if {self.condition()} else {name}", f"reals.append({self.real()})",
            f"reals[{at}] = {self.real()}", "reals = reals[:3] + [x]", f"x = reals.pop({at})",
            f"flags.append({self.condition()})", f"flags[{at}] = p",
        ))  # fmt: skip

    def index(self) -> str:
        return self.random.choice(("0", "1", "-1", "2", "a % 3", "b % 2", "-2"))

    def of_numbers(self) -> str:
        pick = self.random.random()
        if pick < 0.1:
            return f"{self.int_name()}, b = {self.int_name()}, {self.integer()}"
        if pick < 0.55:
            return f"{self.int_name()} = {self.integer()}"
        if pick < 0.85:
            return f"{self.random.choice(FLOATS)} = {self.real()}"
        return f"{self.random.choice(BOOLS)} = {self.condition()}"

    def integer(self) -> str:
        pick = self.random.random()
        if pick < 0.25:
            return self.int_name()
        if pick < 0.33:
            return self.from_lists()
        if pick < 0.4:
            return str(self.random.choice((0, 1, -1, 3, 7, 2**31, 2**62, -(2**63) + 1)))
        if pick < 0.47:
            return f"({self.integer()} if {self.condition()} else {self.integer()})"
        if pick < 0.52:
            return f"quotient({self.int_name()}, {self.integer()})"
        if pick < 0.56:
            return f"int({self.real()})"
        if pick < 0.6:
            return f"{self.random.choice(('min', 'max'))}({self.integer()}, {self.int_name()})"
        if pick < 0.7:
            return f"({self.int_name()} {self.random.choice(('%', '//'))} 5)"
        operator = self.random.choice(("+", "-", "*", "&", "|", "^", "<<", ">>"))
        return f"({self.integer()} {operator} {self.int_name()})"

    def from_lists(self) -> str:
        name, other = self.random.choice(LISTS), self.random.choice(LISTS)
        return self.random.choice((
            f"{name}[{self.index()}]", f"len({name})", f"sum({name})", f"max({name})",
            f"{name}.count({self.int_name()})", f"{name}.index({self.int_name()})",
            f"min([a, {self.int_name()}, len({other})])", f"rows[{self.index()}][0]",
            f"len({self.random.choice(ROWS)})", "sum(flags)", "len(words)",
            f"len({self.random.choice(TEXTS)})", f"{self.random.choice(TEXTS)}.find('a')",
            f"{self.random.choice(TEXTS)}.count('a')", f"ord({self.random.choice(TEXTS)})",
            f"words.count({self.random.choice(TEXTS)})", "s.rfind(u)", "s.index('a')",
            "len(counts)", "len(names)", "len(rings)", "counts[s]", "others.get(u, 4)",
        ))  # fmt: skip

    def real(self) -> str:
        pick = self.random.random()
        if pick < 0.1:
            return self.random.choice((f"reals[{self.index()}]", "sum(reals)", "min([x, y, x])"))
        if pick < 0.3:
            return self.random.choice(FLOATS)
        if pick < 0.4:
            return str(self.random.choice((0.0, 1.0, -0.5, 3.25, 1e18)))
        if pick < 0.47:
            return f"({self.real()} if {self.condition()} else {self.real()})"
        if pick < 0.55:
            return f"float({self.integer()})"
        if pick < 0.6:
            return f"nearest({self.real()}, {self.random.choice(FLOATS)})"
        if pick < 0.65:
            return f"({self.real()} {self.random.choice(('%', '//'))} 2.5)"
        if pick < 0.7:
            return f"({self.random.choice(FLOATS)} ** {self.random.choice((2, -1, 0.5))})"
        return f"({self.real()} {self.random.choice('+-*/')} {self.random.choice(FLOATS)})"

    def condition(self) -> str:
        pick = self.random.random()
        if pick < 0.03:
            return self.random.choice((
                "s == u", "u != v", "s < u", "v >= u", "s in words", "s.startswith(u)", "o is None",
                "u in counts", "a in names", "s in others", "b % 2 in rings",
                "u.endswith('b')", "s.isdigit()", "v.isupper()", "words == [s]",
            ))  # fmt: skip
        if pick < 0.06:
            return self.random.choice(("flags[0]", "ks == ls", "any(flags)", "reals != [x]"))
        if pick < 0.09:
            return f"{self.int_name()} in {self.random.choice(LISTS)}"
        if pick < 0.15:
            return self.random.choice(BOOLS)
        if pick < 0.25:
            return f"not {self.random.choice(BOOLS)}"
        if pick < 0.4:
            word = self.random.choice(("and", "or"))
            return f"({self.condition()} {word} {self.condition()})"
        if pick < 0.6:  # torch takes x != x for false, and NaN has it true
            comparison = self.random.choice(("<", "<=", ">=", ">"))
            return f"{self.random.choice(FLOATS)} {comparison} {self.real()}"
        comparison = self.random.choice(("<", "<=", "==", "!=", ">=", ">"))
        return f"{self.int_name()} {comparison} {self.integer()}"

    def int_name(self) -> str:
        return self.random.choice(INTS)


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return comparable(function(*deepcopy(arguments)))
    except RuntimeError as error:
        return type(error).__name__, str(error)


def raises(found: Any) -> bool:
    return isinstance(found[0], str) and found[0] != "tuple"


@pytest.mark.one_in(100)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", range(140))
def test_agrees(seed: int) -> None:
    source = Maker(seed).source()
    try:
        function = minits.CompilationUnit(source).f
    except minits.CompileError:  # an Optional that is None before a loop, and a str in it
        with pytest.raises(RuntimeError):
            _ = torch.jit.CompilationUnit(source).f
        return
    graph = function.graph_after(["optimize"])
    native = NativeFunction(graph, "f")
    theirs = torch.jit.CompilationUnit(source).f
    for arguments in ARGUMENTS:
        found = outcome(native, arguments)
        assert found == outcome(lambda *values: run(graph, *values), arguments), source
        try:
            expected = comparable(theirs(*deepcopy(arguments)))
        except (RuntimeError, torch.jit.Error):
            # of what is read in vain, some is dead code to minits only
            as_written = outcome(lambda *values: run(function.graph, *values), arguments)
            assert raises(found) or raises(as_written), source
        else:
            assert found == expected, source
