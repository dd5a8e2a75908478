"""The exercises of the course (`docs/course/`): `grade.py` runs a pass over graphs and compares.

`exercises/` has a file for each, of graphs in pairs: before the pass, and after it. `solutions/`
has passes that make the one of the other: look there last.
"""
