"""Cures for functions of Python that TorchScript lacks, or that work otherwise there."""

from __future__ import annotations

from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement, replacing
from minits.frontend.calls.spelled_types import known_in
from minits.frontend.cures.site import Cure, Site, called_name, fresh_name, is_simple
from minits.source import SourceRange
from minits.syntax import tree

_OF_KEYS = ("max", "min", "sorted", "sort")


def key_function(site: Site, fault: Diagnostic) -> Cure | None:
    """`max(xs, key=len)` looks in a loop."""
    keyword = site.nearest(tree.keyword)
    call = site.nearest(tree.Call)
    name = called_name(call)
    if not isinstance(keyword, tree.keyword) or keyword.arg != "key" or name not in _OF_KEYS:
        return None
    if name in ("max", "min"):
        return Cure("go over the items in a loop, and keep the one whose key is best so far")
    return Cure("sort a list of the keys, or objects of a script class with __lt__")


def function_as_value(site: Site, fault: Diagnostic) -> Cure | None:
    """A function is given to `map`, `filter`, `partial`, `reversed` or another function."""
    call = next((n for n in site.path if isinstance(n, tree.Call) and n is not site.node), None)
    if isinstance(site.node, tree.Call) and called_name(site.parent) == "reversed":
        call = site.parent if isinstance(site.parent, tree.Call) else None
    if not isinstance(call, tree.Call):
        comparison = site.nearest(tree.Compare)
        return _type_test(comparison) if isinstance(comparison, tree.Compare) else None
    found = _of_python(call, site)
    if found is None and fault.fix == "call it":
        return Cure("call it there: functions are no values, and cannot be passed on")
    return found


def function_of_python(site: Site, fault: Diagnostic) -> Cure | None:
    """`set(xs)`, `map(f, xs)`, `reversed(xs)`: functions that are none of TorchScript."""
    node = site.nearest(tree.Call)
    if called_name(node) == "reversed" and "torch.nn.modules.container" in fault.message:
        return Cure("keep the modules in a second nn.ModuleList, in the other order")
    return _of_python(node, site) if isinstance(node, tree.Call) else None


def number_of_text(site: Site, fault: Diagnostic) -> Cure | None:
    """`math.sqrt("2")` is `math.sqrt(float("2"))`."""
    match site.nearest(tree.Call):
        case tree.Call(func=tree.Attribute(value=tree.Name(id="math")), args=(text,)) if (
            "found type 'str'" in fault.message
        ):
            number = f"float({text.range.text})"
            return Cure(f"give a number: {number}", replacing(text.range, number, is_safe=False))
    return None


def iterator(site: Site, fault: Diagnostic) -> Cure | None:
    """`next(iter(xs))` is the first item; `next(x for x in xs if p(x))` looks in a loop."""
    calls = [each for each in site.path if isinstance(each, tree.Call)]
    call = next((each for each in calls if called_name(each) == "next"), None)
    match call:
        case tree.Call(args=(tree.Call(func=tree.Name(id="iter"), args=(items,)),)):
            first = f"{items.range.text}[0]"
            edit = replacing(call.range, first, is_safe=False) if is_simple(items) else None
            return Cure(f"take the first item: {first}", edit)
        case tree.Call(args=(tree.GeneratorExp(), *_)):
            return Cure("go over the items in a loop, and return or break at the first one wanted")
    return None


