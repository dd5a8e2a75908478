"""Programs of `python -m benchmarks growth`: control flow, and what is known by it.

Each function writes a program of about `count` statements, in which one thing is repeated.
"""

from __future__ import annotations

from benchmarks.growth_programs import function, module

# ---- Exits -------------------------------------------------------------------------------------


def returns(count: int) -> str:
    """`if`s that return, one after the other."""
    lines: list[str] = []
    for index in range(count // 2):
        lines += [f"if n == {index}:", f"    return x + {index}"]
    return function([*lines, "return x"])


def elif_returns(count: int) -> str:
    """An `if` with an `elif` after the other, which all return."""
    lines = ["if n < 0:", "    return x"]
    for index in range(count // 2):
        lines += [f"elif n == {index + 10}:", f"    return x + {index}"]
    return function([*lines, "return x"])


def breaks(count: int) -> str:
    """`if`s that end one `for` loop."""
    return _in_loop("for i in range(n):", count, ["break"])


def while_breaks(count: int) -> str:
    """`if`s that end one `while` loop."""
    return _in_loop("while n < 40:", count, ["break"], ["n += 1"])


def continues(count: int) -> str:
    """`if`s that go on with the next round of one `for` loop."""
    return _in_loop("for i in range(n):", count, ["continue"])


def while_continues(count: int) -> str:
    """`if`s that go on with the next round of one `while` loop, whose condition is repeated."""
    return _in_loop("while n < 40:", count, ["continue"], ["n += 1"])


def loop_returns(count: int) -> str:
    """`if`s that return from within one `for` loop."""
    return _in_loop("for i in range(n):", count, ["return x"])


def while_returns(count: int) -> str:
    """`if`s that return from within one `while` loop."""
    return _in_loop("while n < 40:", count, ["return x"], ["n += 1"])


def mixed_exits(count: int) -> str:
    """`if`s that break, continue, return and raise in turn, within one loop."""
    leave = ["break", "return x", "continue", 'raise ValueError("odd")']
    return _in_loop("for i in range(n):", count, leave)


def loops_with_exits(count: int) -> str:
    """Loops one after the other, in each of which something breaks, continues and returns."""
    lines: list[str] = []
    for index in range(count // 8):
        lines += [f"for i in range(n + {index}):", "    if i == 7:", "        break"]
        lines += ["    if i == 5:", "        continue", "    if i == -1:", "        return x"]
        lines += ["    x = x + i"]
    return function([*lines, "return x"])


def _in_loop(header: str, count: int, leave: list[str], first: list[str] | None = None) -> str:
    """Write a loop in which every third statement is one of `leave`."""
    lines = [f"    {line}" for line in first or []]
    for index in range(count // 3):
        lines += [f"    if n == {-1 - index}:", f"        {leave[index % len(leave)]}"]
        lines += ["    x = x + 1"]
    return function([header, *lines, "return x"])


def raises(count: int) -> str:
    """`if`s that raise."""
    lines: list[str] = []
    for index in range(count // 2):
        lines += [f"if n == {-1 - index}:", f'    raise ValueError(f"{index} is {{n}}")']
    return function([*lines, "return x"])


def asserts(count: int) -> str:
    """Assertions, every other one with a message."""
    messages = ["", ', f"n is {n}"']
    lines = [f"assert n != {-1 - index}{messages[index % 2]}" for index in range(count)]
    return function([*lines, "return x"])


# ---- Branches and loops ------------------------------------------------------------------------


def branches(count: int) -> str:
    """`if`s, one after the other, every other one with an `else`."""
    lines: list[str] = []
    for index in range(0, count // 3, 2):
        lines += [f"if n > {index}:", "    x = x * 2 + 1"]
        lines += [f"if n > {index + 1}:", "    x = x * 2", "else:", "    x = x + 1"]
    return function([*lines, "return x"])


def elifs(count: int) -> str:
    """An `if` with one `elif` after the other."""
    lines = ["if n < 0:", "    x = x * 2"]
    for index in range(count // 2):
        lines += [f"elif n == {index + 10}:", f"    x = x + {index}"]
    return function([*lines, "return x"])


def short_elifs(count: int) -> str:
    """`if`s with three `elif`s and an `else`, one after the other."""
    lines: list[str] = []
    for index in range(count // 10):
        lines += [f"if n == {index}:", "    x = x + 1"]
        for other in range(3):
            lines += [f"elif n == {index + other}:", f"    x = x * {other}"]
        lines += ["else:", "    x = x - 1"]
    return function([*lines, "return x"])


def nested_ifs(count: int) -> str:
    """Six `if`s within each other, again and again."""
    lines: list[str] = []
    for _ in range(count // 12):
        for depth in range(6):
            lines += ["    " * depth + f"if n > {depth}:", "    " * depth + f"    x = x + {depth}"]
    return function([*lines, "return x"])


def ternaries(count: int) -> str:
    """Conditional expressions."""
    return function([*(f"x = x + 1 if n > {index} else x" for index in range(count)), "return x"])


def wide_if(count: int) -> str:
    """An `if` that assigns as many variables as it has statements."""
    names = [f"v{index}" for index in range(count // 3)]
    before = [f"{name} = n" for name in names]
    inside = [f"    {name} = {name} + 1" for name in names]
    return function(
        [*before, "if n > 1:", *inside, *(f"n = n + {name}" for name in names), "return n"]
    )


def wide_loop(count: int) -> str:
    """A loop that assigns as many variables as it has statements."""
    names = [f"v{index}" for index in range(count // 3)]
    before = [f"{name} = n" for name in names]
    inside = [f"    {name} = {name} + i" for name in names]
    after = [f"n = n + {name}" for name in names]
    return function([*before, "for i in range(n):", *inside, *after, "return n"])


def loops(count: int) -> str:
    """Loops, every other one with a loop in it."""
    lines: list[str] = []
    for _ in range(count // 5):
        lines += ["for i in range(n):", "    x = x + i"]
        lines += ["for i in range(n):", "    for j in range(i):", "        x = x * j"]
    return function([*lines, "return x"])


def whiles(count: int) -> str:
    """`while` loops, one after the other."""
    lines: list[str] = []
    for _ in range(count // 4):
        lines += ["i = 0", "while i < n:", "    x = x + i", "    i += 1"]
    return function([*lines, "return x"])


def long_loop(count: int) -> str:
    """One loop with a long body, of branches and operators."""
    lines: list[str] = []
    for index in range(count // 3):
        lines += [f"    if i > {index}:", "        x = x * 2", "    x = x + 1"]
    return function(["for i in range(n):", *lines, "return x"])


def withs(count: int) -> str:
    """`with` blocks."""
    lines: list[str] = []
    for index in range(count // 2):
        lines += ["with torch.no_grad():", f"    x = x + {index}"]
    return function([*lines, "return x"])


def with_returns(count: int) -> str:
    """`with` blocks that may return."""
    lines: list[str] = []
    for index in range(count // 4):
        lines += ["with torch.no_grad():", f"    if n == {-1 - index}:", "        return x"]
        lines += [f"x = x + {index}"]
    return function([*lines, "return x"])


# ---- What is known of variables ----------------------------------------------------------------


def refinements(count: int) -> str:
    """`if y is None: y = x`, of a new variable each."""
    lines: list[str] = []
    for index in range(count // 6):
        lines += [f"y{index}: Optional[Tensor] = None", f"if n > {index}:", f"    y{index} = x"]
        lines += [f"if y{index} is None:", f"    y{index} = x * 2", f"x = x + y{index}"]
    return function([*lines, "return x"])


def filled_parameters(count: int) -> str:
    """Optional parameters, each of which is given a value where it is None."""
    names = [f"p{index}" for index in range(count // 3)]
    lines: list[str] = []
    for name in names:
        lines += [f"if {name} is None:", f"    {name} = x", f"x = x + {name}"]
    return function([*lines, "return x"], [f"{name}: Optional[Tensor] = None" for name in names])


def unwrapped(count: int) -> str:
    """`assert y is not None`, of a new variable each."""
    lines: list[str] = []
    for index in range(count // 4):
        lines += [f"y{index}: Optional[int] = n", f"if n < {-index}:", f"    y{index} = None"]
        lines += [f"assert y{index} is not None", f"x = x + y{index}"]
    return function([*lines, "return x"])


def type_tests(count: int) -> str:
    """`isinstance` of a Union, which an `elif` after the other refines."""
    lines = ["v: Union[int, str] = n"]
    for index in range(count // 7):
        lines += ["if isinstance(v, int):", f"    x = x + v + {index}", '    v = "a"']
        lines += ["elif isinstance(v, str):", "    x = x + len(v)", "    v = n"]
    return function([*lines, "return x"])


def final_flags(count: int) -> str:
    """Conditions on constants of a module, one for each, which are known while compiling."""
    flags = [f"self.flag{index} = {index % 2 == 0}" for index in range(count // 3)]
    lines: list[str] = []
    for index in range(count // 3):
        lines += [f"if self.flag{index}:", "    x = x + 1"]
    constants = "".join(f"    flag{index}: Final[bool]\n" for index in range(count // 3))
    return module([*lines, "return x"], flags, constants)


CONTROL = (
    returns, elif_returns, breaks, while_breaks, continues, while_continues, loop_returns,
    while_returns, mixed_exits, loops_with_exits, raises, asserts, branches, elifs, short_elifs,
    nested_ifs, ternaries, wide_if, wide_loop, loops, whiles, long_loop, withs, with_returns,
    refinements, filled_parameters, unwrapped, type_tests, final_flags,
)  # fmt: skip
