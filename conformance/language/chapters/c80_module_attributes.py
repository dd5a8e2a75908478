"""Parameters, buffers, constants and other attributes."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "module_attributes",
    "Attributes of modules",
    "TorchScript module class: attributes",
    (
        Rule(
            "inferred-types",
            shows=(
                "module_attributes/inferred_types",
                "module_attributes/unused_attributes",
                "module_attributes/dtypes_and_devices",
                "modules/container_attributes",
            ),
            breaks=(
                "module_attributes/list_of_mixed_values",
                "module_attributes/list_of_dtypes",
                "module_attributes/set_attribute",
                "module_attributes/empty_list_attribute",
                "errors/failed_attribute_conversion",
            ),
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "declared-types",
            shows=(
                "module_attributes/declared_attributes",
                "module_attributes/annotated_in_init",
                "optional_and_final/optional_attribute",
            ),
            breaks=(
                "module_attributes/none_stays_none",
                "module_attributes/annotation_without_type",
                "errors/attribute_type_changed",
            ),
            by="minits.frontend.modules.module_types.is_declared_attribute",
        ),
        Rule(
            "parameters",
            shows=("module_attributes/parameters", "modules/parameters_and_buffers"),
            breaks="module_attributes/none_parameter_used",
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "buffers",
            shows="module_attributes/buffers",
            breaks="module_attributes/number_for_a_buffer",
            by="minits.frontend.modules.module_value.ModuleValue.set_attr",
        ),
        Rule(
            "constants",
            shows=(
                "module_attributes/constants",
                "module_attributes/constants_of_derived_classes",
                "optional_and_final/constants_list",
                "optional_and_final/final_numbers_fold",
            ),
            breaks=(
                "module_attributes/constant_list",
                "module_attributes/constant_memory_format",
                "errors/assign_to_constant",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
        Rule(
            "functions-as-attributes",
            shows="modules/function_attributes",
            breaks=("module_attributes/class_attributes", "errors/unknown_module_attribute"),
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
    ),
    cases=(
        "modules/attribute_mutation_order",
        "errors/new_attribute_in_forward",
        "errors/attribute_refinement_lost",
        "optional_and_final/attribute_refined_directly",
    ),
)
