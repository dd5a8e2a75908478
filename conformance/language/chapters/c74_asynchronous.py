"""fork, wait and futures."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "asynchronous",
    "Asynchronous execution",
    "Asynchronous execution: fork, wait",
    (
        Rule(
            "fork-and-wait",
            shows=(
                "asynchronous/fork_and_wait",
                "asynchronous/fork_of_builtin",
                "asynchronous/nested_forks",
                "functions/fork_and_wait",
                "asynchronous/fork_without_wait",
            ),
            breaks=(
                "asynchronous/fork_with_wrong_arguments",
                "asynchronous/fork_of_number",
                "asynchronous/wait_for_a_number",
                "asynchronous/error_in_fork",
            ),
            by="minits.frontend.emit.special_forms.emit",
        ),
        Rule(
            "futures-are-values",
            shows="asynchronous/list_of_futures",
            breaks=("asynchronous/future_of_other_type", "asynchronous/unforked_call"),
            by="minits.types.types.FutureType",
        ),
        Rule(
            "containers",
            shows="asynchronous/futures_in_containers",
            breaks="asynchronous/optional_future_waited_for",
            by="minits.types.types.FutureType",
        ),
        Rule(
            "results",
            shows="asynchronous/several_results",
            breaks="asynchronous/result_unpacked_before_wait",
            by="minits.frontend.emit.special_forms.emit",
        ),
        Rule(
            "methods",
            shows=("asynchronous/methods", "asynchronous/state_of_modules"),
            breaks="errors/async_function",
            by="minits.frontend.emit.special_forms.emit",
        ),
    ),
)
