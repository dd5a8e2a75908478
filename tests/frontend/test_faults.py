"""Faults: all of them, at their places, with what the user needs to mend them."""

from enum import Enum, IntEnum
from pathlib import Path

import pytest
import torch
from torch import Tensor

import minits
from minits.cli.main import main
from minits.diagnostics import CompileError, NotSupportedError


def fault_of(function: object) -> CompileError:
    with pytest.raises(CompileError) as caught:
        minits.script(function)
    return caught.value


def several(x: Tensor | None, values: list[int]):
    y = x + 1
    z = nothing
    values.push(2)
    for value in values:
        w = value.upper()
    return y, z, w  # which ends with the loop


def test_one_compilation_finds_all_faults() -> None:
    codes = [found.code for found in fault_of(several).diagnostics]
    assert codes == ["TS402", "TS311", "TS302", "TS302", "TS311"]


class Level(IntEnum):
    LOW = 1


def compares_a_member(level: Level, n: int) -> bool:
    return n == level


class GivesAnInt(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.level = Level.LOW

    def doubled(self, level: Level) -> int:
        return 2 * level.value

    def forward(self) -> int:
        return self.doubled(self.level)


def test_members_and_their_values_are_told_apart_with_the_cure() -> None:
    assert (
        fault_of(compares_a_member).diagnostics[0].fix == "take the value of the member: `.value`"
    )
    fix = fault_of(GivesAnInt()).diagnostics[0].fix
    assert fix == "give a member of Level; annotate the attribute that it comes from: `: Level`"


def deletes_an_item(text: str) -> int:
    del text[0]
    return nothing


def test_what_torch_finds_in_whole_functions_only_is_told_last() -> None:
    codes = [found.code for found in fault_of(deletes_an_item).diagnostics]
    assert codes == ["TS311", "TS312"]


def test_a_compile_error_is_a_runtime_error() -> None:
    assert isinstance(fault_of(several), RuntimeError)


def test_a_fault_tells_where_a_type_came_from() -> None:
    first = fault_of(several).diagnostics[0]
    notes = [note.message for note in first.notes]
    assert "'x' got the type Optional[Tensor] here" in notes
    assert first.fix is not None and "is not None" in first.fix


def test_no_fault_takes_more_than_twelve_lines() -> None:
    for found in fault_of(several).diagnostics:
        assert len(found.render().splitlines()) <= 12


def outside(n: int):
    return [x for x in range(n) if x > 1]


def test_unsupported_syntax_has_a_class_of_its_own() -> None:
    fault = fault_of(outside)
    assert isinstance(fault, NotSupportedError)
    assert fault.diagnostics[0].range.begin.line == outside.__code__.co_firstlineno + 1


def callee(n: int) -> str:
    return n


def caller(n: int) -> str:
    return callee(n)


def test_a_fault_in_a_callee_is_told_at_its_own_line() -> None:
    (found,) = fault_of(caller).diagnostics
    assert found.range.begin.line == callee.__code__.co_firstlineno + 1


def test_source_that_ends_inside_brackets_and_strings() -> None:
    assert minits.script(odd_layout)(2) == "2\nleft"
    assert minits.script(torch.nn.functional.relu) is not None


def odd_layout(
    n: int,
) -> str:
    text = """{}
left"""
    return text.format(n)


def test_deep_nesting_is_a_fault_not_a_crash(tmp_path: object) -> None:
    from minits.source import SourceFile
    from minits.syntax import parse_module

    for text in ("(" * 10_000 + ")" * 10_000, "[" * 10_000, "x = " + "-" * 50_000 + "1\n"):
        try:
            parse_module(SourceFile("deep.py", text))
        except CompileError as fault:
            assert fault.diagnostics[0].code in ("TS003", "TS006", "TS010")


def check_text(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "body",
    [
        "    return x" + " + x" * 2500,
        "    return x" + ".abs()" * 2500,
    ],
)
def test_what_is_nested_too_deeply_is_told_at_its_statement(body) -> None:
    with pytest.raises(minits.CompileError, match=r"nested too deeply to be compiled \[TS116\]"):
        minits.CompilationUnit(f"def f(x: Tensor, n: int):\n{body}\n")


def test_a_long_line_is_shown_around_its_fault(tmp_path, capsys) -> None:
    told = check_text(
        f"def f(x: int):\n    return {'x, ' * 999}nothing{', x' * 999}\n", tmp_path, capsys
    )
    excerpt, marks = told.splitlines()[1:3]
    assert excerpt.startswith("    ...") and excerpt.endswith("...") and len(excerpt) < 180
    assert excerpt[marks.index("^") : marks.rindex("^") + 1] == "nothing"


class Holder(torch.nn.Module):
    def __init__(self, held: object) -> None:
        super().__init__()
        self.held = held

    def forward(self) -> int:
        return self.held


def test_each_instance_tells_why_its_own_attribute_has_no_type() -> None:
    """They share a type, of which the attribute is no part."""
    assert "'set'" in str(fault_of(Holder({1})))
    assert "'range'" in str(fault_of(Holder(range(3))))


class Lacks(torch.nn.Module):
    def __init__(self) -> None:  # without super().__init__()
        self.__dict__["n"] = 1


class Hooked(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_forward_hook(self)

    def forward(self, x: Tensor) -> Tensor:
        return x


class Constant(torch.nn.Module):
    __constants__ = ("held",)

    def __init__(self) -> None:
        super().__init__()
        setattr(self, "held", object())

    def forward(self) -> int:
        return 1


class Parent:
    pass


class Inherits(Parent):
    pass


class Mixed(Enum):
    A = 1
    B = "b"


def takes_mixed(member: Mixed) -> int:
    return 1


@pytest.mark.parametrize(
    ("program", "place"),
    [
        (Lacks(), "class Lacks"),
        (Hooked(), "class Hooked"),
        (Constant(), '__constants__ = ("held"'),
        (Inherits, "class Inherits"),
        (Hooked, "class Hooked"),
    ],
)
def test_what_is_wrong_with_a_class_is_told_at_its_statement(program: object, place: str) -> None:
    (found,) = fault_of(program).diagnostics
    assert found.range is not None
    assert found.range.text == place
    assert found.range.source.filename == __file__


def test_a_class_that_is_no_type_is_told_where_it_is_used_and_where_it_stands() -> None:
    (found,) = fault_of(takes_mixed).diagnostics
    assert found.range is not None and found.range.text == "Mixed"
    places = [note.range.text for note in found.notes if note.range is not None]
    assert places[0] == "class Mixed"


def test_a_function_without_source_tells_where_it_was_defined() -> None:
    namespace: dict[str, object] = {}
    exec(compile("\n\ndef nowhere(n: int): return n", "<generated>", "exec"), namespace)
    message = fault_of(namespace["nowhere"]).diagnostics[0].message
    assert message.endswith("cannot be found: it was defined in <generated>, line 3")


def test_an_archive_is_no_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.py"
    path.write_bytes(b"PK\x03\x04\xff\xfe")
    assert main(["compile", str(path)]) == 2
    assert "is a part of an archive, or a damaged one" in capsys.readouterr().err


def half_in_a_constant(x: Tensor) -> str:
    return "a\ud800b"


def half_in_an_f_string(x: Tensor) -> str:
    return f"{x.dim()}\udfff"


def half_in_a_name(x: Tensor) -> Tensor:
    return getattr(x, "a\ud800b")


def half_in_a_key(x: dict[str, int]) -> int:
    return x["\U0000d800"]


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (half_in_a_constant, "TS011"), (half_in_an_f_string, "TS011"),
        (half_in_a_name, "TS302"), (half_in_a_key, "TS011"),
    ],
)  # fmt: skip
def test_half_a_character_is_no_text(function: object, code: str) -> None:
    """torch.jit cannot take one either; `\\udc80` stands for a byte."""
    assert [found.code for found in fault_of(function).diagnostics] == [code]
