"""Any, numbers, bool, str, device, dtype and None."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "primitive_types",
    "Primitive types",
    "Types: Meta and primitive types",
    (
        Rule(
            "numbers",
            shows="primitive_types/numbers",
            breaks=(
                "primitive_types/int_returned_as_float",
                "primitive_types/none_for_int",
                "errors/return_type_mismatch",
            ),
            by="minits.frontend.emit.statements.emit_return",
        ),
        Rule(
            "numbers-from-python",
            shows="primitive_types/int_passed_for_float",
            breaks="primitive_types/float_passed_for_int",
            by="minits.runtime.arguments.bind_arguments",
        ),
        Rule(
            "conversions",
            shows=("primitive_types/bool_of_values", "types/tensor_assigned_to_int"),
            breaks="primitive_types/int_of_list",
            by="minits.frontend.values.builtins.Cast",
        ),
        Rule(
            "bool",
            shows="types/bool_is_no_int",
            breaks="arithmetic/variable_takes_no_bool",
            by="minits.frontend.emit.conditions.to_bool",
        ),
        Rule(
            "complex",
            shows=("primitive_types/complex_values", "types/complex_numbers"),
            breaks=("primitive_types/complex_for_float", "primitive_types/complex_attribute"),
            by="minits.frontend.calls.schema_matching.match_schemas",
        ),
        Rule(
            "str",
            shows="primitive_types/str_values",
            breaks="primitive_types/str_for_int_list",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "device",
            shows=("primitive_types/device_values", "types/device_and_dtype"),
            breaks="primitive_types/device_of_bad_name",
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "dtype",
            shows="primitive_types/dtype_values",
            breaks="primitive_types/dtype_of_string",
            by="minits.types.dtypes.enum_code",
        ),
        Rule(
            "none",
            shows="primitive_types/none_type",
            breaks="primitive_types/none_for_int",
            by="minits.frontend.emit.statements.emit_return",
        ),
        Rule(
            "any",
            shows=(
                "primitive_types/any_holds_all",
                "types/any_checked",
                "types/any_tells_its_type",
            ),
            breaks=("primitive_types/any_has_no_operators", "primitive_types/any_is_no_int"),
            by="minits.types.subtyping.is_subtype",
        ),
    ),
    cases=("types/number_from_tensor_item",),
)