def _of_python(call: tree.Call, site: Site) -> Cure | None:
    match call:
        case tree.Call(func=tree.Name(id="reversed"), args=(items,)):
            return _reversed(call, items)
        case tree.Call(func=tree.Name(id="map"), args=(function, items)):
            item, text = fresh_name(site.definition, "each"), items.range.text
            written = f"[{function.range.text}({item}) for {item} in {text}]"
            edit = replacing(call.range, written) if is_simple(function) else None
            return Cure(f"write a comprehension: {written}", edit)
        case tree.Call(func=tree.Name(id="filter")):
            return Cure("go over the items in a loop with an if, and append those wanted to a list")
        case tree.Call(func=tree.Name(id="set" | "frozenset")):
            return Cure("use a list, or a dict whose keys are the items")
        case tree.Call(func=tree.Name(id="partial") | tree.Attribute(attr="partial")):
            return Cure("call the function itself, with all arguments")
        case tree.Call(func=tree.Name(id="defaultdict") | tree.Attribute(attr="defaultdict")):
            return Cure("use a dict, and add a missing key: if key not in d: d[key] = ...")
        case tree.Call(func=tree.Name(id="id")):
            return Cure(
                "only objects of script classes have an id: compare two values by `is`, or call "
                "id in a function marked @torch.jit.ignore"
            )
        case tree.Call(func=tree.Name(id="type"), args=(value,)):
            return Cure(
                f"test it with isinstance({value.range.text}, ...), or keep the name in an "
                "attribute, assigned in __init__"
            )
    return None


def _reversed(call: tree.Call, items: tree.expr) -> Cure:
    text = items.range.text
    match items:
        case tree.Call(func=tree.Name(id="range"), args=(stop,), keywords=()):
            down = f"range({_minus_one(stop)}, -1, -1)"
            return Cure(f"count down: {down}", replacing(call.range, down))
        case tree.Call(func=tree.Name(id="range"), args=(start, stop), keywords=()):
            down = f"range({_minus_one(stop)}, {_minus_one(start)}, -1)"
            return Cure(f"count down: {down}", replacing(call.range, down))
    is_operand = is_simple(items) or isinstance(items, (tree.Call, tree.Subscript, tree.List))
    back = f"{text}[::-1]" if is_operand else f"({text})[::-1]"
    return Cure(f"go over a list from its end: {back}", replacing(call.range, back))


def _minus_one(bound: tree.expr) -> str:
    if isinstance(bound, tree.Constant) and isinstance(bound.value, int):
        return str(bound.value - 1)
    text = bound.range.text
    is_operand = is_simple(bound) or isinstance(bound, (tree.Call, tree.Subscript))
    return f"{text} - 1" if is_operand else f"({text}) - 1"


def _type_test(comparison: tree.Compare) -> Cure | None:
    """`type(x) == T` is isinstance."""
    match comparison:
        case tree.Compare(
            left=tree.Call(func=tree.Name(id="type"), args=(value,)),
            ops=("==" | "is" | "!=" | "is not" as operator,),
            comparators=(wanted,),
        ):
            test = f"isinstance({value.range.text}, {wanted.range.text})"
            test = test if operator in ("==", "is") else f"not {test}"
            return Cure(f"write {test}", replacing(comparison.range, test, is_safe=False))
    return None


# ---- Methods -----------------------------------------------------------------------------------

_OF_NUMPY = {
    "astype": "x.to(torch.float32)", "copy": "x.clone()",
}  # fmt: skip
"""Methods of arrays, and how tensors do it."""


def method_of_python(site: Site, fault: Diagnostic) -> Cure | None:
    """`s.removeprefix(p)` is a slice; `x.astype(...)` has another name."""
    node, call = site.node, site.parent
    if not isinstance(node, tree.Attribute):
        return None
    if fault.message.startswith("'Tensor'") and node.attr in _OF_NUMPY:
        return Cure(f"write {_OF_NUMPY[node.attr]}")
    if not isinstance(call, tree.Call) or len(call.args) != 1 or call.func is not node:
        return None
    text, part = node.value.range.text, call.args[0].range.text
    if node.attr == "removeprefix":
        plain = f"{text}[len({part}):] if {text}.startswith({part}) else {text}"
    elif node.attr == "removesuffix":
        rest = f"{text}[:len({text}) - len({part})]"
        plain = f"{rest} if {text}.endswith({part}) else {text}"
    else:
        return None
    around = site.around(call)
    alone = (tree.Return, tree.Assign, tree.AnnAssign, tree.Expr)
    edited = plain if isinstance(around, alone) else f"({plain})"
    is_twice = is_simple(node.value) and is_simple(call.args[0])
    return Cure(f"write {plain}", replacing(call.range, edited) if is_twice else None)


