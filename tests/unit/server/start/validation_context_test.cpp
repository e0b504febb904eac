// What flows are checked with, of a configuration.
#include "server/start/validation_context.hpp"

#include <gtest/gtest.h>

namespace postrider::server::validation_context_test {
namespace {

TEST(validation_context, has_approvers_where_somebody_can_be_asked) {
    config settings;
    EXPECT_TRUE(validation_context_of(settings).has_approvers)
        << "nothing is known of the bots yet";
    settings.bots.emplace_back().name = "main";
    EXPECT_FALSE(validation_context_of(settings).has_approvers);
    settings.approvers = {user_id{7}};
    EXPECT_TRUE(validation_context_of(settings).has_approvers);
    settings.approvers.clear();
    settings.bots.front().allowlist.owners.insert(user_id{7});
    EXPECT_TRUE(validation_context_of(settings).has_approvers);
}

TEST(validation_context, names_a_model_that_takes_no_tools) {
    config settings;
    for (auto name : {"plain", "able"}) {
        settings.models[name].provider = "openai";
        settings.models[name].model = "gpt-9";
    }
    settings.models["plain"].takes_tools = false;
    auto const context = validation_context_of(settings);
    EXPECT_EQ(context.toolless_model("plain", ""), "openai/gpt-9");
    EXPECT_EQ(context.toolless_model("plain", "gpt-8"), "openai/gpt-8");
    EXPECT_EQ(context.toolless_model("able", ""), "");
    EXPECT_EQ(context.toolless_model("elsewhere", ""), "") << "another problem names it";
}

} // namespace
} // namespace postrider::server::validation_context_test
