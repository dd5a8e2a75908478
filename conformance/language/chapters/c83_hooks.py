"""Hooks that run before and after forward."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "hooks",
    "Hooks of modules",
    "TorchScript module class: hooks",
    (
        Rule(
            "forward-hooks",
            shows=("hooks/forward_hook", "hooks/several_hooks"),
            breaks=("hooks/hook_at_fault", "hooks/hook_of_other_types"),
            by="minits.frontend.modules.hooks.call_with_hooks",
        ),
        Rule(
            "forward-pre-hooks",
            shows="hooks/forward_pre_hook",
            breaks="hooks/pre_hook_result",
            by="minits.frontend.modules.hooks.check_hooks",
        ),
        Rule(
            "results",
            shows="hooks/result_of_another_type",
            breaks="hooks/pre_hook_result",
            by="minits.frontend.modules.hooks.call_with_hooks",
        ),
        Rule(
            "order-and-state",
            shows=("hooks/first_in_the_queue", "modules/forward_hooks"),
            breaks="hooks/hook_at_fault",
            by="minits.frontend.modules.hooks.Hooks",
        ),
        Rule(
            "arguments",
            shows="hooks/without_arguments",
            breaks=("hooks/called_by_keyword", "hooks/default_left_out"),
            by="minits.frontend.modules.hooks.call_with_hooks",
        ),
        Rule(
            "exceptions",
            shows="hooks/forward_pre_hook",
            breaks="hooks/raised_in_a_hook",
            by="minits.frontend.modules.hooks.call_with_hooks",
        ),
        Rule(
            "calls-of-forward",
            shows="hooks/forward_called_by_name",
            breaks="submodules_and_inheritance/wrong_argument_to_submodule",
            by="minits.frontend.modules.module_value.ModuleValue.call",
        ),
    ),
)