# ---- Arguments ---------------------------------------------------------------------------------


def spread_list(site: Site, fault: Diagnostic) -> Cure | None:
    """`f(*xs)` of a list, `tuple(xs)`."""
    star = site.nearest(tree.Starred)
    if isinstance(star, tree.Starred) and isinstance(site.around(star), tree.Call):
        text = star.value.range.text
        return Cure(f"write the items out, as in {text}[0], {text}[1], or pass the list itself")
    match site.nearest(tree.Call):
        case tree.Call(func=tree.Name(id="tuple"), args=(items,)):
            text = "xs" if isinstance(items, tree.GeneratorExp) else items.range.text
            return Cure(f"keep the list, or write its items out: ({text}[0], {text}[1])")
    return None


def unpacked_shape(site: Site, fault: Diagnostic) -> Cure | None:
    """`b, *rest = xs` indexes and slices: `b, rest = xs[0], xs[1:]`."""
    match site.statement():
        case tree.Assign(targets=(tree.Tuple(elts=targets),), value=value) if is_simple(value):
            stars = [each for each in targets if isinstance(each, tree.Starred)]
        case _:
            return None
    if len(stars) != 1:
        return None
    text, at, count = value.range.text, targets.index(stars[0]), len(targets)
    parts = [f"{text}[{n if n < at else n - count}]" for n in range(count)]
    parts[at] = f"{text}[{at or ''}:{at + 1 - count or ''}]"
    written = ", ".join(parts)
    source, start, _ = stars[0].range
    star = Replacement(SourceRange(source, start, start + 1), "")
    return Cure(f"index and slice it: {written}", Edit((star, Replacement(value.range, written))))


def unpacked_tensor(site: Site, fault: Diagnostic) -> Cure | None:
    """`a, b = x` of a tensor takes its rows: `a, b = x.unbind()`."""
    match site.statement():
        case tree.Assign(targets=(tree.Tuple(),), value=value):
            pass
        case _:
            return None
    is_operand = is_simple(value) or isinstance(value, (tree.Call, tree.Subscript))
    if not fault.message.startswith("Tensor cannot") or not is_operand:
        return None
    rows = f"{value.range.text}.unbind()"
    return Cure(f"take its rows: {rows}", replacing(value.range, rows))


def index_after_dots(site: Site, fault: Diagnostic) -> Cure | None:
    """`x[..., [0, 1], :]` selects from a dimension that is counted from the end."""
    node = site.nearest(tree.Subscript)
    if not isinstance(node, tree.Subscript) or not isinstance(node.slice, tree.Tuple):
        return None
    first, *others = node.slice.elts
    if not (isinstance(first, tree.Constant) and first.value is Ellipsis):
        return None
    lists = [n for n, each in enumerate(others) if isinstance(each, tree.List)]
    plain = all(each.range.text.strip() == ":" for n, each in enumerate(others) if n not in lists)
    if len(lists) != 1 or not plain or not is_simple(node.value):
        return None
    items = others[lists[0]]
    assert isinstance(items, tree.List)
    dim, text = lists[0] - len(others), node.value.range.text
    select = f"{text}.index_select({dim}, torch.tensor({items.range.text}, device={text}.device))"
    counted = all(isinstance(each, tree.Constant) for each in items.elts)  # none is negative
    return Cure(f"select them: {select}", replacing(node.range, select) if counted else None)


