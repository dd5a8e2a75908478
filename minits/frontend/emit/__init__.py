"""Statements and expressions, one file for each kind.

definition       from a function's tree to its graph; begin here
visitor          the tables that the emitter walks with
statements, assignments, branches, loops, imports
expressions, arguments, conditions, refinement, type_tests, containers, container_forms, generators,
subscripts, string_formats, special_forms, remote_calls

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`to_ir`).
"""
