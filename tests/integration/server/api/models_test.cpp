// A tiny question to a configured model.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/fake_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::models_test {
namespace {

using testing::HasSubstr;

struct api_models : testing::Test {
    fake_models provider;
    api_world world;

    api_models() {
        auto& model = world.settings().models["cloud"];
        model.provider = "anthropic";
        model.model = "claude-haiku-4-5";
        model.api_key = base::secret("key");
        model.base_url = provider.address();
    }
    api_answer test() { return world.post("/api/v1/models/cloud/test"); }
    std::string spent() {
        return world.database.value(
            "select coalesce(string_agg(scope || ' ' || subject || ' ' || calls || ' ' || tokens, "
            "', '), '') from postrider.budget_day where calls > 0"
        );
    }
};

TEST_F(api_models, answer_with_their_tokens_and_count_as_spent) {
    provider.script(fake_reply::saying("Hello there."));

    auto const answer = test();

    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.body.at("ok").as_bool());
    EXPECT_EQ(answer.body.at("answer"), "Hello there.");
    EXPECT_EQ(answer.body.at("provider"), "anthropic");
    EXPECT_GT(answer.body.at("tokens_in").as_int64(), 0);
    EXPECT_TRUE(answer.body.at("failure").is_null());
    EXPECT_THAT(spent(), HasSubstr("user 500 1 "));
    EXPECT_EQ(world.database.value("select count(*) from postrider.budget_hold"), "0");
    EXPECT_EQ(
        world.database.value(
            "select string_agg(concat_ws(' ', actor, subject, detail ->> 'outcome'), "
            "', ' order by number) from postrider.audit where kind = 'model_test'"
        ),
        "owner model:cloud begun, owner model:cloud done"
    );
}

TEST_F(api_models, say_in_plain_words_why_they_do_not_answer) {
    provider.script(fake_reply::failing(401));

    auto const answer = test();

    EXPECT_EQ(answer.status, 200);
    EXPECT_FALSE(answer.body.at("ok").as_bool());
    EXPECT_THAT(
        std::string(answer.body.at("failure").as_string()),
        HasSubstr("The provider does not accept the key.")
    );
    EXPECT_TRUE(answer.body.at("answer").is_null());
    EXPECT_EQ(spent(), "") << "a call that failed cost nothing";
}

TEST_F(api_models, are_not_asked_where_the_audit_cannot_say_so) {
    world.lose_database();

    EXPECT_EQ(test().status, 503);
    EXPECT_TRUE(provider.requests().empty());
}

TEST_F(api_models, are_not_asked_where_a_budget_is_empty) {
    test();
    test();
    auto const third = test();

    EXPECT_EQ(third.status, 409);
    EXPECT_EQ(third.code(), "budget");
    EXPECT_EQ(provider.requests().size(), 2u);
    EXPECT_EQ(world.post("/api/v1/models/none/test").status, 404);
}

} // namespace
} // namespace postrider::tests::models_test
