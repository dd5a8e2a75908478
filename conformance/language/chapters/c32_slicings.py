"""Slices of lists, tuples, strings and tensors."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "slicings",
    "Slicings",
    "Expressions: Slicings",
    (
        Rule(
            "list-slices",
            shows="containers/list_slices",
            breaks=("slicings/float_bound", "slicings/of_dict"),
            by="minits.frontend.emit.subscripts.emit",
        ),
        Rule(
            "negative-steps",
            shows="slicings/list_reversed",
            breaks="slicings/step_of_zero",
            by="minits.ops.implementations.containers.slice_",
        ),
        Rule(
            "missing-bounds",
            shows="slicings/bounds_none",
            breaks="slicings/float_bound",
            by="minits.ops.implementations.containers.slice_",
        ),
        Rule(
            "string-slices",
            shows="types/string_slices",
            breaks="slicings/of_dict",
            by="minits.ops.implementations.strings.slice_",
        ),
        Rule(
            "tuple-slices",
            shows=("slicings/of_tuples", "types/tuple_of_tuples"),
            breaks="slicings/tuple_variable_bound",
            by="minits.frontend.emit.subscripts.emit",
        ),
        Rule(
            "tensor-slices",
            shows=("slicings/of_tensors", "tensors/slices_with_computed_bounds"),
            breaks="slicings/tensor_negative_step",
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
        Rule(
            "assigned-slices",
            shows="slicings/assigned_tensor",
            breaks=("slicings/assigned_too_wide", "errors/slice_assignment"),
            by="minits.frontend.emit.assignments.emit_assign",
        ),
    ),
)
