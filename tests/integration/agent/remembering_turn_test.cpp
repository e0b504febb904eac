// The assistant remembers what it is asked to, and knows it in a later turn, on the real engine.
#include "tests/integration/agent/approvals_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::remembering_turn_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class remembering_turn : public approvals {
protected:
    remembering_turn() {
        graph_ = assistant_graph();
        model.script = {
            calls({{"remember", {{"text", "The dog is called Rex."}}}}),
            says("I will remember it."),
            says("Rex.")};
    }

    std::string last_context() const { return model.requests.back().trailing_context; }
};

// covers: S0.13 S4.10
TEST_F(remembering_turn, stores_at_once_and_recalls_in_another_conversation) {
    say("Remember that my dog is called Rex");
    until_over(1);
    EXPECT_EQ(
        w.value("select m.kind || ' ' || (m.user_id <> 0) || ' ' || s.job_id - j.job_id "
                "from postrider.memory m join postrider.memory_source s using (memory_id) "
                "cross join (select job_id from postrider.job where kind = 'turn') j"),
        "note true 0"
    );

    w.execute("update postrider.message set conversation_id = 0"); // no window shows them
    say("What is my dog called?");
    until_over(2);

    ASSERT_THAT(model.requests, SizeIs(3));
    EXPECT_THAT(last_context(), HasSubstr("The dog is called Rex."));
    EXPECT_EQ(
        w.value("select result #>> '{memories,0,text}' from postrider.step "
                "where key = 'assistant/recall-long-term'"),
        "The dog is called Rex."
    );
}

TEST_F(remembering_turn, does_not_repeat_what_the_window_shows) {
    say("Remember that my dog is called Rex");
    until_over(1);
    say("What is my dog called?");
    until_over(2);

    EXPECT_THAT(last_context(), Not(HasSubstr("Rex")));
    EXPECT_EQ(
        w.value("select count(*) from postrider.step where key like '%recall-long-term'"), "0"
    );
}

} // namespace
} // namespace postrider::tests::remembering_turn_test
