#pragma once
// Where expressions differ from CEL on purpose: the conformance tests that fail, by reason. Each
// reason stands in docs/expressions.md. A test that is listed must fail, so the list stays true.
#include <array>
#include <string_view>

namespace postrider::agent {

struct cel_difference {
    std::string_view reason;
    std::string_view tests; // file/section/test, one a line
};

inline constexpr std::array cel_differences{
    cel_difference{
        "Keys of objects are strings, as in JSON. A whole number or a bool as a key becomes a "
        "string.",
        R"tests(
macros/exists_one/map_one
macros2/existsOne/map_one
string_ext/format/dyntype support for maps
string_ext/format/map support (all key types)
)tests"},
    cel_difference{
        "There is no NaN and no infinity: a division by zero and a result that is too large are "
        "errors.",
        R"tests(
comparisons/eq_literal/not_eq_double_nan
comparisons/eq_literal/not_eq_int_double_nan
comparisons/eq_literal/not_eq_uint_double_nan
comparisons/ne_literal/ne_double_nan
comparisons/ne_literal/not_ne_double_nan
comparisons/ne_literal/not_ne_int_double_nan
comparisons/ne_literal/not_ne_uint_double_nan
fp_math/fp_math/divide_zero
fp_math/fp_math/fp_overflow_negative
fp_math/fp_math/fp_overflow_positive
math_ext/isFinite/false_inf
math_ext/isFinite/false_nan
math_ext/isInf/false
math_ext/isInf/true
math_ext/isNaN/false
math_ext/isNaN/true
math_ext/round/nan
math_ext/trunc/nan
string_ext/format/NaN support for decimal
string_ext/format/NaN support for fixed-point
string_ext/format/NaN support for scientific notation
string_ext/format/dyntype NaN/infinity support
string_ext/format/negative infinity support for decimal
string_ext/format/negative infinity support for fixed-point
string_ext/format/negative infinity support for scientific notation
string_ext/format/positive infinity support for decimal
string_ext/format/positive infinity support for fixed-point
string_ext/format/positive infinity support for scientific notation
)tests"},
    cel_difference{
        "Numbers are doubles: there are no integers and no unsigned numbers that overflow, are "
        "refused or mix wrongly with others.",
        R"tests(
comparisons/gt_literal/not_gt_dyn_big_double_int
comparisons/gte_literal/gte_dyn_int_big_lossy_double
comparisons/lt_literal/not_lt_dyn_int_big_lossy_double
comparisons/lte_literal/lte_dyn_big_double_int
fp_math/fp_math/mod_not_support
integer_math/int64_math/int64_min_negate
integer_math/int64_math/int64_min_negate_div
integer_math/int64_math/int64_min_negate_mul
integer_math/int64_math/int64_overflow_add_negative
integer_math/int64_math/int64_overflow_mul_negative
integer_math/int64_math/int64_overflow_mul_positive
integer_math/int64_math/int64_overflow_negative
integer_math/int64_math/int64_overflow_positive
integer_math/int64_math/int64_overflow_sub_positive
integer_math/int64_math/uint64_overflow_mul_positive
integer_math/int64_math/uint64_overflow_negative
integer_math/int64_math/uint64_overflow_positive
integer_math/int64_math/unary_minus_no_overload
integer_math/uint64_math/negative_no_overload
math_ext/abs/int_overflow
math_ext/bit_not/uint_positive
math_ext/bit_not/uint_zero
math_ext/ceil/dyn_error
math_ext/floor/dyn_error
math_ext/round/dyn_error
math_ext/trunc/dyn_error
)tests"},
    cel_difference{
        "Names of variables and functions are checked when an expression is parsed, so `||` does "
        "not make up for an unknown one.",
        R"tests(
basic/functions/unbound_is_runtime_error
basic/variables/unbound_is_runtime_error
parse/receiver_function_names/as
parse/receiver_function_names/break
parse/receiver_function_names/const
parse/receiver_function_names/continue
parse/receiver_function_names/else
parse/receiver_function_names/for
parse/receiver_function_names/function
parse/receiver_function_names/if
parse/receiver_function_names/import
parse/receiver_function_names/let
parse/receiver_function_names/loop
parse/receiver_function_names/namespace
parse/receiver_function_names/package
parse/receiver_function_names/return
parse/receiver_function_names/var
parse/receiver_function_names/void
parse/receiver_function_names/while
)tests"},
    cel_difference{
        "In an array, an object and a result an instant is a string and a duration a number of "
        "seconds.",
        R"tests(
string_ext/format/duration support for string
string_ext/format/dyntype support for duration
string_ext/format_errors/duration substitution not allowed with decimal clause
)tests"},
    cel_difference{
        "A duration has up to 10,000 years, not 292.",
        R"tests(
timestamps/timestamp_range/sub_time_duration_over
timestamps/timestamp_range/sub_time_duration_under
)tests"},
};

} // namespace postrider::agent
