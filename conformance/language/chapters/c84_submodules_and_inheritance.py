"""Submodules: calls, attributes, types shared by instances, inheritance."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "submodules_and_inheritance",
    "Submodules and inheritance",
    "TorchScript module class: submodules, inheritance",
    (
        Rule(
            "calls-of-submodules",
            shows=("submodules_and_inheritance/call_forms", "modules/deep_nesting"),
            breaks=(
                "submodules_and_inheritance/unknown_method_of_submodule",
                "submodules_and_inheritance/wrong_argument_to_submodule",
                "errors/error_in_submodule",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.call",
        ),
        Rule(
            "attributes-of-submodules",
            shows="submodules_and_inheritance/attributes_of_submodules",
            breaks="submodules_and_inheritance/assigned_submodule",
            by="minits.frontend.modules.module_value.ModuleValue.set_attr",
        ),
        Rule(
            "inheritance",
            shows=("submodules_and_inheritance/overridden_methods", "modules/inheritance"),
            breaks="submodules_and_inheritance/super_in_forward",
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "shared-types",
            shows=(
                "submodules_and_inheritance/constants_make_types",
                "modules/shared_type_of_instances",
                "modules/shared_type_despite_untyped",
            ),
            breaks="submodules_and_inheritance/module_as_argument",
            by="minits.frontend.modules.module_types.module_info",
        ),
        Rule(
            "modules-as-values",
            shows="submodules_and_inheritance/modules_as_arguments",
            breaks="submodules_and_inheritance/module_argument_called",
            by="minits.frontend.python.class_registry.required_class_type",
        ),
        Rule(
            "made-in-python",
            shows="submodules_and_inheritance/constants_make_types",
            breaks="submodules_and_inheritance/module_made",
            by="minits.frontend.python.python_values.to_sugared",
        ),
        Rule(
            "interfaces",
            shows="modules/interface_by_index",
            breaks=(
                "submodules_and_inheritance/interface_not_met",
                "submodules_and_inheritance/annotated_with_its_class",
                "submodules_and_inheritance/annotated_as_any",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.getitem",
        ),
        Rule(
            "training-flag",
            shows=("submodules_and_inheritance/training_in_submodules", "modules/training_flag"),
            breaks="submodules_and_inheritance/assigned_training_flag",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
    ),
    cases=(
        "modules/nn_activations",
        "modules/nn_attention",
        "modules/nn_losses",
        "modules/nn_lstm",
        "modules/nn_transformer_layer",
        "modules/script_class_in_module",
    ),
)
