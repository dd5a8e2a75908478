"""The modules, tensors, operators and code of an archive, told without running any of it.

inspector     from a file to its `Inspection`; begin here
inspection    what is told: records, modules, tensors, operators, findings
contents      modules and tensors, out of the pickles
program       operators, and what the code refers to

`minits/cli/inspection.py` prints it. Torch has no counterpart.
"""
