"""with: context managers."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "with_statements",
    "The with statement",
    "Compound statements: with",
    (
        Rule(
            "managers",
            shows="with_statements/script_class",
            breaks=(
                "with_statements/manager_without_exit",
                "with_statements/exit_of_other_signature",
                "errors/with_tensor",
            ),
            by="minits.frontend.emit.statements.emit_with",
        ),
        Rule(
            "several-managers",
            shows="with_statements/several_managers",
            breaks="with_statements/tuple_target",
            by="minits.frontend.emit.statements.emit_with",
        ),
        Rule(
            "leaving-the-block",
            shows="with_statements/return_within",
            breaks="with_statements/return_missing_after",
            by="minits.passes.emission.exits.transform_exits",
        ),
        Rule(
            "gradients-off",
            shows=("control_flow/with_no_grad", "with_statements/no_grad_within_no_grad"),
            breaks="with_statements/enable_grad",
            by="minits.frontend.emit.statements.emit_with",
        ),
        Rule(
            "profiled-part",
            shows="with_statements/record_function",
            breaks="with_statements/inference_mode",
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "autocast",
            shows="with_statements/autocast",
            breaks="with_statements/autocast_of_unknown_device",
            by="minits.ops.implementations.autocast.autocast_method",
        ),
        Rule(
            "left-where-something-is-raised",
            shows="with_statements/raised_within",
            breaks="with_statements/raised_within",
            by="minits.codegen.context_stack.ActiveContexts",
        ),
    ),
)
