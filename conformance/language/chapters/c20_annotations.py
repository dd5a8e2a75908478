"""Annotations of signatures and variables."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "annotations",
    "Annotations",
    "Type annotation: Annotating signatures and variables",
    (
        Rule(
            "default-is-tensor",
            shows="annotations/unannotated_is_tensor",
            breaks=("annotations/int_operator_on_unannotated", "calls/default_for_tensor"),
            by="minits.frontend.values.signature.read_signature",
        ),
        Rule(
            "variables",
            shows=("annotations/variable_first", "types/reannotated_variable"),
            breaks=("errors/annotated_variable_mismatch", "annotations/in_inner_block"),
            by="minits.frontend.emit.assignments.emit_annotated",
        ),
        Rule(
            "strings",
            shows=("annotations/string_forms", "types/string_annotations"),
            breaks="errors/unknown_type_name",
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "comments",
            shows="functions/type_comment_signature",
            breaks="annotations/comment_count",
            by="minits.frontend.values.signature.read_signature",
        ),
        Rule(
            "types-of-python",
            shows="types/pep604_and_585",
            breaks=(
                "annotations/python_class",
                "annotations/list_of_modules",
                "annotations/list_literal",
                "errors/unknown_type_name",
            ),
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "aliases",
            shows="annotations/alias",
            breaks=("annotations/type_variable", "annotations/callable", "annotations/literal"),
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "no-abstract-types",
            shows="types/bare_list_and_tuple",
            breaks=(
                "annotations/sequence",
                "annotations/tuple_of_any_length",
                "annotations/dots_in_a_tuple",
                "annotations/over_several_lines",
                "errors/generic_without_type",
            ),
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "results",
            shows=("functions/inferred_return_type", "functions/return_annotation_converts"),
            breaks=(
                "errors/returns_disagree",
                "errors/return_type_mismatch",
                "errors/missing_return",
            ),
            by="minits.frontend.emit.statements.emit_return",
        ),
    ),
)
