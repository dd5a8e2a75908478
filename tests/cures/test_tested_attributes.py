"""An attribute that may be None is tested, and used: each spelling gets one cure, which works."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from tests.support.mistakes import faults_of, mended_by_edits, programs_of

HEAD = """from typing import List, Optional, Tuple
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Held(nn.Module):
    held: Optional[Tensor]
    kept: Optional[Tensor]

    def __init__(self, held: Optional[Tensor] = None) -> None:
        super().__init__()
        self.held = held
        self.kept = None

    def double(self, x: Tensor) -> Tensor:
        return x * 2

"""

USES = {
    "operand": "x = x + self.held",
    "left_operand": "x = self.held * x",
    "augmented": "x += self.held",
    "list": "x = torch.cat([self.held, x])",
    "tuple": "x = torch.stack((self.held, x))",
    "method": "x = self.held.relu()",
    "argument": "x = self.double(self.held)",
    "keyword": "x = self.double(x=self.held)",
    "item": "x = x + self.held[0]",
    "index": "x = x[self.held > 0].sum()",
    "annotated": "y: Tensor = self.held\n{m}x = x + y",
    "returned": "return self.held",
    "unpacked": "a, b = self.held\n{m}x = a + b",
    "nested": "x = F.relu(self.held.sum() + x)",
    "iterated": "for row in self.held:\n{m}    x = x + row",
    "counted": "for i in range(self.held.size(0)):\n{m}    x = x + i",
    "condition": "if self.held.sum() > 0:\n{m}    x = x + 1",
    "comprehension": "x = torch.stack([each * 2 for each in self.held])",
    "stored_after": "x = x + self.held\n{m}self.held = x",
    "added_to": "self.held += 1\n{m}x = x + self.held",
}
TESTS = {
    "is_not_none": ("if self.held is not None:", "    {use}"),
    "and": ("if x.dim() > 0 and self.held is not None:", "    {use}"),
    "filled": ("if self.held is None:", "    self.held = torch.ones(2)", "{use}"),
    "left": ("if self.held is None:", "    return x", "{use}"),
    "raised": ("if self.held is None:", "    raise ValueError('none')", "{use}"),
    "asserted": ("assert self.held is not None", "{use}"),
    "else": ("if self.held is None:", "    x = x - 1", "else:", "    {use}"),
    "elif": ("if x.dim() > 3:", "    x = x[0]", "elif self.held is not None:", "    {use}"),
    "in_loop": ("for _ in range(2):", "    if self.held is not None:", "        {use}"),
    "filled_in_loop": (
        "for _ in range(2):",
        "    if self.held is None:",
        "        self.held = torch.ones(2)",
        "    {use}",
    ),
}


def program(test: str, use: str) -> str:
    *before, last = TESTS[test]
    margin = " " * (8 + last.index("{"))
    lines = [*before, last.format(use=USES[use].format(m=margin)), "return x"]
    body = "".join(f"        {line}\n" for line in lines)
    return f"{HEAD}    def forward(self, x: Tensor) -> Tensor:\n{body}"


def results(program: Any, held: Any) -> list[Any]:
    """Return the results of three calls with an attribute of this value."""
    program.held = None if held is None else held.clone()
    program.kept = None
    try:
        return [program(torch.tensor([1.0, -2.0])).tolist() for _ in range(3)]
    except Exception:
        return ["raised"]


@pytest.mark.one_in(24, over="")
@pytest.mark.parametrize(("test", "use"), list(product(TESTS, USES)))
def test_bound_to_a_local_variable(test: str, use: str, tmp_path: Path) -> None:
    text = program(test, use)
    path = tmp_path / f"{test}_{use}.py"
    path.write_text(text, encoding="utf-8")
    fault, *_ = faults_of(text, path)
    assert "only variables are narrowed: bind it to a local variable, held = self.held" in str(
        fault.fix
    )
    done = mended_by_edits(text, path, unsafe=True)
    assert done.left == (), done.left[0].render()
    (before,) = programs_of(text, path)
    (after,) = programs_of(done.text, path)
    torch.jit.script(after)
    for held in (None, torch.tensor([3.0, 4.0])):
        compiled = minits.script(after)
        assert results(compiled, held) == results(after, held) == results(before, held)
