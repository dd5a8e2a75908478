"""What the extended dialect adds to the torch dialect: docs/extensions.md has an example for each.

definition       how often a function is read, and by which rules; begin here
visitor          the tables of what is emitted otherwise: a row for each extension of the syntax
rules            what is known otherwise: the answers to `values/flow_rules.py`
flow_facts, keys what is known where
access_paths, correlated_branches, stored_conditions, static_argument_conditions, truthiness,
loop_tests       conditions
walrus           assignment expressions
casts            `typing.cast`
generators       comprehensions of several `for`, and with `if`
imports          `import` inside a function
string_formats   formats in f-strings
dynamic_module_index    `self.layers[i]` with an `i` of the call
variadic, kwargs_analysis  functions with `*args` and `**kwargs`, for each way to call them
keyword_arguments, keyword_spreading    `**kwargs` in calls
empty_containers  what empty lists and dicts hold, by what is put in
parent_methods   `super().forward(x)`

The torch dialect's files, in `emit/`, import none of these.
"""
