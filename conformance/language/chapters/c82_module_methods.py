"""Methods of modules: those that are compiled, and their calls."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "module_methods",
    "Methods of modules",
    "TorchScript module class: methods",
    (
        Rule(
            "what-is-compiled",
            shows=("module_methods/reached_from_forward", "modules/exported_without_forward"),
            breaks=("module_methods/exported_method_is_compiled", "module_methods/unknown_method"),
            by="minits.frontend.modules.module_methods.entry_points",
        ),
        Rule(
            "calls",
            shows=(
                "module_methods/method_defaults",
                "modules/methods_calling_methods",
                "modules/overloaded_forward_arguments",
                "modules/state_methods",
            ),
            breaks="module_methods/self_as_argument",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
        Rule(
            "no-recursion",
            shows="submodules_and_inheritance/overridden_methods",
            breaks="module_methods/recursive_method",
            by="minits.frontend.values.function.CompiledFunction.ensure_defined",
        ),
        Rule(
            "static-and-class-methods",
            shows=(
                "module_methods/static_methods",
                "module_methods/class_methods",
                "modules/static_methods",
            ),
            breaks="module_methods/special_method",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
        Rule(
            "properties",
            shows=("modules/properties", "module_methods/unused_property"),
            breaks=("module_methods/property_at_fault", "module_methods/property_without_setter"),
            by="minits.frontend.modules.module_info.ModuleInfo",
        ),
        Rule(
            "ignored-and-unused",
            shows="modules/ignored_and_unused_methods",
            breaks="metaprogramming/unused_method_of_other_result",
            by="minits.frontend.python.uncompiled.PythonValue",
        ),
    ),
    cases=(
        "modules/hidden_state_loop",
        "modules/named_tuple_output",
        "modules/hidden_in_list_of_tuples",
    ),
)
