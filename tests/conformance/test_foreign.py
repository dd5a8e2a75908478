"""What the sweep of foreign packages says of a program, of what the two compilers said."""

from typing import Any

import pytest

from conformance.foreign.programs import Foreign
from conformance.foreign.sweep import outcome

PROGRAM = Foreign.parse("package.module:Transform")


def said(who: str, outcome: str, told: str = "") -> dict[str, Any]:
    return {"who": who, "outcome": outcome, "told": told}


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        (("accepts", "graph"), ("accepts", "graph"), "both accept"),
        (("accepts", "graph"), ("accepts", "other"), "graphs differ"),
        (("refuses", ""), ("refuses", ""), "both refuse"),
        (("refuses", ""), ("accepts", ""), "minits refuses"),
        (("accepts", ""), ("refuses", ""), "torch.jit refuses"),
        (("raises", "KeyError\n1\nKeyError: 'x'"), ("refuses", ""), "raw exception"),
        (("raises", "KeyError\n1\nKeyError: 'x'"), ("accepts", ""), "raw exception"),
        (("raises", "E\n1\nE: x\n"), ("raises", "E\n2\nE: x\n"), "both refuse"),
        (("raises", "E\n1\nE: x\n"), ("raises", "E\n1\nE: y\n"), "raw exception"),
    ],
)
def test_outcome(ours: tuple[str, str], theirs: tuple[str, str], kind: str) -> None:
    found = outcome(PROGRAM, [said("minits", *ours), said("torch", *theirs)])
    assert found.kind == kind
