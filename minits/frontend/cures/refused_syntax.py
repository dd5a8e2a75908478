"""Cures for syntax that TorchScript lacks."""

from __future__ import annotations

import linecache
import re

from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement, inserting, replacing
from minits.frontend.cures.site import Cure, Site, is_simple, margin_of
from minits.source import SourceFile, SourceRange
from minits.syntax import tree


def walrus(site: Site, fault: Diagnostic) -> Cure | None:
    """`if (n := f()) > 1:` assigns before the `if`, where nothing is evaluated earlier."""
    node, statement = site.node, site.statement()
    if not isinstance(node, tree.NamedExpr) or not isinstance(statement, tree.If):
        return None
    margin = margin_of(statement)
    outer = statement.range.text.startswith("if") and _is_first_evaluated(node, statement.test)
    if margin is None or not outer:
        return None
    value, name = node.value.range.text, node.target.range.text
    loc = _with_brackets(node.range)
    begin = SourceRange(loc.source, statement.range.start, statement.range.start)
    line = Replacement(begin, f"{name} = {value}\n{margin}")
    return Cure(fault.fix, Edit((line, Replacement(loc, name))))


def _is_first_evaluated(node: tree.Node, test: tree.Node) -> bool:
    while test is not node:
        match test:
            case tree.Compare(left=first) | tree.BoolOp(values=(first, *_)):
                test = first
            case tree.UnaryOp(operand=first) | tree.Attribute(value=first):
                test = first
            case _:
                return False
    return True


def _with_brackets(loc: SourceRange) -> SourceRange:
    source, start, end = loc
    if source.text[start - 1 : start] == "(" and source.text[end : end + 1] == ")":
        return SourceRange(source, start - 1, end + 1)
    return loc


def local_import(site: Site, fault: Diagnostic) -> Cure | None:
    """An import moves to the imports at the top of the file."""
    node = site.node
    if not isinstance(node, (tree.Import, tree.ImportFrom)):
        return None
    whole = _whole_line(site, node)
    source = node.range.source
    lines = linecache.getlines(source.filename)
    head = re.compile(r"(import|from)\s+(?!__future__)")
    first = next((n for n, line in enumerate(lines, 1) if head.match(line)), None)
    if whole is None or first is None or not 0 < first < source.first_line:
        return None
    top = SourceFile(source.filename, lines[first - 1], first)
    moved = Replacement(SourceRange(top, 0, 0), f"{node.range.text}\n")
    return Cure(fault.fix, Edit((moved, Replacement(whole, "")), is_safe=False))


def _whole_line(site: Site, statement: tree.stmt) -> SourceRange | None:
    """Return the lines of a statement, None if they have others or its block has no others."""
    block = next((b for b in _blocks(site.around(statement)) if statement in b), ())
    source, start, end = statement.range
    margin = margin_of(statement)
    rest = re.compile(r"[ \t]*(#[^\r\n]*)?(\r\n?|\n)").match(source.text, end)
    if len(block) < 2 or margin is None or rest is None:
        return None
    return SourceRange(source, start - len(margin), rest.end())


def _blocks(node: tree.Node | None) -> list[tuple[tree.stmt, ...]]:
    fields = (getattr(node, name, None) for name in ("body", "orelse"))
    return [field for field in fields if isinstance(field, tuple)]


def set_in_test(site: Site, fault: Diagnostic) -> Cure | None:
    """`x in {1, 2}` tests a list."""
    node, parent = site.node, site.parent
    if not isinstance(node, tree.Set) or not isinstance(parent, tree.Compare):
        return None
    if parent.ops[-1] not in ("in", "not in") or parent.comparators[-1] is not node:
        return None
    items = f"[{node.range.text[1:-1]}]"
    return Cure(f"test a list: {items}", replacing(node.range, items))


def unary_plus(site: Site, fault: Diagnostic) -> Cure | None:
    node = site.node
    if not isinstance(node, tree.UnaryOp):
        return None
    source, start, _ = node.range
    sign = SourceRange(source, start, start + 1)
    return Cure(fault.fix, replacing(sign, ""))


