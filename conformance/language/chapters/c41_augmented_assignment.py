"""Augmented assignment of names, subscripts and attributes."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "augmented_assignment",
    "Augmented assignment",
    "Simple statements: augmented assignment",
    (
        Rule(
            "numbers-and-strings-are-rebound",
            shows="augmented_assignment/numbers_are_rebound",
            breaks=(
                "augmented_assignment/int_becomes_float_in_a_loop",
                "augmented_assignment/unbound_name",
            ),
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "operators",
            shows="augmented_assignment/operators",
            breaks=("augmented_assignment/matrix_product", "errors/augmented_floor_division"),
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "remainder-is-fmod",
            shows="augmented_assignment/remainder_is_fmod",
            breaks="augmented_assignment/string_remainder",
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "tensors-in-place",
            shows=("augmented_assignment/tensor_operators", "augmented_assignment/tensor_bits"),
            breaks="augmented_assignment/shape_of_target",
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "lists-grow",
            shows="augmented_assignment/list_extends",
            breaks=(
                "augmented_assignment/list_of_other_type",
                "augmented_assignment/tuple_concatenation",
            ),
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "subscripts",
            shows=(
                "containers/augmented_subscripts",
                "augmented_assignment/tensor_items",
                "augmented_assignment/dict_items",
            ),
            breaks="augmented_assignment/tuple_item",
            by="minits.frontend.emit.augmented_assignments.emit_augmented",
        ),
        Rule(
            "attributes",
            shows="augmented_assignment/attributes",
            breaks="augmented_assignment/attribute_of_other_type",
            by="minits.frontend.modules.module_value.ModuleValue.set_attr",
        ),
        Rule(
            "objects",
            shows="augmented_assignment/objects",
            breaks="augmented_assignment/object_without_operator",
            by="minits.frontend.values.simple_value.MethodValue.call",
        ),
    ),
    cases=("functions/augmented_assignment",),
)
