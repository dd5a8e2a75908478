"""Arguments against schemas.

schema_matching      which overload takes the arguments, and their conversions; begin here
exact_calls          the same where the types of the arguments say it all
operator_receivers   which operators are methods of which types
no_match, schema_mismatches, untyped_containers, hints    why no overload takes them, and what would
defaults, literal_defaults   the defaults of parameters

Called by all rooms of the front end; imports none of them.
Source: torch/csrc/jit/frontend/schema_matching.cpp.
"""
