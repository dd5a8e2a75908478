"""`minits compile`: kernels, and remarks about what was fused and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.cli.inputs import Inputs
from minits.cli.report import report_note
from minits.cli.sample_inputs import NoSample, sample_inputs
from minits.passes.remarks import Remark
from minits.records import dataclass, replace
from minits.runtime.plan import Plan
from minits.runtime.script import ScriptFunction, ScriptMethod

KINDS = ("passed", "missed", "analysis")


@dataclass(frozen=True, slots=True)
class Variant:
    """A plan of a program, and a title that says which calls it is for."""

    title: str
    plan: Plan
    is_guess: bool = False
    """Whether the arguments of the call are likely ones, as none were given."""

    def with_cure(self, remarks: Iterable[Remark]) -> list[Remark]:
        """Return remarks; those on unknown kinds and shapes say to give arguments, if none were."""
        return [
            replace(each, fix=GIVE_INPUT) if self.is_guess and each.code in _OF_GUESSES else each
            for each in remarks
        ]


_OF_GUESSES = ("unknown-type", "shape")
"""Codes of remarks that likely arguments may be the cause of."""
GIVE_INPUT = (
    "give the arguments of a call, such as --input 'torch.ones(2, 3)': none were given, and it may "
    "be that the likely ones do not fit"
)


def variants(
    name: str, function: ScriptFunction, examples: Any, inputs: Inputs | None
) -> Iterator[Variant]:
    """Yield the plans to show: for the arguments given, or for likely ones."""
    if inputs is not None:
        yield Variant(name, function.plan_for(*inputs.args, **inputs.kwargs))
        return
    if examples is not None:
        yield Variant(name, function.plan_for(*examples))
        return
    is_method = isinstance(function, ScriptMethod)
    try:
        samples = list(sample_inputs(function._minits.schema, is_method))
    except NoSample as reason:
        report_note(f"{name}: {reason}; give its arguments with --input to see its kernels")
        return
    for text, arguments in samples:
        title = f"{name} ({text})" if text else name
        plan = function.plan_for(*arguments)
        if any(node.kind == "prim::RaiseException" for node in plan.graph.block.nodes):
            report_note(f"{title}: always raises")
        else:
            yield Variant(title, plan, is_guess=True)


def kernels_text(plan: Plan, language: str) -> str:
    """Return the sources of a plan's kernels."""
    from minits.codegen.kernel_text import kernel_text

    names = [f"kernel_{number}" for number, _ in enumerate(plan.kernels)]
    texts = [
        kernel_text(graph, metas, language, name)
        for name, (graph, metas) in zip(names, plan.kernels, strict=True)
    ]
    return "\n\n".join(texts) if texts else _comment("no kernel")


def _comment(text: str) -> str:
    return f"// {text}"


# ---- Remarks -----------------------------------------------------------------------------------


def wanted_kinds(text: str | None) -> set[str]:
    """Parse the value of `--remarks`. Raises `UsageError`."""
    if text is None:
        return set()
    kinds = set(text.split(",")) if text else set(KINDS)
    unknown = sorted(kinds.difference(KINDS))
    if unknown:
        raise UsageError(f"--remarks takes {', '.join(KINDS)}, not {unknown[0]!r}")
    return kinds


def write_remarks(remarks: list[Remark], output: str) -> None:
    """Write remarks as YAML. Raises `UsageError`."""
    from minits.passes.remarks import to_yaml

    try:
        Path(output).write_text(to_yaml(remarks), encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        raise UsageError(f"cannot write {output}: {problem.strerror}") from None
