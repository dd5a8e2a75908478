"""ModuleList, ModuleDict, Sequential, ParameterList and ParameterDict."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "module_containers",
    "Containers of modules",
    "TorchScript module class: module containers",
    (
        Rule(
            "module-list",
            shows="module_containers/module_list",
            breaks=(
                "module_containers/index_out_of_range",
                "errors/module_list_variable_index",
                "module_containers/python_list_of_modules",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.getitem",
        ),
        Rule(
            "module-dict",
            shows=("module_containers/module_dict", "modules/module_dict_iteration"),
            breaks=(
                "module_containers/module_dict_variable_key",
                "errors/missing_key_in_module_dict",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.getitem",
        ),
        Rule(
            "sequential",
            shows=("module_containers/sequential_arguments", "modules/sequential"),
            breaks=(
                "module_containers/sequential_with_two_arguments",
                "errors/sequential_slice_called",
            ),
            by="minits.frontend.modules.module_value.ModuleValue.call",
        ),
        Rule(
            "nested-containers",
            shows=("module_containers/nested_containers", "modules/sequential_slices_and_children"),
            breaks="module_containers/nested_list_called",
            by="minits.frontend.modules.module_value.ModuleValue.iter",
        ),
        Rule(
            "parameter-containers",
            shows=("module_containers/parameter_dict", "modules/parameter_list"),
            breaks="module_containers/parameter_dict_variable_key",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
        Rule(
            "members-by-name",
            shows="module_containers/named_members",
            breaks="module_containers/members_of_a_list",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
    ),
    cases=(
        "modules/interface_by_index",
        "modules/module_list_iteration",
        "modules/static_none_submodule",
        "modules/one_submodule_twice",
        "modules/nn_linear_stack",
        "modules/nn_convolutions",
    ),
)
