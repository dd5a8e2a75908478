"""Extensions of the torch dialect by the extended one; docs/extensions.md has an example of each.

definition       readings of a function, by torch's rules and by others; begin here
visitor          the tables of what is emitted otherwise: a row for each extension of the syntax
rules            answers to the questions of `values/flow_rules.py`
flow_facts, keys   facts that hold at a point of the program
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
empty_containers   types of empty lists and dicts, by what is put in
parent_methods   `super().forward(x)`

The torch dialect's files, in `emit/`, import none of these.
"""
