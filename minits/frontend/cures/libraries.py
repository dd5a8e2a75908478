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


def of_logger(site: Site, fault: Diagnostic) -> Cure | None:
    """`LOG.info(...)` prints, or stands behind `torch.jit.is_scripting()`."""
    node = site.nearest(tree.Attribute)
    if not isinstance(node, tree.Attribute) or node.attr not in _LEVELS:
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
    """`warnings.warn(text, UserWarning)` has no category."""
    call = next((each for each in site.path if isinstance(each, tree.Call)), None)
    if called_name(call) != "warn" or not isinstance(call, tree.Call):
        return None
    if len(call.args) != 2 or call.args[1] not in site.path:
        return None
    (source, _, end), last = call.args[0].range, call.args[1].range
    loc = SourceRange(source, end, last.end)
    is_default = last.text == "UserWarning"
    return Cure("leave the category out", replacing(loc, "", is_safe=is_default))


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
    if name == "copy":
        fix = "copy a tensor by x.clone(), a list by list(x), a dict by x.copy()"
    place = fault.callers[0].range if len(fault.callers) == 1 else None
    site = site_of(definition, replace(fault, range=place)) if place is not None else None
    if site is not None:
        cure = of_numpy(site, fault) or of_collections(site, fault)
        fix, edit = cure if cure is not None else (fix, None)
    return replace(fault, fix=fix, edit=edit)


def is_library(fault: Diagnostic) -> bool:
    """Return whether an error is in a file of Python or of an installed package but torch."""
    filename = fault.range.source.filename if fault.range is not None else ""
    if _PACKAGES in filename:
        return f"{_PACKAGES}/torch/" not in filename
    return filename.startswith(_STANDARD_LIBRARY)
