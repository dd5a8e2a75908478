"""Cures in words, followed by hand: a mistake of `wrong_programs.py`, and what it becomes.

A line that begins with `top:` stands at the top of the file, as the cure says.
"""

FOLLOWED = r"""
print("a", {x}, sep="")
    print("a" + str({x}))
print("%.2f" % 1.5, end="")
    print("%.2f" % 1.5)
start = time.time()
    top: @torch.jit.ignore
    top: def now() -> float: return time.time()
    start = now()
noise = random.random()
    noise = torch.rand(1)
array = torch.ones(2).numpy()
    array = torch.ones(2)
path = os.path.join("a", "b")
    top: @torch.jit.ignore
    top: def joined(a: str, b: str) -> str: return os.path.join(a, b)
    path = joined("a", "b")
queue = collections.deque([1, 2])
    queue = [1, 2]; queue.append(3); queue.pop(0)
counts = collections.defaultdict(int)
    counts = {{"a": 1}}
    if "b" not in counts: counts["b"] = 0
counter = collections.Counter([1, 2])
    counter = {{"a": 0}}; counter["b"] = counter.get("b", 0) + 1
copied = copy.deepcopy({x})
    copied = {x}.clone()
lists = [i + j for i in range(2) for j in range(2)]
    lists = [0]
    for i in range(2):
        for j in range(2): lists.append(i + j)
evens = [i for i in range(4) if i % 2 == 0]
    evens = [0]
    for i in range(4):
        if i % 2 == 0: evens.append(i)
names = {{1, 2, 3}}
    names = [1, 2, 3]
unique = set([1, 2])
    unique = {{1: True, 2: True}}
add = lambda v: v + 1
    top: def added(v: int) -> int: return v + 1
    one = added(1)
ordered = sorted([2, 1], key=lambda v: -v)
    ordered = sorted([-2, -1])
best = max([1, 2], key=lambda v: -v)
    best = 1
    for v in [1, 2]:
        if -v > -best: best = v
best = min([1, 2], default=0)
    best = min([1, 2]) if len([1, 2]) > 0 else 0
doubled = list(map(lambda v: v * 2, [1, 2]))
    top: def double(v: int) -> int: return v * 2
    doubled = [double(v) for v in [1, 2]]
positive = list(filter(lambda v: v > 0, [1, 2]))
    top: def is_positive(v: int) -> bool: return v > 0
    positive = [0]
    for v in [1, 2]:
        if is_positive(v): positive.append(v)
name = type({x}).__name__
    top: @torch.jit.ignore
    top: def name_of(x: torch.Tensor) -> str: return type(x).__name__
    name = name_of({x})
identity = id({x})
    top: @torch.jit.ignore
    top: def identity_of(x: torch.Tensor) -> int: return id(x)
    identity = identity_of({x})
global COUNT; COUNT += 1
    top: def counted(count: int) -> int: return count + 1
    count = counted(0)
limit = TABLE["a"]
    top: def limit_of(table: dict[str, int]) -> int: return table["a"]
    limit = limit_of({{"a": 1}})
import math as m
    top: import math as m
    half = m.sqrt(2.0)
d = {{"a": 1}}; d2 = {{**d, "b": 2}}
    d = {{"a": 1}}; d2 = d.copy(); d2.update({{"b": 2}})
half = [0] * (5 / 2)
    half = [0] * int(5 / 2)
for i in range(5 / 2): print(i)
    for i in range(int(5 / 2)): print(i)
for i in range(torch.ones(1).item()): print(i)
    for i in range(int(torch.ones(1).item())): print(i)
for a, b in {{"a": 1}}: print(a)
    for a, b in {{"a": 1}}.items(): print(a)
first, *rest = [1, 2, 3]
    items = [1, 2, 3]; first, rest = items[0], items[1:]
flag = 1; flag = "a"
    changed: Union[int, str] = 1; changed = "a"
nothing = ...
    nothing = None
z = torch.ones(2).astype("float32")
    z = torch.ones(2).to(torch.float32)
z = torch.ones(2).tolist()
    values: list[float] = torch.ones(2).tolist()
z = torch.ones(2).item() + "a"
    z = torch.ones(2).item() + 1
z = torch.ones(2).to("cuda:0" if 1 > 2 else None)
    where: Optional[str] = None
    if where is not None: z = torch.ones(2).to(where)
z = torch.ones(2, 2)["a"]
    z = torch.ones(2, 2)[0]
z = torch.zeros(2.5)
    z = torch.zeros(int(2.5))
z = torch.ones(2).view("a")
    z = torch.ones(2).view(2)
z = torch.ones(2).sum(axes=0)
    z = torch.ones(2).sum(dim=0)
z = F.dropout(torch.ones(2), "a")
    z = F.dropout(torch.ones(2), 0.5)
z = "abc".casefold()
    z = "abc".lower()
z = "abc" + 1
    z = "abc" + str(1)
z = 1 + "abc"
    z = 1 + 2
z = "a" * 2.0
    z = torch.ones(1) * 2.0
z = [1, 2].foo()
    z = [1, 2].pop()
z = [1, 2]["a"]
    z = [1, 2][0]
z = {{"a": 1}}[1]
    z = {{"1": 1}}[str(1)]
z = {{"a": 1}}.get("a") + 1
    z = {{"a": 1}}.get("a", 0) + 1
z = (1, 2)[{x}]
    z = (1, 2)[1]
z = 5[0]
    z = [5][0]
z = round(2.567, 2)
    z = round(2.567 * 100.0) / 100.0
z = pow(2, 3, 5)
    z = pow(2, 3) % 5
z = int("5", 16)
    z = int("5")
z = abs("a")
    z = abs(1)
z = open("a").read()
    top: @torch.jit.ignore
    top: def text_of(path: str) -> str: return open(path).read()
    z = text_of("a")
z = input()
    top: @torch.jit.ignore
    top: def asked() -> str: return input()
    z = asked()
z = eval("1")
    top: @torch.jit.ignore
    top: def evaluated(text: str) -> int: return eval(text)
    z = evaluated("1")
z = hasattr({x}, "shape")
    z = isinstance({x}, torch.Tensor)
z = vars({x})
    top: @torch.jit.ignore
    top: def count_of(x: torch.Tensor) -> int: return len(vars(x))
    z = count_of({x})
z = callable({x})
    top: @torch.jit.ignore
    top: def is_callable(x: torch.Tensor) -> bool: return callable(x)
    z = is_callable({x})
z = undefined_name
    undefined_name = 1; z = undefined_name
z = Foo()
    top: class Foo:
    top:     def __init__(self) -> None: pass
    z = Foo()
raise "text"
    raise RuntimeError("text")
del {x}.foo
    foo = 1; del foo
del undefined
    undefined = 1; del undefined
with open("a") as f: print(f)
    top: @torch.jit.ignore
    top: def printed(path: str) -> None: print(open(path))
    printed("a")
with torch.autograd.set_detect_anomaly(True): print(1)
    top: @torch.jit.ignore
    top: def detected() -> None: torch.autograd.set_detect_anomaly(True)
    detected()
for line in 5: print(line)
    for line in range(5): print(line)
match 1:
    case 1: print(1)
    --
    if 1 == 1: print(1)
def inner(v): return v + 1
    top: def inner(v: int) -> int: return v + 1
    one = inner(0)
class Inner: pass
    top: class Inner:
    top:     def __init__(self) -> None: pass
    one = Inner()
yield 1
    xs = [1]; print(xs)
return 1, "a"
    return torch.ones(1)
z = next(iter([1, 2]))
    z = [1, 2][0]
z = next(v for v in [1, 2] if v > 1)
    z = 0
    for v in [1, 2]:
        if v > 1:
            z = v
            break
"""


def followed() -> dict[str, tuple[str, str]]:
    """Return for each mistake the lines at the top of the file, and those in its place."""
    found: dict[str, tuple[str, str]] = {}
    groups: list[list[str]] = []
    for line in FOLLOWED.strip("\n").splitlines():
        if line.startswith("    "):
            groups[-1].append(line[4:])
        else:
            groups.append([line])
    for mistake, *lines in groups:
        if "--" in lines:
            end = lines.index("--")
            mistake = "\n".join([mistake, *(f"    {line}" for line in lines[:end])])
            lines = lines[end + 1 :]
        top = [line.removeprefix("top: ") for line in lines if line.startswith("top: ")]
        found[mistake] = (
            "\n".join(top),
            "\n".join(line for line in lines if not line.startswith("top: ")),
        )
    return found
