"""Arguments against schemas.

schema_matching      the overload that takes the arguments, and their conversions; begin here
exact_calls          the same where the types of the arguments say it all
operator_receivers   operators that are methods of types
no_match, schema_mismatches, hints   errors of calls that no overload takes
untyped_containers, unannotated      variables and parameters without the annotation that they need
spelled_types        annotations with the names that a file has
defaults, literal_defaults, none_defaults   the defaults of parameters

Called by all rooms of the front end; imports none of them.
Source: torch/csrc/jit/frontend/schema_matching.cpp.
"""
