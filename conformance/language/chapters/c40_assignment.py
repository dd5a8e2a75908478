"""Assignment: targets, unpacking, several targets, annotations."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "assignment",
    "Assignment",
    "Simple statements: assignment, annotated assignment",
    (
        Rule(
            "binding-and-rebinding",
            shows="assignment/rebinding",
            breaks=("assignment/rebinding_in_a_branch", "errors/variable_changes_type"),
            by="minits.frontend.values.environment.Environment.set_value",
        ),
        Rule(
            "evaluation-order",
            shows=(
                "assignment/value_before_targets",
                "assignment/swapped_subscripts",
                "control_flow/fibonacci_swap",
            ),
            breaks="assignment/value_uses_target",
            by="minits.frontend.emit.assignments.emit_assign",
        ),
        Rule(
            "unpacking",
            shows=("assignment/nested_targets", "functions/unpacking_targets"),
            breaks=(
                "errors/unpack_wrong_count",
                "errors/unpack_non_tuple",
                "assignment/bracketed_targets",
            ),
            by="minits.frontend.emit.assignments.assign_targets",
        ),
        Rule(
            "lists-unpack-at-run-time",
            shows="assignment/list_unpacks",
            breaks=("assignment/list_of_wrong_length", "assignment/tensor_does_not_unpack"),
            by="minits.frontend.values.simple_value.SimpleValue.as_tuple",
        ),
        Rule(
            "starred-target",
            shows="assignment/starred_target",
            breaks="assignment/starred_list",
            by="minits.frontend.emit.assignments.assign_targets",
        ),
        Rule(
            "chained-targets",
            shows="assignment/chained_targets",
            breaks="errors/walrus",
            by="minits.frontend.emit.assignments.emit_assign",
        ),
        Rule(
            "annotated-variables",
            shows=("assignment/annotated", "types/reannotated_variable"),
            breaks=("errors/annotated_variable_mismatch", "assignment/annotation_without_value"),
            by="minits.frontend.emit.assignments.emit_annotated",
        ),
        Rule(
            "annotated-attributes",
            shows="assignment/class_annotation",
            breaks="assignment/annotated_attribute",
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "items",
            shows=("containers/list_item_assignment", "tensors/index_assignment"),
            breaks=(
                "errors/slice_assignment",
                "errors/string_is_immutable",
                "errors/tuple_is_immutable",
            ),
            by="minits.frontend.emit.assignments.assign_targets",
        ),
        Rule(
            "attributes",
            shows="modules/attribute_mutation_order",
            breaks=(
                "errors/new_attribute_in_forward",
                "errors/attribute_type_changed",
                "errors/assign_to_constant",
                "errors/tensor_attribute_assignment",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.set_attr",
        ),
    ),
    cases=(
        "types/tensor_assigned_to_int",
        "containers/list_aliasing",
    ),
)
