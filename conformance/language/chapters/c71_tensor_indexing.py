"""Indexing of tensors, read and assigned."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "tensor_indexing",
    "Tensor indexing",
    "Expressions: Subscriptions of tensors",
    (
        Rule(
            "integers",
            shows="tensor_indexing/integers",
            breaks=("tensor_indexing/too_many_indices", "errors/float_as_index"),
            by="minits.frontend.emit.subscripts.emit",
        ),
        Rule(
            "none-and-ellipsis",
            shows=("tensor_indexing/none_and_ellipsis", "tensors/ellipsis_by_name"),
            breaks="tensor_indexing/two_ellipses",
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
        Rule(
            "slices",
            shows=("tensor_indexing/slices", "tensors/slices_with_computed_bounds"),
            breaks="tensor_indexing/slice_of_strings",
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
        Rule(
            "masks-and-index-tensors",
            shows=(
                "tensor_indexing/masks",
                "tensor_indexing/index_tensors",
                "tensors/indexing_forms",
            ),
            breaks="tensor_indexing/tuple_in_a_variable",
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
        Rule(
            "lists",
            shows="tensor_indexing/lists",
            breaks="tensor_indexing/list_of_strings",
            by="minits.frontend.emit.subscripts.emit_index",
        ),
        Rule(
            "getitem",
            shows="tensor_indexing/getitem_of_tensors",
            breaks="tensor_indexing/getitem_of_int",
            by="minits.frontend.emit.special_forms._tensor_getitem",
        ),
        Rule(
            "assignment-to-slices",
            shows="tensor_indexing/assignment_to_slices",
            breaks="tensor_indexing/assignment_of_other_shape",
            by="minits.frontend.emit.assignments.emit_assign",
        ),
        Rule(
            "assignment-by-masks",
            shows=("tensor_indexing/assignment_by_masks", "tensors/index_assignment"),
            breaks="tensor_indexing/assignment_of_string",
            by="minits.frontend.emit.assignments.emit_assign",
        ),
        Rule(
            "chained-subscripts",
            shows="tensor_indexing/chained_subscripts",
            breaks="tensor_indexing/deletion",
            by="minits.frontend.emit.subscripts.emit",
        ),
    ),
)
