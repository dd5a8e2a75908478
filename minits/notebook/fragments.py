"""HTML of a graph, function, module, plan, kernel or error, as notebooks show it: `_repr_html_`.

It is None where the packages of the extra `report` are missing; notebooks then show the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch import nn

from minits.diagnostics import CompileError, Diagnostic
from minits.ir.graph import Graph
from minits.ir.places import near_range
from minits.ir.printer import printed_lines
from minits.kernels.ir.kernel import Kernel
from minits.runtime.plan import Plan
from minits.runtime.script import ScriptFunction

MOST_MODULES = 50
"""The number of modules of a tree that is unfolded at first."""
_NEEDS = ("jinja2", "pygments")
_STYLE = Path(__file__).parents[1] / "report" / "static" / "report.css"
_RULES = """
.minits { font: 13px/1.45 ui-monospace, monospace; color: var(--text); background: var(--back);
  overflow-x: auto; }
.minits .line { white-space: pre; text-align: left; }
.minits .no { display: inline-block; min-width: 3em; padding-right: 1em; text-align: right;
  color: var(--dim); user-select: none; }
.minits summary { color: var(--dim); }
.minits .k { color: var(--keyword); } .minits .s { color: var(--string); }
.minits .c { color: var(--comment); } .minits .m, .minits .b { color: var(--number); }
.minits .f { color: var(--function); }
.minits td, .minits th { text-align: left; vertical-align: top; padding: .1rem .5rem; }
.minits .error { color: var(--missed); } .minits .help { color: var(--passed); }
"""
_IR = re.compile(r"%[\w.]+|\b(?:aten|prim|quantized)::\w+|#.*")


def _unless_missing(made: Callable[[Any], str]) -> Callable[[Any], str | None]:
    def html(shown: Any) -> str | None:
        if not all(map(find_spec, _NEEDS)):
            return None
        style = f"<style>{_colours()}{_RULES}</style>"
        return f'<div class="minits">{style}{made(shown)}</div>'

    return html


def _colours() -> str:
    """Return the colours of the report page, those of the dark among them."""
    text = _STYLE.read_text(encoding="utf-8")
    return text[: text.index("* {")].replace(":root", ".minits")


def _graph(graph: Graph) -> str:
    lines = []
    for node, text in printed_lines(graph, ranges=False):
        loc = near_range(node)
        number = "" if loc is None else str(loc.begin.line)
        title = "" if loc is None else f"{loc}: {loc.source.line(loc.begin.line).strip()}"
        for part in text.rstrip("\n").split("\n"):
            lines.append(_line(_coloured(part), number, title))
    return "".join(lines)


def _coloured(text: str) -> str:
    """Return a line of a graph with its values and the kinds of its nodes marked."""
    parts, end = [], 0
    for found in _IR.finditer(text):
        kind = {"%": "m", "#": "c"}.get(found[0][0], "f")
        parts.append(f'{escape(text[end : found.start()])}<span class="{kind}">')
        parts.append(f"{escape(found[0])}</span>")
        end = found.end()
    return "".join([*parts, escape(text[end:])])


def _line(html: str, number: str = "", title: str = "") -> str:
    return (
        f'<div class="line" title="{escape(title)}"><span class="no">{number}</span>'
        f"<code>{html}</code></div>"
    )


def _code(text: str, language: str, first: int = 1) -> str:
    from minits.report.highlighting import highlighted_lines

    lines = highlighted_lines(text, language)
    return "".join(_line(str(line), str(number)) for number, line in enumerate(lines, first))


def _part(title: str, html: str, is_open: bool = False) -> str:
    opened = " open" if is_open else ""
    return f"<details{opened}><summary>{escape(title)}</summary>{html}</details>"


def _function(function: ScriptFunction) -> str:
    ranges = (near_range(node) for node in function.graph.all_nodes())
    loc = next((each for each in ranges if each is not None), None)
    parts = [_part(str(function.schema), "", is_open=True)]
    if loc is not None:
        source = loc.source
        parts.append(
            _part("source", _code(source.text.rstrip(), "python", source.first_line), True)
        )
    parts.append(_part("graph", _graph(function.graph)))
    return "".join(parts)


def _plan(plan: Plan) -> str:
    from minits.codegen.kernel_text import printed_kernel
    from minits.kernels.launch.geometry import ShapeMismatch
    from minits.kernels.lowering.result import NotFusable

    parts = [_part(f"plan for {plan.signature}", _graph(plan.graph), is_open=True)]
    for number, (graph, metas) in enumerate(plan.kernels):
        name = f"kernel_{number}"
        try:
            text = printed_kernel(graph, metas, "loops", name).text
        except (NotFusable, ShapeMismatch) as reason:
            text = f"// {reason}"
        parts.append(_part(f"{name}: its loops", _code(text, "cpp")))
    remarks = [_line(escape(str(remark))) for remark in plan.remarks]
    return "".join([*parts, _part(f"{len(remarks)} remarks", "".join(remarks))])


def _module(module: nn.Module) -> str:
    """Return the tree of a module, as the report page has it, below a line that sums it up."""
    from minits.report.modules import module_tree

    entries = module_tree(module, None)
    rows = []
    for entry in entries:
        name = f"<b>{escape(entry.path.rpartition('.')[2])}</b> " if entry.path else ""
        indent = f"{entry.depth * 1.2 + 0.5}em"
        rows.append(
            f'<tr><td style="padding-left:{indent}">{name}{escape(entry.class_name)}</td>'
            f"<td>{escape('; '.join(entry.tensors))}</td></tr>"
        )
    elements = sum(each.numel() for each in module.parameters())
    parameters = f"{elements:,} element{'s' * (elements != 1)} of parameters"
    parts = f"{len(entries):,} module{'s' * (len(entries) != 1)}"
    head = "<tr><th>module</th><th>parameters and buffers</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    is_open = len(entries) <= MOST_MODULES
    return _part(f"{entries[0].class_name}: {parts}, {parameters}", table, is_open)


def _kernel(kernel: Kernel) -> str:
    return _code(str(kernel), "cpp")


def _diagnostics(found: Sequence[Diagnostic]) -> str:
    lines = []
    for line in "\n".join(each.render() for each in found).splitlines():
        kind = re.search(r"^(help|note):|: (error):", line)
        name = (kind[1] or kind[2]) if kind else ""
        lines.append(f'<div class="line {name}"><code>{escape(line)}</code></div>')
    return "".join(lines)


def _error(error: CompileError) -> str:
    return _diagnostics(error.diagnostics)


graph_html = _unless_missing(_graph)
function_html = _unless_missing(_function)
plan_html = _unless_missing(_plan)
module_html = _unless_missing(_module)
kernel_html = _unless_missing(_kernel)
error_html = _unless_missing(_error)
diagnostic_html = _unless_missing(lambda each: _diagnostics([each]))
