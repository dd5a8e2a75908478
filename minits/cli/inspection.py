"""The printed form of an archive's inspection, and the one for programs."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from minits.archive.inspecting.inspection import (
    Finding,
    Inspection,
    ModuleEntry,
    OperatorEntry,
    TensorEntry,
    as_plain,
)
from minits.name_mangling import demangled
from minits.terminal_text import printable

_STYLES = {"refused": "bold red", "runs": "bold yellow", "note": "bold cyan"}

_WIDE = 1000
"""The columns of what is written to a file: lines are not cut."""


def print_json(found: Inspection, with_code: bool) -> None:
    """Print all that was found; the code by its records, if it is asked for."""
    plain = as_plain(found)
    plain["parameter_count"], plain["sizes"] = found.parameter_count(), found.sizes()
    if not with_code:
        del plain["code"]
    json.dump(plain, sys.stdout, indent=1, ensure_ascii=True)
    print()


def print_inspection(found: Inspection, with_code: bool) -> None:
    """Print an inspection for people: modules, operators, findings."""
    console = Console(highlight=False, soft_wrap=True, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = _WIDE
    if found.version is not None:
        _print_summary(console, found)
        _print_modules(console, found)
        _print_operators(console, found)
    if with_code:
        for record, text in found.code.items():
            _print_heading(console, record)
            console.print(Text(printable(text).rstrip()))
    _print_findings(console, found.findings)


def _print_heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"))


def _print_summary(console: Console, found: Inspection) -> None:
    console.print(Text(printable(found.file), style="bold"))
    sizes = ", ".join(f"{kind} {_bytes(size)}" for kind, size in found.sizes().items() if size)
    console.print(f"  {_bytes(found.size)} in {len(found.records)} records: {sizes}")
    console.print(f"  version {found.version} of the format, written by {found.producer}")
    console.print(f"  {found.parameter_count():,} elements of parameters")
    for name, size in found.extra_files.items():
        console.print(f"  extra file {printable(name)}: {_bytes(size)}")


# ---- Modules -----------------------------------------------------------------------------------


def _print_modules(console: Console, found: Inspection) -> None:
    if not found.modules:
        return
    _print_heading(console, "Modules")
    root, *others = found.modules
    tree = Tree(_module_line(root, ""))
    _add_tensors(tree, root)
    branches = {"": tree}
    for module in others:
        above = _above(module.path, branches)
        name = module.path[len(above) :].lstrip(".")
        branches[module.path] = branches[above].add(_module_line(module, name))
        _add_tensors(branches[module.path], module)
    console.print(tree)
    if found.constants:
        _print_heading(console, "Constants")
    for constant in found.constants:
        console.print(Text("  ") + _tensor_line(constant))


def _above(path: str, branches: dict[str, Tree]) -> str:
    """Return the longest path of a module that a path begins with: `a.b` for `a.b[0].c`."""
    while path:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
        if path in branches:
            return path
    return ""


def _module_line(module: ModuleEntry, name: str) -> Text:
    class_name = demangled(module.class_name).removeprefix("__torch__.")
    line = Text(printable(name), style="bold")
    line.append(f"{': ' if name else ''}{printable(class_name)}", style="not bold")
    if module.same_as is not None:
        line.append(f" (the same object as {module.same_as or 'the root'})", style="not bold dim")
    elif "forward" in module.methods and not module.path:
        line.append(demangled(printable(module.methods["forward"])), style="not bold dim")
    return line


def _add_tensors(branch: Tree, module: ModuleEntry) -> None:
    for tensor in module.tensors:
        branch.add(_tensor_line(tensor))


def _tensor_line(tensor: TensorEntry) -> Text:
    line = Text(printable(tensor.name))
    line.append(f"  {tensor.dtype}[{', '.join(map(str, tensor.shape))}]", style="cyan")
    details = [] if tensor.role in ("parameter", "constant") else [tensor.role]
    details += [tensor.layout] if tensor.layout != "strided" else []
    details += [tensor.quantizer] if tensor.quantizer is not None else []
    details += ["no gradient"] if tensor.role == "parameter" and not tensor.requires_grad else []
    details += [f"saved on {tensor.device}"] if tensor.device != "cpu" else []
    details += [f"the same tensor as {tensor.same_as}"] if tensor.same_as is not None else []
    line.append(printable("  " + ", ".join(details)) if details else "", style="dim")
    return line


# ---- Operators and findings --------------------------------------------------------------------


def _print_operators(console: Console, found: Inspection) -> None:
    if not found.operators:
        return
    _print_heading(console, "Operators")
    width = max(len(operator.name) for operator in found.operators)
    for operator in sorted(found.operators, key=lambda each: (-each.count, each.name)):
        name = printable(operator.name).ljust(min(width, 40))
        console.print(Text(f"  {name} {operator.count:>5}{_remark(operator)}"))


def _remark(operator: OperatorEntry) -> str:
    if not operator.is_known:
        return "  unknown"
    if operator.is_upgraded:
        return f"  for tensors as before version {operator.since}"
    return f"  as from version {operator.since} on" if operator.since else ""


def _print_findings(console: Console, findings: list[Finding]) -> None:
    _print_heading(console, "Findings")
    for finding in findings:
        line = Text("  ").append(f"{finding.kind}: ", style=_STYLES[finding.kind])
        subject = finding.subject
        about = "" if finding.message.startswith(subject) else f"{subject}: "
        console.print(line.append(printable(f"{about}{finding.message}")))
    if not findings:
        console.print("  nothing unusual")


def _bytes(size: int) -> str:
    """Return a size in the unit that suits it: `1.9 MB`."""
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
