"""Tuples and NamedTuples."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "tuples",
    "Tuples",
    "Types: Tuple, Named tuple",
    (
        Rule(
            "items",
            shows=(
                "tuples/made_and_taken_apart",
                "tuples/constant",
                "types/tuple_of_tuples",
                "functions/unpacking_targets",
            ),
            breaks=(
                "tuples/wrong_item_type",
                "errors/unpack_wrong_count",
                "errors/unpack_non_tuple",
            ),
            by="minits.frontend.values.builtins.make_tuple",
        ),
        Rule(
            "length",
            shows="tuples/empty",
            breaks=("tuples/wrong_length", "errors/tuple_is_immutable"),
            by="minits.types.types.TupleType",
        ),
        Rule(
            "covariance",
            shows="tuples/covariant",
            breaks="tuples/not_contravariant",
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "comparison",
            shows="tuples/equality",
            breaks="tuples/order",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "loops",
            shows=("tuples/loop_over_mixed", "control_flow/static_unrolled_tuple_loop"),
            breaks="tuples/break_in_loop",
            by="minits.frontend.values.iterables.SugaredTuple.iter",
        ),
        Rule(
            "named-tuples",
            shows=("tuples/named_made", "types/named_tuple_fields", "types/named_tuple_argument"),
            breaks=(
                "tuples/named_missing_field",
                "errors/named_tuple_field_type",
                "errors/named_tuple_unknown_field",
                "tuples/named_field_assigned",
            ),
            by="minits.frontend.python.named_tuples.NamedTupleConstructor",
        ),
        Rule(
            "named-tuples-are-tuples",
            shows="tuples/named_used_as_tuple",
            breaks=("tuples/named_from_plain", "tuples/named_method", "tuples/named_own_method"),
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "named-tuples-of-one-shape",
            shows=("tuples/named_of_one_shape", "tuples/named_meets_plain"),
            breaks="tuples/field_after_meeting_plain",
            by="minits.types.subtyping.unify",
        ),
        Rule(
            "names-from-python",
            shows="tuples/named_or_plain",
            breaks="tuples/field_of_bare_attribute",
            by="minits.ops.from_python.convert_value",
        ),
        Rule(
            "defaults-of-fields",
            shows=("tuples/texts_of_defaults", "tuples/named_defaults"),
            breaks=("tuples/default_of_other_type", "tuples/field_of_any"),
            by="minits.frontend.python.named_tuples.named_tuple_type",
        ),
        Rule(
            "tests-of-fields",
            shows="tuples/named_fields_tested",
            breaks="tuples/hasattr_of_plain_tuple",
            by="minits.frontend.values.simple_value.SimpleValue.has_attr",
        ),
        Rule(
            "types-of-fields",
            shows=(
                "tuples/named_by_collections",
                "modules/named_tuple_output",
                "annotations/named_tuple_of_postponed_annotations",
            ),
            breaks=("tuples/number_in_a_namedtuple", "tuples/tensor_as_default_of_field"),
            by="minits.frontend.python.class_registry.class_types",
        ),
    ),
    cases=("containers/tuples_of_containers",),
)
