// The assistant remembers what it is asked to, and knows it in a later turn, on the real engine.
#include "tests/integration/agent/approvals_world.hpp"
#include "tests/support/naming_batcher.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::remembering_turn_test {
namespace {

using testing::ElementsAre;
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

// The history brings all that a plain turn asks of long-term memory.
// covers: S0.13
TEST_F(remembering_turn, of_somebody_without_memories_reads_the_history_alone) {
    naming_batcher reads(*engine_node_->quick);
    services_.emplace(assistant_services(
        reads, chat, clock, base::system_random(), {.model = &model, .max_tool_calls = 20}
    ));
    model.script = {says("Hello."), says("Rex.")};

    say("Hello");
    until_over(1);
    EXPECT_THAT(reads.names, ElementsAre("read_history"));

    w.execute("insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, "
              "words, made_by) "
              "select (input ->> 'user')::bigint, 0, 1, 'note', 'The dog is called Rex.', 'en', "
              "postrider.memory_vector('The dog is called Rex.', 'en'), 'test' from postrider.job "
              "where kind = 'turn'");
    reads.names.clear();
    say("What is my dog called?");
    until_over(2);
    EXPECT_THAT(reads.names, ElementsAre("read_history", "recall_memories"));
    EXPECT_THAT(last_context(), HasSubstr("The dog is called Rex."));
}

TEST_F(remembering_turn, does_not_repeat_what_the_window_shows) {
    say("Remember that my dog is called Rex");
    until_over(1);
    say("What is my dog called?");
    until_over(2);

    EXPECT_THAT(last_context(), Not(HasSubstr("Rex")));
    EXPECT_EQ(
        w.value("select string_agg(result::text, ' ') from postrider.step where key like "
                "'%recall-long-term'"),
        R"({"memories": []})"
    ) << "nothing was found, which is recorded; the first turn had nothing to search";
}

} // namespace
} // namespace postrider::tests::remembering_turn_test
