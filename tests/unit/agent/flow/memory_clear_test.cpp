// A memory that is cleared: what it had is gone, for this execution and all others.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::memory_clear_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Asks, and clears first where the item says so.
std::string forgetting(std::string const& memory) {
    return flow_builder("forgetting")
        .trigger("In", "manual")
        .node("Which", "if", {{"condition", "{{ $json.clear }}"}})
        .after("Which", "true")
        .node("Clear", "memory.clear")
        .after("Which", "false")
        .agent("Ask", {{"prompt", "{{ $json.text }}"}})
        .part("Memory", "memory.window", json::parse(memory).as_object())
        .connect("Clear", "Ask")
        .connect("Memory", "Clear")
        .text();
}

std::string const of_customers = R"({"session_id": "{{ 'customer ' + string($json.customer) }}"})";

struct clearing_world {
    flow_world w;
    flow::execution_input input;

    explicit clearing_world(std::string const& memory) : w(forgetting(memory)) {
        input.flow = "forgetting";
        input.version = 1;
    }

    queue::outcome run(std::int64_t job, json::object data) {
        next(job);
        input.data = std::move(data);
        return w.run(input);
    }
    void next(std::int64_t job) {
        w.job.id = job_id{job};
        w.job.input = nullptr;
        w.record.steps.clear();
    }
    std::vector<std::string> asked(std::size_t request) const {
        std::vector<std::string> texts;
        for (auto const& message : w.model.requests.at(request).messages)
            texts.push_back(message.content);
        return texts;
    }
};

// covers: S3.22
TEST(memory_clear, forgets_the_session_that_it_names_and_no_other) {
    clearing_world c(of_customers);
    c.w.model.script = {says("Hello Ann"), says("Hello Bob"), says("Who?"), says("Bob")};
    c.run(100, {{"customer", 1}, {"clear", false}, {"text", "I am Ann"}});
    c.run(101, {{"customer", 2}, {"clear", false}, {"text", "I am Bob"}});

    c.run(102, {{"customer", 1}, {"clear", true}, {"text", "Who am I?"}});
    c.run(103, {{"customer", 2}, {"clear", false}, {"text", "And I?"}});

    EXPECT_THAT(c.asked(2), ElementsAre("Who am I?"));
    EXPECT_THAT(c.asked(3), ElementsAre("I am Bob", "Hello Bob", "And I?"));
    EXPECT_THAT(c.w.table.sessions, SizeIs(6)) << "two of the first customer's were deleted";
}

// covers: S3.22
TEST(memory_clear, forgets_what_the_conversation_had_before) {
    clearing_world c("{}");
    c.w.model.script = {says("Hello Ann"), says("Who?")};
    c.run(100, {{"clear", false}, {"text", "I am Ann"}});

    c.run(101, {{"clear", true}, {"text", "Who am I?"}});

    EXPECT_THAT(c.asked(1), ElementsAre("Who am I?"));
    for (auto const& row : c.w.table.rows) EXPECT_EQ(row.at("job_id"), 101);
}

TEST(memory_clear, passes_its_items_on) {
    flow_world w(flow_builder("only")
                     .trigger("In", "manual")
                     .node("Clear", "memory.clear")
                     .part("Memory", "memory.window", {{"session_id", "s"}})
                     .text());

    auto const outcome = w.run(json::object{{"name", "Ann"}});

    EXPECT_EQ(w.ended(outcome), R"([{"name":"Ann"}])");
}

// A later run of the job finds the mark, and leaves what others have said since.
TEST(memory_clear, is_done_once_however_often_its_job_runs) {
    clearing_world c(of_customers);
    c.w.model.script = {says("Hello Ann"), says("Who?"), says("Who?")};
    c.run(100, {{"customer", 1}, {"clear", false}, {"text", "I am Ann"}});
    json::object const data{{"customer", 1}, {"clear", true}, {"text", "Who am I?"}};
    c.next(101);
    ASSERT_TRUE(c.w.run_and_die(2, data)) << "behind the commit that cleared";
    EXPECT_THAT(c.w.table.sessions, IsEmpty());
    c.w.table.sessions.push_back(
        {{"session", "customer 1"},
         {"job_id", 99},
         {"position", 0},
         {"role", "user"},
         {"content", "I am back"}}
    );

    c.w.run(data);

    EXPECT_EQ(c.w.table.sessions.front().at("content"), "I am back");
}

TEST(memory_clear, is_done_where_its_mark_stands) {
    clearing_world c(of_customers);
    c.w.model.script = {says("Hello Ann"), says("Who?")};
    c.run(100, {{"customer", 1}, {"clear", false}, {"text", "I am Ann"}});
    json::object const data{{"customer", 1}, {"clear", true}, {"text", "Who am I?"}};
    c.next(101);
    c.w.held_stands = true;
    ASSERT_TRUE(c.w.run_and_die(1, data));
    ASSERT_TRUE(c.w.record.steps.contains("clear/clear:0"));

    c.w.run(data);

    EXPECT_THAT(c.asked(1), ElementsAre("Who am I?"));
}

// What an agent before it has said is gone, and a later run does not put it back.
TEST(memory_clear, behind_an_agent_lasts) {
    flow_world w(flow_builder("forgetful")
                     .trigger("In", "manual")
                     .agent("Ask")
                     .part("Memory", "memory.window", {{"session_id", "s"}})
                     .node("Clear", "memory.clear")
                     .connect("Memory", "Clear")
                     .text());
    json::object const data{{"text", "Forget this"}};
    w.model.script = {says("At once")};
    ASSERT_TRUE(w.run_and_die(2, data)) << "behind the commit that cleared";
    EXPECT_THAT(w.table.sessions, IsEmpty());

    w.run(data);

    EXPECT_THAT(w.table.sessions, IsEmpty());
}

TEST(memory_clear, of_a_silent_fork_deletes_nothing) {
    clearing_world c(of_customers);
    c.w.model.script = {says("Hello Ann"), says("Ann")};
    c.run(100, {{"customer", 1}, {"clear", false}, {"text", "I am Ann"}});

    c.input.silent = true;
    c.run(101, {{"customer", 1}, {"clear", true}, {"text", "Who am I?"}});

    EXPECT_THAT(c.asked(1), ElementsAre("I am Ann", "Hello Ann", "Who am I?"));
    EXPECT_THAT(c.w.table.sessions, SizeIs(2));
}

} // namespace

} // namespace postrider::tests::memory_clear_test
