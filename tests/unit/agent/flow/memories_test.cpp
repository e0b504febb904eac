// What memory nodes keep of a session, and what of it a model sees.
#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/process_sessions.hpp"
#include "agent/flow/parts/services.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>

namespace postrider::tests::memories_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// An agent with that memory, asked time and again.
struct remembering_world {
    flow_world w;
    std::int64_t job = 100;

    remembering_world(std::string const& type, std::string const& parameters)
        : w(flow_builder("remembering")
                .trigger("In", "manual")
                .agent("Ask")
                .part("Memory", type, json::parse(parameters).as_object())
                .text()) {}

    queue::outcome ask(std::string question, std::string answer) {
        w.job.id = job_id{job++};
        w.job.input = nullptr;
        w.record.steps.clear();
        w.model.script = {says(std::move(answer))};
        return w.run(json::object{{"text", std::move(question)}});
    }
    // The texts of the last request.
    std::vector<std::string> asked() const {
        std::vector<std::string> texts;
        for (auto const& message : w.model.requests.back().messages)
            texts.push_back(message.content);
        return texts;
    }
    std::vector<std::string> kept() const {
        std::vector<std::string> texts;
        for (auto const& row : w.table.sessions) texts.emplace_back(row.at("content").as_string());
        return texts;
    }
};

// covers: S3.22 S3.09
TEST(memory_window, deletes_what_fell_out_of_a_sessions_window) {
    remembering_world r("memory.window", R"({"session_id": "s", "max_messages": 2})");
    for (int n = 1; n <= 5; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));

    EXPECT_THAT(r.kept(), ElementsAre("q4", "a4", "q5", "a5"))
        << "two of other executions, which the window has, and this one's own";
}

TEST(memory_window, leaves_the_lanes_conversation_whole) {
    remembering_world r("memory.window", R"({"max_messages": 2})");
    for (int n = 1; n <= 5; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));

    EXPECT_THAT(r.w.table.rows, SizeIs(10));
}

TEST(memory_window, deletes_nothing_that_the_execution_reads_again) {
    remembering_world r("memory.window", R"({"session_id": "s", "max_messages": 2})");
    for (int n = 1; n <= 3; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));
    r.ask("q4", "a4");
    auto const seen = r.asked();
    r.w.record.steps.clear();
    r.w.table.sessions.resize(r.w.table.sessions.size() - 2); // as if its own were not committed
    r.w.model.script = {says("a4")};

    r.w.run(json::object{{"text", "q4"}});

    EXPECT_EQ(r.asked(), seen);
}

// Somebody forgets the session while the execution waits behind its agent.
TEST(memory_window, gets_nothing_back_from_a_later_run) {
    remembering_world r("memory.window", R"({"session_id": "s"})");
    json::object const data{{"text", "q"}};
    r.w.model.script = {says("a")};
    r.w.held_stands = true;
    ASSERT_TRUE(r.w.run_and_die(1, data));
    ASSERT_THAT(r.kept(), ElementsAre("q", "a"));
    r.w.table.sessions.clear();

    r.w.run(data);

    EXPECT_THAT(r.kept(), IsEmpty());
    EXPECT_THAT(r.w.model.requests, SizeIs(1)) << "the answer stood in the record";
}

// Another lane's execution says something in the session while this one waits behind its memory.
TEST(memory_window, reads_nothing_later_in_a_later_run) {
    remembering_world r("memory.window", R"({"session_id": "s"})");
    r.ask("q1", "a1");
    r.w.job.id = job_id{200};
    r.w.job.input = nullptr;
    r.w.record.steps.clear();
    json::object const data{{"text", "q2"}};
    r.w.model.script = {base::error(base::errc::unavailable)};
    r.w.run(data);
    auto const seen = r.asked();
    for (std::int64_t job : {150, 300})
        r.w.table.sessions.push_back(
            {{"session", "s"},
             {"job_id", job},
             {"position", 0},
             {"role", "user"},
             {"content", "said meanwhile"},
             {"detail", nullptr}}
        );
    std::erase_if(r.w.record.steps, [](auto const& step) { return step.first.ends_with("model"); });
    r.w.model.script = {says("a2")};

    r.w.run(data);

    EXPECT_THAT(seen, ElementsAre("q1", "a1", "q2"));
    EXPECT_EQ(r.asked(), seen);
}

// What somebody pastes may not fill a model's context for the next twenty turns.
TEST(memory_window, leaves_out_what_is_very_long) {
    remembering_world r("memory.window", R"({"session_id": "s"})");
    std::string const pasted(250'000, 'x');
    r.ask(pasted, "Long.");
    r.ask(pasted, "Long again.");

    r.ask("And now?", "Short.");

    ASSERT_THAT(r.asked(), SizeIs(4));
    EXPECT_EQ(r.asked()[0], "Long.");
    EXPECT_EQ(r.asked()[1].size(), pasted.size());
}

// covers: S3.07
TEST(memory_buffer, shows_a_session_from_its_beginning_and_deletes_nothing) {
    remembering_world r("memory.buffer", R"({"session_id": "s"})");
    for (int n = 1; n <= 60; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));

    r.ask("all of it?", "yes");

    ASSERT_THAT(r.asked(), SizeIs(121));
    EXPECT_EQ(r.asked().front(), "q1");
    EXPECT_EQ(r.asked()[119], "a60");
    EXPECT_THAT(r.kept(), SizeIs(122));
}

