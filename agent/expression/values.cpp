#include "agent/expression/values.hpp"

#include "agent/expression/arithmetic.hpp"
#include "agent/expression/expression.hpp"
#include "base/setting.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

namespace postrider::agent::expressions {

namespace {

// Holds every int64, uint64 and double as it is, where its mantissa has 64 bits or more.
using exact = long double;
static_assert(std::numeric_limits<exact>::digits >= 64);

exact exactly(json::value const& number) {
    if (auto const* whole = number.if_int64()) return static_cast<exact>(*whole);
    if (auto const* whole = number.if_uint64()) return static_cast<exact>(*whole);
    return static_cast<exact>(number.get_double());
}

std::string number_text(json::value const& number) {
    if (auto const* whole = number.if_int64()) return std::to_string(*whole);
    if (auto const* whole = number.if_uint64()) return std::to_string(*whole);
    return format_number(number.get_double());
}

std::string number_json(json::value const& number) {
    auto const* real = number.if_double();
    if (!real || is_exact_whole(*real)) return number_text(number);
    std::array<char, 32> text{};
    auto const [end, ec] = std::to_chars(text.data(), text.data() + text.size(), *real);
    return {text.data(), end};
}

bool append_string(bounded_text& text, std::string_view value) {
    return text.append(json::serialize(json::string_view(value.data(), value.size())));
}

fallible<bool> equal_arrays(json::array const& left, json::array const& right, budget& budget) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (auto same = equal(left[i], right[i], budget); !same || !*same) return same;
    return true;
}

fallible<bool> equal_objects(json::object const& left, json::object const& right, budget& budget) {
    if (left.size() != right.size()) return false;
    for (auto const& member : left) {
        auto const* other = right.if_contains(member.key());
        if (!other) return false;
        if (auto same = equal(member.value(), *other, budget); !same || !*same) return same;
    }
    return true;
}

std::optional<std::strong_ordering> order_of(json::value const& left, json::value const& right) {
    // Bytes of UTF-8 sort as its code points do.
    if (left.is_string() && right.is_string())
        return view(left.get_string()) <=> view(right.get_string());
    if (left.is_bool() && right.is_bool()) return left.get_bool() <=> right.get_bool();
    if (!left.is_number() || !right.is_number()) return std::nullopt;
    auto const a = exactly(left);
    auto const b = exactly(right);
    if (a == b) return std::strong_ordering::equal;
    return a < b ? std::strong_ordering::less : std::strong_ordering::greater;
}

} // namespace

std::string_view type_name(json::value const& value) noexcept {
    switch (value.kind()) {
    case json::kind::null:
        return "null";
    case json::kind::bool_:
        return "bool";
    case json::kind::string:
        return "string";
    case json::kind::array:
        return "array";
    case json::kind::object:
        return "object";
    default:
        return "number";
    }
}

json::value number_value(double number) {
    if (is_exact_whole(number)) return static_cast<std::int64_t>(number);
    return number;
}

fallible<bool> equal(json::value const& left, json::value const& right, budget& budget) {
    if (!budget.spend()) return budget.failure();
    if (left.is_number() && right.is_number()) return exactly(left) == exactly(right);
    if (left.kind() != right.kind()) return false;
    if (auto const* text = left.if_string()) {
        if (text->size() != right.get_string().size()) return false;
        if (!budget.spend_bytes(text->size())) return budget.failure();
        return *text == right.get_string();
    }
    if (auto const* array = left.if_array()) return equal_arrays(*array, right.get_array(), budget);
    if (auto const* object = left.if_object())
        return equal_objects(*object, right.get_object(), budget);
    return left.is_null() || left.get_bool() == right.get_bool();
}

fallible<std::strong_ordering> compare(
    json::value const& left, json::value const& right, budget& budget
) {
    if (left.is_string() && right.is_string() &&
        !budget.spend_bytes(std::min(left.get_string().size(), right.get_string().size())))
        return budget.failure();
    if (auto order = order_of(left, right)) return *order;
    return failure{fmt::format(
        "{} and {} have no order; two numbers have one, two strings and two bools",
        type_name(left),
        type_name(right)
    )};
}

fallible<std::vector<std::size_t>> sorted_order(
    std::span<json::value const* const> keys, budget& budget
) {
    auto const rounds = static_cast<std::size_t>(std::bit_width(keys.size()));
    for (auto const* key : keys) { // each has an order with the first, hence with all
        auto const bytes = key->is_string() ? key->get_string().size() : 0;
        if (!budget.spend(rounds) || !budget.spend_bytes(rounds * bytes)) return budget.failure();
        if (auto order = compare(*keys.front(), *key, budget); !order) return order.error();
    }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
        return order_of(*keys[left], *keys[right]) == std::strong_ordering::less;
    });
    return order;
}

fallible<std::string> key_text(json::value const& value) {
    if (value.is_string() || value.is_bool() || value.is_number())
        return {boost::system::in_place_value, text_of(value)};
    return failure{"a key of an object is a string, a whole number or a bool"};
}

bool append_text(bounded_text& text, json::value const& value) {
    if (value.is_null()) return true;
    if (auto const* string = value.if_string()) return text.append(view(*string));
    if (value.is_number()) return text.append(number_text(value));
    return append_json(text, value);
}

bool append_json(bounded_text& text, json::value const& value) {
    if (value.is_null()) return text.append("null");
    if (auto const* flag = value.if_bool()) return text.append(*flag ? "true" : "false");
    if (auto const* string = value.if_string()) return append_string(text, view(*string));
    if (value.is_number()) return text.append(number_json(value));
    std::string_view separator;
    if (auto const* array = value.if_array()) {
        if (!text.append("[")) return false;
        for (auto const& item : *array) {
            if (!text.append(separator) || !append_json(text, item)) return false;
            separator = ",";
        }
        return text.append("]");
    }
    if (!text.append("{")) return false;
    for (auto const& member : value.get_object()) {
        if (!text.append(separator) || !append_string(text, member.key()) || !text.append(":") ||
            !append_json(text, member.value()))
            return false;
        separator = ",";
    }
    return text.append("}");
}

std::string suggestion(std::string_view name, std::span<std::string const> candidates) {
    constexpr std::size_t longest = 40; // nothing that is known is so long
    auto const meant = name.size() > longest ? "" : base::nearest(name, candidates);
    return meant.empty() ? meant : "; did you mean `" + meant + "`?";
}

std::string suggestion(std::string_view name, json::object const& members, budget& budget) {
    constexpr std::size_t longest_name = 40, most_members = 40;
    if (name.size() > longest_name || members.size() > most_members) return {};
    std::vector<std::string> names;
    std::size_t compared = 0;
    for (auto const& member : members) {
        if (member.key().size() > longest_name) continue;
        names.emplace_back(member.key());
        compared += name.size() * member.key().size();
    }
    if (!budget.spend_bytes(compared)) return {};
    return suggestion(name, names);
}

} // namespace postrider::agent::expressions

namespace postrider::agent {

std::string text_of(boost::json::value const& value) {
    expression_limits unlimited;
    unlimited.steps = unlimited.output = std::numeric_limits<std::size_t>::max();
    expressions::budget budget{unlimited};
    expressions::bounded_text text{budget};
    append_text(text, value);
    return text.text();
}

} // namespace postrider::agent
