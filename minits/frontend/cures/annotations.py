"""Cures for types and annotations."""

from __future__ import annotations

import re

from minits.diagnostics import Diagnostic
from minits.edits import Edit, inserting, replacing
from minits.frontend.calls.hints import ANNOTATED, WITH_A_FLOAT
from minits.frontend.calls.spelled_types import known_in, spelled
from minits.frontend.cures.site import Cure, Site, called_name, margin_of
from minits.source import SourceRange
from minits.syntax import tree

_TYPES = {"torch.tensor": "torch.Tensor", "tensor": "Tensor", "any": "Any", "np.ndarray": "Tensor",
          "numpy.ndarray": "Tensor", "np.array": "Tensor"}  # fmt: skip
"""The type that is meant, by the text that is written for it."""


def unknown_type(site: Site, fault: Diagnostic) -> Cure | None:
    """`torch.tensor` is a function, `any` as well; `dict` does not say what it holds."""
    if fault.range is None:
        return None
    text = fault.range.text.strip("\"'")
    if text == "dict":
        return Cure("write what it holds, as in Dict[str, Tensor]")
    if text not in _TYPES:
        return None
    wanted = _TYPES[text]
    is_same_module = wanted == "torch.Tensor"
    edit = replacing(fault.range, wanted, is_safe=False)
    if is_same_module:
        edit = replacing(fault.range, fault.range.text.replace(text, wanted))
    return Cure(f"write {wanted}", edit)


def optional_of(annotation: tree.expr) -> str:
    """Return the text of an annotation that takes None, too: without a name to be imported."""
    text = annotation.range.text
    if isinstance(annotation, tree.Constant) and isinstance(annotation.value, str):
        return f'"{annotation.value} | None"'
    return f"{text} | None"


def empty_container(site: Site, fault: Diagnostic) -> Cure | None:
    """`xs = []` gets the annotation that an error asks for: `xs: List[int] = []`."""
    return first_assignment(site, fault)


def first_assignment(site: Site, fault: Diagnostic) -> Cure | None:
    """A variable gets its annotation, or a float, where it is first assigned."""
    annotated = re.search(ANNOTATED, fault.fix or "")
    if annotated is not None:
        name, annotation, value = annotated.groups()
        assigned = _assignment(site, name)
        if assigned is None or not (assigned.value.range.text == value or _is_empty(assigned)):
            return None
        place = assigned.targets[0].range
        annotating = inserting(place, after=f": {spelled(annotation, place.source.filename)}")
        made = replacing(assigned.value.range, value)
        is_same = assigned.value.range.text == value
        both = Edit((*annotating.replacements, *made.replacements))
        return Cure(fault.fix, annotating if is_same else both)
    number = re.match(WITH_A_FLOAT, fault.fix or "")
    assigned = _assignment(site, number[1]) if number is not None else None
    match assigned:
        case tree.Assign(targets=(target,), value=tree.Constant(value=int(first)) as old):
            written = str(float(first))
            fix = f"begin with a float: {target.range.text} = {written}"
            return Cure(fix, replacing(old.range, written, is_safe=False))
    return None


def _is_empty(assigned: tree.Assign) -> bool:
    """Return whether a call makes an empty container: `list()`, `OrderedDict()`."""
    called = called_name(assigned.value)
    return called in ("list", "dict", "OrderedDict") and assigned.value.range.text.endswith("()")


def empty_attribute(site: Site, fault: Diagnostic) -> Cure | None:
    """`self.xs = []` of a declared list: the empty one gets its type by `annotate`."""
    found = re.match(_WRONG_ATTRIBUTE, fault.message)
    match site.statement():
        case tree.Assign(targets=(tree.Attribute(),), value=value) if found is not None:
            pass
        case _:
            return None
    if value.range.text not in ("[]", "{}", "list()", "dict()"):
        return None
    wanted = re.sub(r"^Optional\[(.+)\]$", r"\1", found[1])
    display = "{}" if wanted.startswith("Dict") else "[]"
    annotation = spelled(wanted, value.range.source.filename)
    written = f"torch.jit.annotate({annotation}, {display})"
    is_known = known_in(f"{annotation}, torch", value.range.source.filename)
    edit = replacing(value.range, written) if is_known else None
    return Cure(f"give the empty one its type: {written}", edit)


_WRONG_ATTRIBUTE = r"Wrong type for attribute assignment\. Expected (.+) but got (?:List|Dict)\["


def returned_none(site: Site, fault: Diagnostic) -> Cure | None:
    """`return None` from `-> Tensor`: the result is Optional."""
    written = site.definition.returns
    if not fault.message.endswith("actually of type NoneType") or written is None:
        return None
    optional = optional_of(written)
    edit = replacing(written.range, optional, is_safe=False)
    return Cure(f"annotate the result {optional}, or return a value", edit)


def no_return_at_the_end(site: Site, fault: Diagnostic) -> Cure | None:
    """A path without a return from `-> Optional[T]`: `return None` behind the last statement."""
    if re.search(r"declares (Optional\[|Any$)", fault.message) is None:
        return None
    last = site.definition.body[-1]
    source, _, end = last.range
    line_end = (source.text + "\n").index("\n", end)
    rest, margin = source.text[end:line_end].strip(), margin_of(last)
    edit = None
    if margin is not None and (not rest or rest.startswith("#")):
        behind = SourceRange(source, line_end, line_end)
        edit = replacing(behind, f"\n{margin}return None")
    return Cure("end with `return None`: every path has a return", edit)


def _assignment(site: Site, name: str) -> tree.Assign | None:
    """Return the first assignment of a variable alone, unless it is a parameter."""
    for part in tree.walk(site.definition):
        match part:
            case tree.Assign(targets=(tree.Name(id=assigned),)) if assigned == name:
                return part
            case tree.arg(arg=parameter) if parameter == name:
                return None
    return None
