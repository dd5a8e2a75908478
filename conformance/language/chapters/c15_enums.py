"""Enums."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "enums",
    "Enums",
    "Types: Enums",
    (
        Rule(
            "members",
            shows=("enums/values_and_names", "types/enum_members"),
            breaks="enums/unknown_member",
            by="minits.frontend.builtins.EnumClass",
        ),
        Rule(
            "not-numbers",
            shows="enums/in_containers",
            breaks=("enums/is_no_int", "enums/order"),
            by="minits.types.types.EnumType",
        ),
        Rule(
            "from-python",
            shows="enums/in_containers",
            breaks="enums/from_python",
            by="minits.runtime.arguments.bind_arguments",
        ),
    ),
)