TEST(memory_buffer, is_the_lanes_conversation_without_a_session) {
    remembering_world r("memory.buffer", "{}");
    for (int n = 1; n <= 18; ++n) r.ask(fmt::format("q{}", n), fmt::format("a{}", n));

    EXPECT_THAT(r.asked(), SizeIs(35));
    EXPECT_EQ(r.asked().front(), "q1");
}

// covers: S3.08
TEST(memory_buffer, sends_no_more_than_its_tokens_and_tells_when_it_cuts) {
    remembering_world r("memory.buffer", R"({"session_id": "s", "max_tokens": 2000})");
    std::string const long_text(398, 'x');
    std::set<std::string> beginnings;
    for (int n = 10; n < 60; ++n) {
        auto const outcome =
            r.ask(fmt::format("{}{}", n, long_text), fmt::format("{}{}", n, long_text));
        auto const asked = r.asked();
        EXPECT_EQ(noted(outcome, "memory_cut").is_bool(), n > 19) << n;
        EXPECT_LE(asked.size(), 19u) << "eighteen of 108 tokens, and the question";
        if (n > 20) {
            EXPECT_GE(asked.size(), 13u);
            beginnings.insert(asked.front());
        }
    }

    EXPECT_THAT(r.kept(), SizeIs(100)) << "nothing of it is gone";
    EXPECT_LT(beginnings.size(), 30u) << "else it moves with each of the 39 turns";
}

// covers: S3.08
TEST(memory_buffer, of_the_process_is_empty_once_it_restarts) {
    remembering_world r("memory.buffer", R"({"session_id": "s", "persistence": "memory"})");
    std::optional<flow::process_sessions> sessions(std::in_place);
    r.w.adjust = [&](flow::node_services& services) { services.sessions = &*sessions; };
    r.ask("q1", "a1");
    r.ask("q2", "a2");
    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
    EXPECT_THAT(r.kept(), IsEmpty()) << "the database has none of it";

    sessions.emplace();
    r.ask("q3", "a3");

    EXPECT_THAT(r.asked(), ElementsAre("q3"));
}

// The process may have restarted in between, or said more.
TEST(memory_buffer, of_the_process_shows_a_later_run_what_the_first_one_saw) {
    remembering_world r("memory.buffer", R"({"persistence": "memory"})");
    flow::process_sessions sessions;
    r.w.adjust = [&](flow::node_services& services) { services.sessions = &sessions; };
    r.ask("q1", "a1");
    r.w.job.id = job_id{200};
    r.w.job.input = nullptr;
    r.w.record.steps.clear();
    json::object const data{{"text", "q2"}};
    r.w.model.script = {says("a2")};
    ASSERT_TRUE(r.w.run_and_die(2, data));
    std::erase_if(r.w.record.steps, [](auto const& step) { return step.first.ends_with("model"); });
    sessions = flow::process_sessions();
    r.w.model.script = {says("a2")};

    r.w.run(data);

    EXPECT_THAT(r.asked(), ElementsAre("q1", "a1", "q2"));
}

TEST(process_sessions, forget_what_was_used_the_longest_time_ago) {
    flow::process_sessions sessions(30);
    sessions.add("a", {"0123456789"});
    sessions.add("b", {"0123456789"});
    sessions.read("a");
    sessions.add("c", {"0123456789", "012345"});

    EXPECT_THAT(sessions.read("a"), SizeIs(1));
    EXPECT_THAT(sessions.read("b"), IsEmpty());
    EXPECT_THAT(sessions.read("c"), SizeIs(2));
    sessions.clear("a");
    EXPECT_THAT(sessions.read("a"), IsEmpty());
    sessions.clear_all();
    EXPECT_THAT(sessions.read("c"), IsEmpty());
    sessions.add("d", {"0123456789012345678901234567"});
    EXPECT_THAT(sessions.read("d"), SizeIs(1)) << "nothing else counts any more";
}

// covers: S3.17
TEST(agent_node, goes_on_without_a_memory_that_cannot_be_made) {
    remembering_world r("memory.window", R"({"session_id": "{{ $json.customer.name }}"})");

    auto const outcome = r.ask("Hi", "Hello");

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_TRUE(noted(outcome, "memory_degraded").is_string());
}

// It may not become the conversation of somebody else.
// covers: S3.07
TEST(memory_window, has_no_session_whose_name_comes_out_empty) {
    remembering_world r("memory.window", R"({"session_id": "{{ '' }}"})");
    r.ask("q1", "a1");

    auto const outcome = r.ask("q2", "a2");

    EXPECT_EQ(noted(outcome, "memory_degraded"), "invalid");
    EXPECT_THAT(r.asked(), ElementsAre("q2"));
    EXPECT_THAT(r.kept(), IsEmpty());
}

} // namespace

} // namespace postrider::tests::memories_test
