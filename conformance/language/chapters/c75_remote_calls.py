"""Remote calls and references."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "remote-calls",
    "Remote calls",
    "Remote Procedure Calls: torch.distributed.rpc, RRef",
    (
        Rule(
            "calls",
            shows=("remote_calls/calls_of_functions", "remote_calls/call_not_waited_for"),
            breaks=(
                "remote_calls/without_function",
                "remote_calls/arguments_by_name",
                "remote_calls/builtin_called",
                "remote_calls/method_called",
                "remote_calls/without_an_agent",
            ),
            by="minits.frontend.emit.remote_calls.remote_call",
        ),
        Rule(
            "arguments",
            shows="remote_calls/keywords_and_timeout",
            breaks=(
                "remote_calls/argument_of_other_type",
                "remote_calls/argument_left_out",
                "remote_calls/arguments_in_a_list",
            ),
            by="minits.frontend.emit.remote_calls.remote_call",
        ),
        Rule(
            "references",
            shows=("remote_calls/references", "remote_calls/owner_of_a_reference"),
            breaks=(
                "remote_calls/reference_used_as_value",
                "remote_calls/unknown_method_of_a_reference",
                "remote_calls/reference_made",
            ),
            by="minits.types.types.RRefType",
        ),
        Rule(
            "types-of-references",
            shows="remote_calls/references_in_containers",
            breaks=(
                "remote_calls/reference_without_type",
                "remote_calls/reference_to_other_type",
            ),
            by="minits.types.types.RRefType",
        ),
    ),
)
