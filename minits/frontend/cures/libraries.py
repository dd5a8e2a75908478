"""Cures for functions of other libraries: numpy's, those of loggers, and Python's own containers.

np.sqrt(x)              torch.sqrt(x)
collections.deque()     a list
LOG.info("message")     a print, or a function marked @torch.jit.ignore
"""

from __future__ import annotations

import sysconfig
from pathlib import Path

from minits.diagnostics import Diagnostic
from minits.edits import Edit, inserting, replacing
from minits.frontend.calls.hints import INSTEAD
from minits.frontend.calls.spelled_types import known_in
from minits.frontend.cures.site import Cure, Site, called_name, margin_of, site_of
from minits.ops.registry import schemas_for
from minits.records import replace
from minits.source import SourceRange
from minits.syntax import tree

_NUMPY = ("np", "numpy")
_OTHERWISE = {
    "array": "tensor", "asarray": "as_tensor", "concatenate": "cat", "float32": "float32",
    "float64": "float64", "int64": "int64", "int32": "int32", "power": "pow", "minimum": "minimum",
    "maximum": "maximum", "expand_dims": "unsqueeze", "bool_": "bool", "ndarray": "Tensor",
    "pi": "pi", "inf": "inf", "nan": "nan",
}  # fmt: skip
"""Names of numpy, and torch's."""
_CONTAINERS = {
    "deque": "use a list: xs.append(x) at its end, xs.pop(0) at its beginning",
    "Counter": "use a Dict[str, int], and count: d[key] = d.get(key, 0) + 1",
    "defaultdict": "use a dict, and add a missing key: if key not in d: d[key] = ...",
    "OrderedDict": "use a dict, which keeps the order, too",
    "namedtuple": "define a class that inherits from NamedTuple at the top of the file",
}
"""Classes of `collections`, and what to use in their place."""
_LEVELS = ("debug", "info", "warning", "error", "critical", "exception", "log")
_SCRIPTING = "torch.jit.is_scripting()"
_STANDARD_LIBRARY = sysconfig.get_path("stdlib")
_PACKAGES = "site-packages"
_TOOLS = ("autograd/anomaly_mode.py", "autograd/profiler.py", "profiler/", "backends/", "random.py")
"""Files of torch whose functions and context managers set up what Python runs."""


def of_numpy(site: Site, fault: Diagnostic) -> Cure | None:
    """`np.zeros(3)` is `torch.zeros(3)`."""
    for node in site.path:
        call = node.func if isinstance(node, tree.Call) else node
        match call:
            case tree.Attribute(value=tree.Name(id=module), attr=name) if module in _NUMPY:
                wanted = _OTHERWISE.get(name, name)
                is_known = name in _OTHERWISE or bool(schemas_for(f"aten::{wanted}"))
                if not is_known:
                    return Cure(INSTEAD)
                written = f"math.{wanted}" if name in ("pi", "inf", "nan") else f"torch.{wanted}"
                edit = replacing(call.range, written, is_safe=False)
                is_there = known_in(written.partition(".")[0], call.range.source.filename)
                return Cure(f"write {written}", edit if is_there else None)
    return None


def from_numpy(site: Site, fault: Diagnostic) -> Cure | None:
    """`torch.from_numpy(x)` is its argument, which is a tensor here."""
    call = next((each for each in site.path if isinstance(each, tree.Call)), None)
    if not isinstance(call, tree.Call) or called_name(call) != "from_numpy" or len(call.args) != 1:
        return None
    text = call.args[0].range.text
    return Cure(f"leave it out: {text}", replacing(call.range, text, is_safe=False))


def of_collections(site: Site, fault: Diagnostic) -> Cure | None:
    """`deque(xs)` is a list."""
    fix = _CONTAINERS.get(called_name(site.nearest(tree.Call)) or "")
    return Cure(fix) if fix is not None else None


def empty_ordered(site: Site, fault: Diagnostic) -> Cure | None:
    """`d: Dict[str, int] = OrderedDict()` is `{}`, which alone takes the type of the variable."""
    match site.statement():
        case tree.AnnAssign(value=tree.Call() as call) if called_name(call) == "OrderedDict":
            if not (call.args or call.keywords):
                fix = "write {}, a dict, which keeps the order and takes the type that is annotated"
                return Cure(fix, replacing(call.range, "{}", is_safe=False))
    return None


