"""torch's own samples of operators and modules: torch.jit and another implementation agree on all.

Read `program.py` (what is compiled and called), `outcome.py` (what a call shows), `expected.py`
(what torch.jit shows), `check.py` (two implementations are compared), then `operators.py`,
`schemas.py` and `modules.py` (where programs come from), `sweep.py`, `crashes.py` (what ends the
process with torch) and `command.py`.
"""
