// Rules as JSON, with every bad input.
// covers: X.09
#include "agent/spam/rules_json.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::spam::rules_json_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

base::result<rules> changed(std::string_view text) {
    return changed_rules(boost::json::parse(text).as_object());
}

TEST(rules_json, takes_each_kind_of_value) {
    auto const rules = changed(
        R"({"threshold": 120, "links.weight": "50", "flood.on": false, "forward.on": "true",
            "prohibited_scripts.scripts": ["thai", "han"], "name_symbols.symbols": []})"
    );

    ASSERT_TRUE(rules) << rules.error().detail;
    EXPECT_EQ(rules->threshold(), 120);
    EXPECT_EQ(rules->of("links").weight, 50);
    EXPECT_FALSE(rules->of("flood").on);
    EXPECT_TRUE(rules->of("forward").on);
    EXPECT_THAT(rules->of("prohibited_scripts").words("scripts"), ElementsAre("thai", "han"));
}

TEST(rules_json, keeps_what_is_not_changed) {
    rules strict;
    ASSERT_TRUE(strict.set("threshold=50"));

    auto const result = changed_rules({{"links.weight", 1}}, strict);

    ASSERT_TRUE(result);
    EXPECT_EQ(result->threshold(), 50);
    EXPECT_EQ(result->of("links").weight, 1);
}

TEST(rules_json, refuses_what_no_rule_is) {
    struct sample {
        std::string_view text;
        base::errc code;
        std::string_view reason;
    };
    for (auto const& [text, code, reason] : std::vector<sample>{
             {R"({"link.weight": 1})", base::errc::not_found, "links.weight"},
             {R"({"links": {"weight": 1}})", base::errc::invalid, "links must be"},
             {R"({"links.weight": 1.5})", base::errc::invalid, "links.weight must be"},
             {R"({"links.weight": null})", base::errc::invalid, "links.weight must be"},
             {R"({"links.weight": [1]})", base::errc::invalid, "links.weight must be"},
             {R"({"links.weight": -1})", base::errc::invalid, "links.weight must be"},
             {R"({"links.weight": ""})", base::errc::invalid, "needs a value"},
             {R"({"cas.url": " , "})", base::errc::invalid, "needs a value"},
             {R"({"links.weight": "many"})", base::errc::invalid, "links.weight must be"},
             {R"({"links.on": 1})", base::errc::invalid, "links.on must be"},
             {R"({"threshold": 0})", base::errc::invalid, "threshold must be"},
             {R"({"threshold": 99999999999999999999})", base::errc::invalid, "threshold must be"},
             {R"({"": 1})", base::errc::not_found, "there is no rule"}}) {
        auto const result = changed(text);
        ASSERT_FALSE(result) << text;
        EXPECT_EQ(result.error().code, code) << text;
        EXPECT_THAT(result.error().detail, HasSubstr(std::string(reason))) << text;
    }
}

} // namespace
} // namespace postrider::agent::spam::rules_json_test