def formatted_value(site: Site, fault: Diagnostic) -> Cure | None:
    """`{x:.2f}` is written `{x}`, and `{x=}` as `x={x}`."""
    node = site.node
    if not isinstance(node, tree.FormattedValue) or not node.range.text.startswith("{"):
        return None
    inner = node.value.range.text
    name = f"{inner}=" if re.match(r"\{\s*" + re.escape(inner) + r"\s*=", node.range.text) else ""
    plain = f"{name}{{{inner}}}"
    fix = f"write {plain}, or use '{{}}'.format(...)"
    return Cure(fix, replacing(node.range, plain, is_safe=False))


def spread_dict(site: Site, fault: Diagnostic) -> Cure | None:
    """`{**d}` is a copy."""
    node = site.node
    if not isinstance(node, tree.Dict):
        return None
    if len(node.values) == 1 and is_simple(node.values[0]):
        copy = f"{node.values[0].range.text}.copy()"
        return Cure(f"write {copy}", replacing(node.range, copy))
    return Cure("copy one dict, and add the entries of others: d = a.copy(); d.update(b)")


def spread_keywords(site: Site, fault: Diagnostic) -> Cure | None:
    """`f(**d)` names the arguments."""
    node = site.nearest(tree.keyword)
    if not isinstance(node, tree.keyword) or not is_simple(node.value):
        return None
    kwarg = site.definition.args.kwarg
    name = node.value.range.text
    if kwarg is not None and kwarg.arg == name:
        return None  # the function's own, which the extended dialect passes on
    return Cure(f'write the arguments out: name={name}["name"]')


def keyword_only(site: Site, fault: Diagnostic) -> Cure | None:
    """`def f(x, *, y=1)` loses the star; who names the argument may still do so."""
    args = site.definition.args
    if args.vararg is not None or not args.kwonlyargs or args.kwonlyargs[0].range is None:
        return None
    source, end, _ = args.kwonlyargs[0].range
    before = source.text[site.definition.range.start : end]
    star = re.search(r"\*\s*,\s*$", before)
    after_default = bool(args.defaults) and any(each is None for each in args.kw_defaults)
    if star is None or after_default:
        return None
    start = site.definition.range.start + star.start()
    return Cure("leave out the `*`", replacing(SourceRange(source, start, end), ""))


def augmented(site: Site, fault: Diagnostic) -> Cure | None:
    """`x //= y` is written out."""
    node = site.node
    if not isinstance(node, tree.AugAssign) or not is_simple(node.target):
        return None
    target, value = node.target.range.text, node.value.range.text
    is_atom = isinstance(node.value, (tree.Name, tree.Constant, tree.Attribute, tree.Call))
    plain = f"{target} = {target} {node.op} {value if is_atom else f'({value})'}"
    return Cure(f"write {plain}", replacing(node.range, plain, is_safe=node.op == "@"))


def annotation_alone(site: Site, fault: Diagnostic) -> Cure | None:
    """`y: Tensor` without a value is left out: the first assignment gives the type."""
    node = site.node
    if not isinstance(node, tree.AnnAssign) or not isinstance(node.target, tree.Name):
        return None
    whole = _whole_line(site, node)
    name, annotation = node.target.id, node.annotation.range
    assigned = next(
        (
            each.targets[0]
            for each in tree.walk(site.definition)
            if isinstance(each, tree.Assign)
            and each.range.start > node.range.end
            and isinstance(each.targets[0], tree.Name)
            and each.targets[0].id == name
        ),
        None,
    )
    siblings = next((b for b in _blocks(site.around(node)) if node in b), ())
    if whole is None or assigned is None:
        return None
    if not any(isinstance(s, tree.Assign) and assigned in s.targets for s in siblings):
        return None
    moved = inserting(assigned.range, after=f": {annotation.text}").replacements[0]
    fix = f"annotate it where it is first assigned: {name}: {annotation.text} = ..."
    return Cure(fix, Edit((Replacement(whole, ""), moved)))