def separate_tensors(site: Site, fault: Diagnostic) -> Cure | None:
    """`torch.cat(x, y)` takes a list."""
    call = site.nearest(tree.Call)
    if not isinstance(call, tree.Call) or "'List[Tensor]'" not in fault.message:
        return None
    names = [
        each
        for each in call.args
        if isinstance(each, (tree.Name, tree.Attribute, tree.Call, tree.Subscript, tree.BinOp))
    ]
    if not names or "found type 'Tensor'" not in fault.message or names[0] is not call.args[0]:
        return None
    source = names[0].range.source
    loc = SourceRange(source, names[0].range.start, names[-1].range.end)
    if "," not in loc.text:
        return Cure(f"give a list of tensors: [{loc.text}]")
    return Cure(
        f"give them in a list: {call.func.range.text}([{loc.text}])",
        replacing(loc, f"[{loc.text}]", is_safe=False),
    )


def sum_of_tensors(site: Site, fault: Diagnostic) -> Cure | None:
    """`sum(xs)` of a list of tensors adds rows: `torch.stack(xs).sum(0)`."""
    match site.nearest(tree.Call):
        case tree.Call(func=tree.Name(id="sum"), args=(items,)) as call:
            pass
        case _:
            return None
    if "takes sum(List[Tensor])" not in fault.message:
        return None
    text = items.range.text
    if isinstance(items, tree.GeneratorExp):
        text = f"[{text.removeprefix('(').removesuffix(')')}]"
    added = f"torch.stack({text}).sum(0)"
    is_known = known_in("torch", call.range.source.filename)
    edit = replacing(call.range, added, is_safe=False) if is_known else None
    return Cure(f"add the tensors, which have one shape: {added}", edit)


def rounded(site: Site, fault: Diagnostic) -> Cure | None:
    """`round(x, 2)`: there is no second argument."""
    match site.nearest(tree.Call):
        case tree.Call(
            func=tree.Name(id="round"), args=(value, tree.Constant(value=int(digits)))
        ) if digits > 0:
            scale = float(10**digits)
            return Cure(f"scale it: round({value.range.text} * {scale}) / {scale}")
    return None


def true_division(site: Site, fault: Diagnostic) -> Cure | None:
    """`x.view(n / 2)` wants an integer."""
    if fault.fix != "convert it: int(...)":
        return None
    call = site.nearest(tree.Call)
    if not isinstance(call, tree.Call):
        return None
    for each in call.args:
        if isinstance(each, tree.BinOp) and each.op == "/":
            left, right = each.left.range, each.right.range
            between = SourceRange(left.source, left.end, right.start)
            plain = f"{left.text}{between.text.replace('/', '//')}{right.text}"
            edit = replacing(between, between.text.replace("/", "//"), is_safe=False)
            return Cure(f"divide to an int: {plain}", edit)
    return None


def grad_mode(site: Site, fault: Diagnostic) -> Cure | None:
    """`with torch.set_grad_enabled(False)` is `with torch.no_grad()`."""
    match site.nearest(tree.Call):
        case (
            tree.Call(
                func=tree.Attribute(attr="set_grad_enabled") as function,
                args=(tree.Constant(value=bool(mode)),),
            ) as call
        ):
            name = "enable_grad" if mode else "no_grad"
            plain = f"{function.value.range.text}.{name}()"
            return Cure(f"write {plain}", replacing(call.range, plain))
    return None


def default_of_empty(site: Site, fault: Diagnostic) -> Cure | None:
    """`min(xs, default=0)`: there is no default."""
    match site.nearest(tree.Call):
        case (
            tree.Call(
                func=tree.Name(id="min" | "max" as name),
                args=(items,),
                keywords=(tree.keyword(arg="default", value=default),),
            ) as call
        ):
            text = items.range.text
            plain = f"({name}({text}) if len({text}) > 0 else {default.range.text})"
            edit = replacing(call.range, plain) if is_simple(items) else None
            return Cure(f"test the length: {plain[1:-1]}", edit)
    return None
