"""Programs of `python -m benchmarks growth`: values of all types, calls, functions and modules.

Each function writes a program of about `count` statements, in which one thing is repeated.
"""

from __future__ import annotations

from benchmarks.growth_programs import function, module

# ---- Tensors -----------------------------------------------------------------------------------


def chain(count: int) -> str:
    """Elementwise operators, each on the result of the last."""
    forms = ("torch.relu(x) + 1", "x * 2", "x.sigmoid()", "x - 0.5")
    return function([*(f"x = {forms[index % 4]}" for index in range(count)), "return x"])


def trained(count: int) -> str:
    """The same with a parameter that requires a gradient."""
    forms = ("torch.relu(x) + 1", "x * self.weight", "x.sigmoid()", "x - 0.5")
    lines = [f"x = {forms[index % 4]}" for index in range(count)]
    return module([*lines, "return x"], ["self.weight = nn.Parameter(torch.ones(4))"])


def in_place(count: int) -> str:
    """Operators that change a tensor in place."""
    forms = ("x += 1", "x.mul_(2)", "x -= y", "x.relu_()")
    lines = [forms[index % 4] for index in range(count)]
    return function(["y = x * 2", "x = x.clone()", *lines, "return x"])


def views_in_place(count: int) -> str:
    """Views of one tensor, each of which is changed in place."""
    lines: list[str] = []
    for index in range(count // 2):
        lines += [f"v{index} = x[{index % 4}:]", f"v{index}.add_({index})"]
    return function(["x = x.clone()", *lines, "return x"])


def slice_assignments(count: int) -> str:
    """Assignments to slices and elements of a tensor, which is read in between."""
    forms = ("x[0:2] = y[2:4]", "x[{}] = n", "y = x * 2", "x[1:] += 1")
    lines = [forms[index % 4].format(index % 3) for index in range(count)]
    return function(["x = x.clone()", "y = x * 2", *lines, "return x"])


def sizes(count: int) -> str:
    """Queries of shapes, and what is calculated of them."""
    forms = (
        "n = x.size(0) + n",
        "n = x.shape[-1] * 2",
        "x = x.view(-1, n // n)[:, 0]",
        "n = x.dim()",
    )
    return function([*(forms[index % 4] for index in range(count)), "return x"])


# ---- Numbers and strings -----------------------------------------------------------------------


def integers(count: int) -> str:
    """Arithmetic of ints."""
    forms = ("n = n * 3 % 1000", "n += 7", "n = (n << 2) ^ 5", "n = n // 2 - 1")
    return function([*(forms[index % 4] for index in range(count)), "return x + n"])


def constants(count: int) -> str:
    """Arithmetic of ints that are known while compiling."""
    lines = [f"a = a * 3 % 1000 + {index}" for index in range(count)]
    return function(["a = 1", *lines, "return x + a"])


def casts(count: int) -> str:
    """Casts between ints, floats, bools and strings."""
    forms = ("f = float(n)", "n = int(f)", "b = bool(n)", "n = int(str(int(b)))")
    lines = [forms[index % 4] for index in range(count)]
    return function(["f = 1.0", "b = True", *lines, "return x + n"])


def comparisons(count: int) -> str:
    """Comparisons, with `and`, `or` and `not`."""
    forms = ("ok = ok and n > {}", "ok = n < {} or ok", "ok = not ok", "ok = 0 < n < {}")
    lines = [forms[index % 4].format(index) for index in range(count)]
    return function(["ok = True", *lines, "return x, ok"])


def strings(count: int) -> str:
    """Concatenation and methods of strings."""
    forms = ("s = s + 'a'", "s = s.upper()", "s += str(n)", "s = s[:5]")
    return function(["s = 'a'", *(forms[index % 4] for index in range(count)), "return x, s"])


def fstrings(count: int) -> str:
    """f-strings."""
    lines = [f's = f"{{n}} and {{s}}, {index}"[:9]' for index in range(count)]
    return function(["s = 'a'", *lines, "return x, s"])


def variables(count: int) -> str:
    """As many variables as there are statements, all of which are read at the end."""
    lines = [f"v{index} = n + {index}" for index in range(count // 2)]
    reads = [f"n = n + v{index}" for index in range(count // 2)]
    return function([*lines, *reads, "return x + n"])


# ---- Containers --------------------------------------------------------------------------------


def containers(count: int) -> str:
    """Lists and dicts that are written to and read."""
    lines = ["xs: List[Tensor] = [x]", 'table: Dict[str, Tensor] = {"a": x}']
    for index in range(count // 4):
        lines += [f"xs.append(xs[{index}] * 2)", f'table["k{index}"] = xs[-1]']
        lines += [f"xs[{index}] = x", f'x = x + table["k{index}"]']
    return function([*lines, "return x, xs, table"])


def list_literal(count: int) -> str:
    """A list of many items."""
    items = [f"    n + {index}," for index in range(count)]
    return function(["xs = [", *items, "]", "return x + xs[n], xs"])


def tensor_list(count: int) -> str:
    """A list of many tensors, which are made into one."""
    items = [f"    x + {index}," for index in range(count)]
    return function(["xs = [", *items, "]", "return torch.stack(xs)"])


def dict_literal(count: int) -> str:
    """A dict of many items."""
    items = [f'    "k{index}": n + {index},' for index in range(count)]
    return function(["table = {", *items, "}", 'return x + table["k1"], table'])


def unpacking(count: int) -> str:
    """Tuples, which are unpacked."""
    lines = [f"a, b = b, a + {index}" for index in range(count)]
    return function(["a, b = n, n", *lines, "return x + a, b"])


def tensor_tuples(count: int) -> str:
    """Tuples of tensors, which are made, unpacked and read by number."""
    lines: list[str] = []
    for _ in range(count // 3):
        lines += ["t = (x, x * 2)", "a, b = t", "x = a + t[1] * b"]
    return function([*lines, "return x"])


def named_tuples(count: int) -> str:
    """Named tuples, which are made and read."""
    before = "class Pair(NamedTuple):\n    a: Tensor\n    b: int\n\n\n"
    lines = [f"p = Pair(p.a + {index}, p.b + 1)" for index in range(count)]
    return function(["p = Pair(x, n)", *lines, "return p"], before=before)


def comprehensions(count: int) -> str:
    """List comprehensions."""
    lines = [f"xs = [v + {index} for v in xs]" for index in range(count)]
    return function(["xs = [n, n + 1]", *lines, "return x + xs[0]"])


def list_methods(count: int) -> str:
    """Methods of a list of ints."""
    forms = ("xs.append(n)", "n = xs.pop()", "xs.insert(0, n)", "n = xs[0] + len(xs)")
    return function(["xs = [n]", *(forms[index % 4] for index in range(count)), "return x, xs"])


# ---- Functions, methods and attributes ---------------------------------------------------------


def calls(count: int) -> str:
    """Calls of small functions, each of which is called once."""
    text = "".join(
        f"def f{index}(x: Tensor):\n    return x * {index} + 1\n\n\n" for index in range(count)
    )
    return function([*(f"x = f{index}(x)" for index in range(count)), "return x"], before=text)


def repeated_calls(count: int) -> str:
    """Calls of one function, with a keyword and a default."""
    before = """def f(x: Tensor, factor: float = 2.0, shift: int = 1):
    return x * factor + shift


"""
    forms = ("x = f(x)", "x = f(x, shift={0})", "x = f(x, {0}.5)")
    lines = [forms[index % 3].format(index) for index in range(count)]
    return function([*lines, "return x"], before=before)


def library_calls(count: int) -> str:
    """Calls of functions of `torch.nn.functional`."""
    forms = ("F.dropout(x, 0.5, False)", "F.gelu(x)", "F.softmax(x, -1)", "F.layer_norm(x, [4])")
    lines = [f"x = {forms[index % 4]}" for index in range(count)]
    return function([*lines, "return x"], before="from torch.nn import functional as F\n\n\n")


def parameters(count: int) -> str:
    """Many parameters, which are all read."""
    names = [f"p{index}" for index in range(count // 2)]
    return function([*(f"n = n + {name}" for name in names), "return x + n"],
                    [f"{name}: int = 1" for name in names])  # fmt: skip


def results(count: int) -> str:
    """Many values that are returned."""
    lines = [f"v{index} = x + {index}" for index in range(count // 2)]
    names = [f"    v{index}," for index in range(count // 2)]
    return function([*lines, "return (", *names, ")"])


def methods(count: int) -> str:
    """Methods of a module, each of which is called once."""
    members = "".join(
        f"    def m{index}(self, x: Tensor):\n        return x * {index} + self.a\n\n"
        for index in range(count // 3)
    )
    lines = [f"x = self.m{index}(x)" for index in range(count // 3)]
    return module([*lines, "return x"], ["self.a = 1.0"], members)


def attributes(count: int) -> str:
    """Attributes of a module, which are written and read."""
    forms = ("self.total = self.total + n", "x = x + self.total", "self.state = self.state * 2",
             "x = x + self.state")  # fmt: skip
    lines = [forms[index % 4] for index in range(count)]
    made = ["self.total = 1", 'self.register_buffer("state", torch.ones(4))']
    return module([*lines, "return x"], made)


def many_attributes(count: int) -> str:
    """As many attributes of a module, each of which is written and read once."""
    made = [f"self.a{index} = {index}" for index in range(count // 3)]
    lines: list[str] = []
    for index in range(count // 3):
        lines += [f"n = n + self.a{index}", f"self.a{index} = n"]
    return module([*lines, "return x + n"], made)


def parameters_of_module(count: int) -> str:
    """As many parameters of a module, each of which is read once."""
    made = [f"self.p{index} = nn.Parameter(torch.ones(4))" for index in range(count // 2)]
    return module([*(f"x = x * self.p{index}" for index in range(count // 2)), "return x"], made)


def objects(count: int) -> str:
    """An object of a script class, whose attributes are written and whose methods are called."""
    before = """class Counter:
    def __init__(self, total: int):
        self.total = total

    def add(self, n: int) -> int:
        self.total += n
        return self.total


"""
    forms = ("c.total = n", "n = c.add({})", "n = c.total + n", "c.total += 1")
    lines = [forms[index % 4].format(index) for index in range(count)]
    return function(["c = Counter(n)", *lines, "return x + n"], before=before)


def prints(count: int) -> str:
    """Calls that have an effect and no result."""
    lines = [f'if n < 0:\n        print("{index}", n)' for index in range(count // 2)]
    return function([*lines, "return x"])


def modules(count: int) -> str:
    """Submodules of one class in an `nn.ModuleList`, called one after the other."""
    return _layered(
        "nn.ModuleList([{}])", count, ["for layer in self.layers:", "    x = layer(x)", "return x"]
    )


def sequences(count: int) -> str:
    """The same submodules in an `nn.Sequential`, which calls them."""
    return _layered("nn.Sequential(*[{}])", count, ["return self.layers(x)"])


def _layered(container: str, count: int, lines: list[str]) -> str:
    layers = container.format(f"Scale(float(index)) for index in range({count})")
    return """class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor
        self.weight = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, x: Tensor):
        return x * self.weight + self.factor


""" + module(lines, [f"self.layers = {layers}"])


VALUES = (
    chain, trained, in_place, views_in_place, slice_assignments, sizes, integers, constants, casts,
    comparisons, strings, fstrings, variables, containers, list_literal, tensor_list, dict_literal,
    unpacking, tensor_tuples, named_tuples, comprehensions, list_methods, calls, repeated_calls,
    library_calls, parameters, results, methods, attributes, many_attributes, parameters_of_module,
    objects, prints, modules, sequences,
)  # fmt: skip
