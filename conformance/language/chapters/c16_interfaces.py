"""Interfaces of modules and classes."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "interfaces",
    "Interfaces",
    "Types: Module interface types",
    (
        Rule(
            "classes",
            shows="interfaces/of_classes",
            breaks=("interfaces/method_of_other_type", "interfaces/unknown_method"),
            by="minits.frontend.python.script_classes.InterfaceMethod",
        ),
        Rule(
            "methods-only",
            shows="interfaces/of_classes",
            breaks="interfaces/attribute_read",
            by="minits.frontend.python.script_classes.InterfaceMethod",
        ),
        Rule(
            "schemas",
            shows="interfaces/wider_method",
            breaks=("interfaces/narrower_method", "interfaces/defaults_of_a_method"),
            by="minits.types.subtyping.covers",
        ),
        Rule(
            "interfaces-of-interfaces",
            shows="interfaces/smaller_interface",
            breaks=("interfaces/larger_interface", "interfaces/back_to_the_class"),
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "containers",
            shows="interfaces/in_containers",
            breaks="interfaces/list_of_the_class",
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "results",
            shows="interfaces/returned",
            breaks="interfaces/conditional_expression",
            by="minits.codegen.objects.interface_method",
        ),
        Rule(
            "tests-of-types",
            shows="interfaces/told_apart",
            breaks="interfaces/back_to_the_class",
            by="minits.frontend.emit.type_tests.emit",
        ),
        Rule(
            "from-python",
            shows="interfaces/from_python",
            breaks="interfaces/without_the_methods_from_python",
            by="minits.ops.from_python.convert_value",
        ),
        Rule(
            "submodules",
            shows=("modules/interface_submodule", "interfaces/module_as_value"),
            breaks=(
                "submodules_and_inheritance/interface_not_met",
                "interfaces/chosen_in_a_branch",
            ),
            by="minits.frontend.modules.module_value.InterfaceValue",
        ),
        Rule(
            "chosen-modules",
            shows=("modules/interface_by_index", "interfaces/module_by_key"),
            breaks=("errors/module_list_variable_index", "interfaces/member_of_other_signature"),
            by="minits.frontend.modules.module_value.ModuleValue.getitem",
        ),
        Rule(
            "questions",
            shows="interfaces/asked_for_methods",
            breaks=("interfaces/asked_for_attribute", "interfaces/object_asked_for_method"),
            by="minits.frontend.values.simple_value.SimpleValue.has_attr",
        ),
        Rule(
            "children",
            shows="interfaces/children",
            breaks="interfaces/modules_below",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
    ),
)
