"""Interfaces of modules and classes."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "interfaces",
    "Interfaces",
    "Types: Module interface types",
    (
        Rule(
            "modules",
            shows="modules/interface_by_index",
            breaks="errors/module_list_variable_index",
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "classes",
            shows="interfaces/of_classes",
            breaks=("interfaces/method_of_other_type", "interfaces/unknown_method"),
            by="minits.frontend.script_classes.InterfaceMethod",
        ),
    ),
)
