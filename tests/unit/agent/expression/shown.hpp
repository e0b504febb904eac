#pragma once
// What an expression gives, as text, with a few data around it.
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent {

inline json_scope const& sample_data() {
    static json_scope const scope{R"({
        "$json": {"name": "Ada", "none": null, "text": "order 17, then 18", "tags": ["b", "a"],
                  "at": "2026-11-21T10:00:00Z", "items": [{"n": 1}, {"n": 2}, {"n": 3}]},
        "$now": "2026-11-21T15:30:00Z"
    })"};
    return scope;
}

// The value as JSON, or "error: " and the reason.
inline std::string shown(std::string_view source, scope const& names = sample_data()) {
    auto const parsed = expression::parse(source);
    if (!parsed) return "error: " + parsed.error().reason;
    auto const value = parsed->evaluate(names);
    return value ? boost::json::serialize(*value) : "error: " + value.error().reason;
}

struct shown_example {
    std::string_view source;
    std::string_view result;
};

inline void expect_shown(std::initializer_list<shown_example> examples) {
    for (auto [source, result] : examples) EXPECT_EQ(shown(source), result) << source;
}

} // namespace postrider::agent
