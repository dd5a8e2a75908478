"""annotate, Attribute, Final and torch.jit.isinstance."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "annotation_functions",
    "annotate, Attribute, Final",
    "Type annotation: APIs for annotations",
    (
        Rule(
            "annotate",
            shows="annotation_functions/annotate_empty",
            breaks="annotation_functions/annotate_mismatch",
            by="minits.frontend.emit.special_forms.emit",
        ),
        Rule(
            "annotate-widens",
            shows="annotation_functions/annotate_wider",
            breaks="annotation_functions/annotate_int_as_float",
            by="minits.frontend.emit.special_forms.emit",
        ),
        Rule(
            "attribute",
            shows=(
                "annotation_functions/attribute_type",
                "optional_and_final/attribute_refined_directly",
            ),
            breaks=(
                "annotation_functions/attribute_used_wrongly",
                "errors/failed_attribute_conversion",
            ),
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "final",
            shows=(
                "annotation_functions/final_assigned",
                "optional_and_final/final_numbers_fold",
                "optional_and_final/final_flag_selects_branch",
                "optional_and_final/constants_list",
            ),
            breaks=(
                "errors/assign_to_constant",
                "errors/final_int_test_is_not_static",
                "errors/final_branch_type",
                "annotation_functions/final_variable",
            ),
            by="minits.types.annotations.is_final",
        ),
        Rule(
            "isinstance",
            shows=("annotation_functions/isinstance_of_containers", "types/isinstance_static"),
            breaks=(
                "annotation_functions/isinstance_of_bare_list",
                "annotation_functions/cast",
            ),
            by="minits.frontend.emit.special_forms.emit",
        ),
    ),
)