def of_logger(site: Site, fault: Diagnostic) -> Cure | None:
    """`LOG.info(...)` prints, or stands behind `torch.jit.is_scripting()`."""
    calls = (each.func for each in site.path if isinstance(each, tree.Call))
    methods = (each for each in calls if isinstance(each, tree.Attribute))
    node = next((each for each in methods if each.attr in _LEVELS), None)
    if node is None:
        return None
    if "Logger" not in fault.message and node.value.range.text != "logging":
        return None
    statement = site.statement()
    edit = None
    margin = margin_of(statement)
    is_known = known_in("torch", statement.range.source.filename)
    if isinstance(statement, tree.Expr) and margin is not None and is_known:
        edit = inserting(statement.range, before=f"if not {_SCRIPTING}:\n{margin}    ")
    return Cure(f"leave it to Python: if not {_SCRIPTING}: {node.range.text}(...)", edit)


def category(site: Site, fault: Diagnostic) -> Cure | None:
    """`warnings.warn(text, UserWarning)` and `warnings.warn(UserWarning(text))`: no categories."""
    calls = (each for each in site.path if isinstance(each, tree.Call))
    call = next((each for each in calls if called_name(each) == "warn"), None)
    if call is None or not call.args:
        return None
    message, *others = call.args
    match message:
        case tree.Call(func=tree.Name(id=kind) as made, args=(text,)) if kind.endswith(
            "Warning"
        ) and (site.node is made or site.node is message):
            edit = replacing(message.range, text.range.text, is_safe=kind == "UserWarning")
            return Cure("give the message alone, without a category", edit)
    named = [each for each in call.keywords if each.arg == "category"]
    given = others[0] if others else next((each.value for each in named), None)
    if given is None or given not in site.path:
        return None
    ends = [each.range.end for each in (*others, *(each.value for each in named))]
    level = f", stacklevel={others[1].range.text}" if len(others) == 2 else ""
    loc = SourceRange(message.range.source, message.range.end, max(ends))
    between = [each for each in call.keywords if each not in named and each.range.end < max(ends)]
    left = replacing(loc, level, is_safe=given.range.text == "UserWarning")
    return Cure("leave the category out", None if between else left)


def called_library(fault: Diagnostic, definition: tree.FunctionDef) -> Diagnostic:
    """Return the error of a function that is called; nobody mends those of libraries."""
    if fault.range is None or not is_library(fault):
        return fault
    filename = fault.range.source.filename
    path = Path(filename)
    name = path.parent.name if path.stem == "__init__" else path.stem
    fix: str | None = f"the module {name} is Python's own: {INSTEAD}"
    edit: Edit | None = None
    if _PACKAGES in filename:
        package = filename.partition(f"{_PACKAGES}/")[2].partition("/")[0]
        fix = f"it is a part of {package}: {INSTEAD}"
    if f"{_PACKAGES}/torch/" in filename:
        fix = "call it in Python, around the call of the compiled function"
    if name == "copy":
        fix = "copy a tensor by x.clone(), a list by list(x), a dict by x.copy()"
    if name == "collections":
        fix = _CONTAINERS.get(fault.callers[-1].function.rpartition(".")[2], fix)
    if name == "dataclasses" and fault.callers[-1].function == "replace":
        fix = "make the object by its class, with all fields: Point(p.x, y=3)"
    if name == "logging":
        fix = "leave it to Python: make loggers at the top of the file, and use them behind " + (
            f"if not {_SCRIPTING}:"
        )
    place = fault.callers[-1].range
    site = site_of(definition, replace(fault, range=place)) if place is not None else None
    if site is not None:
        cure = of_numpy(site, fault) or of_collections(site, fault) or of_logger(site, fault)
        fix, edit = cure if cure is not None else (fix, None)
    return replace(fault, fix=fix, edit=edit)


def is_library(fault: Diagnostic) -> bool:
    """Return whether an error is in a file of Python, or of a package that is installed.

    Of torch, those of its tools for Python: programs are compiled with its layers and functions.
    """
    filename = fault.range.source.filename if fault.range is not None else ""
    if _PACKAGES in filename:
        part = filename.partition(f"{_PACKAGES}/torch/")[2]
        return not part or part.startswith(_TOOLS)
    return filename.startswith(_STANDARD_LIBRARY)
