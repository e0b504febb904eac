#include "agent/flow/n8n/parameter_words.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::parameter_words_test {
namespace {

TEST(n8n_parameter_words, are_those_of_its_form) {
    EXPECT_EQ(parameter_words("options.systemMessage"), "Options > System Message");
    EXPECT_EQ(parameter_words("jsonBody"), "JSON Body");
    EXPECT_EQ(parameter_words("chatId"), "Chat ID");
    EXPECT_EQ(parameter_words("values.string.1.name"), "Values > String 2 > Name");
    EXPECT_EQ(parameter_words("dry_run"), "Dry Run");
    EXPECT_EQ(parameter_words(""), "");
}

TEST(n8n_parameter_words, name_the_first_parameter_that_has_a_text) {
    auto const parameters = boost::json::parse(
        R"({"mode": "manual", "assignments": {"assignments": [{"name": "a"}, {"value": "={{ $x }}"}]}})"
    );

    EXPECT_EQ(parameter_with(parameters.as_object(), "$x"), "Assignments > Assignments 2 > Value");
    EXPECT_EQ(parameter_with(parameters.as_object(), "$y"), "");
    EXPECT_EQ(parameter_with(parameters.as_object(), ""), "");
}

} // namespace
} // namespace postrider::agent::flow::n8n::parameter_words_test
