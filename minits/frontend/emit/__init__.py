"""Statements and expressions, one file for each kind.

definition       from a function's tree to its graph; begin here
visitor          the tables that the emitter walks with
statements, assignments, augmented_assignments, branches, loops
expressions, arguments, conditions, type_tests, containers, container_forms, subscripts,
special_forms, remote_calls

This is the torch dialect. What the extended one does otherwise is not here: it emits nodes of its
own (`extended/visitor.py`), and answers the questions that the files here put to `emitter.rules`
(`values/flow_rules.py`), which in the torch dialect knows nothing.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`to_ir`).
"""
