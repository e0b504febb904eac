// minimum, maximum, multipleOf and the like: rules for numbers.
#include "agent/json_schema/definition.hpp"
#include "agent/json_schema/number.hpp"

namespace postrider::agent::json_schema {

namespace {

template<class Holds>
rule bound(definition const& d, std::string_view comparison, Holds holds) {
    auto limit = d.number();
    auto message = "must be " + std::string(comparison) + " " + shown(limit);
    return [=](trial const& t) {
        return !t.value().is_number() || holds(compare(t.value(), limit)) ||
               t.refuse([&] { return message + ", not " + shown(t.value()); });
    };
}

rule minimum(definition const& d) {
    return bound(d, "at least", [](auto order) { return std::is_gteq(order); });
}

rule maximum(definition const& d) {
    return bound(d, "at most", [](auto order) { return std::is_lteq(order); });
}

rule exclusive_minimum(definition const& d) {
    return bound(d, "more than", [](auto order) { return std::is_gt(order); });
}

rule exclusive_maximum(definition const& d) {
    return bound(d, "less than", [](auto order) { return std::is_lt(order); });
}

rule multiple_of(definition const& d) {
    auto factor = d.number();
    if (!std::is_gt(compare(factor, 0))) d.refuse("must be more than 0");
    return [factor = std::move(factor)](trial const& t) {
        return !t.value().is_number() || is_multiple(t.value(), factor) || t.refuse([&] {
            return "must be a multiple of " + shown(factor) + ", not " + shown(t.value());
        });
    };
}

} // namespace

std::span<word const> number_words() {
    static constexpr word words[] = {
        {"minimum", minimum},
        {"maximum", maximum},
        {"exclusiveMinimum", exclusive_minimum},
        {"exclusiveMaximum", exclusive_maximum},
        {"multipleOf", multiple_of},
    };
    return words;
}

} // namespace postrider::agent::json_schema
