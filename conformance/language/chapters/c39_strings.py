"""Strings: their methods, and how values are put into them."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "strings",
    "Strings",
    "Types: str; Python built-in string methods",
    (
        Rule(
            "concatenation",
            shows="strings/concatenation",
            breaks=("strings/concatenation_with_number", "errors/string_times_int"),
            by="minits.ops.implementations.strings.concatenate",
        ),
        Rule(
            "case",
            shows=("strings/case_methods", "types/string_methods"),
            breaks="strings/unknown_method",
            by="minits.ops.implementations.strings.title",
        ),
        Rule(
            "tests-of-characters",
            shows="strings/tests_of_characters",
            breaks="strings/unknown_method",
            by="minits.ops.implementations.strings.is_title",
        ),
        Rule(
            "search",
            shows="strings/search_methods",
            breaks="strings/search_for_int",
            by="minits.ops.implementations.strings.find",
        ),
        Rule(
            "split-and-join",
            shows=("strings/split_and_join", "containers/string_to_container"),
            breaks=("strings/split_by_empty", "strings/join_of_ints"),
            by="minits.ops.implementations.strings.split",
        ),
        Rule(
            "strip-and-pad",
            shows="strings/strip_and_pad",
            breaks="strings/search_for_int",
            by="minits.ops.implementations.strings.zero_fill",
        ),
        Rule(
            "replace-and-partition",
            shows="strings/replace_and_partition",
            breaks="strings/join_of_ints",
            by="minits.ops.implementations.strings.replace",
        ),
        Rule(
            "format",
            shows=("strings/format_fields", "types/string_formatting"),
            breaks="strings/format_too_few",
            by="minits.ops.implementations.text.format_string",
        ),
        Rule(
            "percent",
            shows="strings/percent_forms",
            breaks=("strings/percent_unknown_form", "strings/percent_too_few"),
            by="minits.ops.implementations.text.percent_format",
        ),
        Rule(
            "f-strings",
            shows="strings/f_strings",
            breaks=("strings/f_string_width", "strings/f_string_conversion"),
            by="minits.syntax.fstrings.scan_fstring",
        ),
        Rule(
            "texts-of-values",
            shows=("strings/text_of_objects", "strings/text_of_handles", "strings/text_of_floats"),
            breaks="strings/concatenation_with_number",
            by="minits.ops.implementations.text.format_value",
        ),
        Rule(
            "conversions",
            shows=("strings/conversions", "functions/conversions"),
            breaks="strings/conversion_of_text",
            by="minits.ops.implementations.conversions.int_from_text",
        ),
        Rule(
            "iteration",
            shows="strings/iteration",
            breaks="errors/string_is_immutable",
            by="minits.frontend.values.simple_value.SimpleValue.iter",
        ),
    ),
)
