"""The suite on several Pythons and torches: `python -m conformance matrix`.

command      begin here: the interpreters that are given, one after the other
measure      what one of them runs: minits, and torch.jit itself
results      what was measured, kept in `results.json`
table        the table in the README
"""
