// The todo agent is sent its whole conversation up to a budget; then a new one is offered, once.
#include "tests/integration/agent/todo_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::long_conversation_test {
namespace {

using testing::HasSubstr;

constexpr auto offer = "This conversation is long: I no longer see its beginning. Send /new to "
                       "begin a new one. Your tasks stay.";

class long_conversation : public todo_agent {
protected:
    void allow(int tokens) { services_->agents["assistant"]["history_tokens"] = tokens; }
    // Says something long until the offer came; how often it was said.
    int talk_until_offered() {
        for (int turn = 1; turn <= 12; ++turn) {
            model.script.push_back(says("Yes."));
            if (hear("I say: " + std::string(700, 'x')).ends_with(offer)) return turn;
        }
        return 0;
    }
};

// covers: S2.10
TEST_F(long_conversation, is_sent_whole_while_it_fits) {
    allow(32'000);
    for (int turn = 0; turn < 25; ++turn) {
        model.script.push_back(says("Yes."));
        EXPECT_EQ(hear("message " + std::to_string(turn)), "Yes.");
    }
    auto const& sent = model.requests.back().messages;
    EXPECT_GE(sent.size(), 49u);
    EXPECT_EQ(sent.front().content, "message 0");
}

// covers: S2.10 S0.14
TEST_F(long_conversation, is_answered_with_the_offer_of_a_new_one_once) {
    allow(1000);
    // 184 tokens each and 9 for its answer: so the seventh turn has more than 1000 behind it.
    EXPECT_EQ(talk_until_offered(), 7);
    EXPECT_THAT(last(), HasSubstr("Yes.\n\n")) << "it is answered all the same";

    restart();
    allow(1000);
    for (int turn = 0; turn < 3; ++turn) {
        model.script.push_back(says("Yes."));
        EXPECT_EQ(hear("and on"), "Yes.");
    }
    EXPECT_LT(model.requests.back().messages.size(), 15u);
    EXPECT_THAT(model.requests.back().messages.front().content, HasSubstr("I say"));

    // What /new does.
    w.execute("update postrider.lane set conversation_id = nextval('postrider.number')");
    model.script.push_back(says("Hello."));
    EXPECT_EQ(hear("hello"), "Hello.");
    EXPECT_THAT(model.requests.back().messages.front().content, HasSubstr("hello"));
    EXPECT_GT(talk_until_offered(), 0) << "each conversation has its own";
}

TEST_F(long_conversation, is_offered_a_new_one_by_rules_as_well) {
    use_rules();
    allow(1000);
    hear("add buy milk");
    int offers = 0;
    for (int turn = 0; turn < 30; ++turn) {
        auto const answer = hear("what's on my list?");
        EXPECT_THAT(answer, HasSubstr("#1 buy milk"));
        if (answer.ends_with(offer)) ++offers;
    }
    EXPECT_EQ(offers, 1);
}

TEST_F(long_conversation, is_followed_by_another_in_the_language_of_the_person) {
    model.script.push_back(says("Gut."));
    EXPECT_EQ(hear("Wie geht es dir?"), "Gut.");
    // What /new does.
    w.execute("update postrider.lane set conversation_id = nextval('postrider.number')");

    model.script.push_back(says(" "));
    EXPECT_EQ(hear("3"), "Darauf habe ich keine Antwort.");
}

} // namespace
} // namespace postrider::tests::long_conversation_test
