#pragma once
// Expressions of n8n's with the values that JavaScript gives, for tests: each is converted and evaluated here.
#include "agent/flow/n8n/expression/conversion.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n {

class plain_surroundings final : public surroundings {
public:
    std::string node_name(std::string_view name) const override { return std::string(name); }
    renamed_members renamed_of(std::string_view node) const override {
        static constexpr renamed_member members[]{
            {"message.text", "text"}, {"message.chat.id", "chat"}};
        return node == "Telegram" ? renamed_members(members) : renamed_members();
    }
    renamed_members renamed_here() const override { return {}; }
};

inline convertible<conversion> converted(std::string_view script) {
    conversion_budget budget;
    return convert(script, plain_surroundings(), budget);
}

struct sample_pair {
    std::string_view script;
    std::string_view value; // JSON
};

inline std::string evaluated(std::string_view script, json_scope const& sample) {
    auto const done = converted(script);
    if (!done) return "not converted: " + done.error().reason;
    auto const parsed = expression::parse(done->source, from_ai::allowed);
    if (!parsed) return "no expression: " + done->source;
    auto const value = parsed->evaluate(sample);
    if (!value) return done->source + ": " + to_text(value.error());
    return boost::json::serialize(*value);
}

inline void check(std::span<sample_pair const> pairs, json_scope const& sample) {
    for (auto const& [script, value] : pairs) {
        auto const expected = boost::json::serialize(boost::json::parse(value));
        auto const done = converted(script);
        EXPECT_EQ(evaluated(script, sample), expected) << script << "\n"
                                                       << (done ? done->source : "");
    }
}

} // namespace postrider::agent::flow::n8n
