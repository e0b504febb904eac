// What an owner changes of tools while a round of calls is under way.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

namespace postrider::tests::risky_calls_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

// Two flows as tools: one looks, one sends.
std::shared_ptr<flow::graph const> guide(
    std::string_view risk_of_post,
    std::string_view posting = "Posts.",
    std::string_view input_of_post = "{}"
) {
    return compiled(
        flow_builder("guide")
            .trigger("In", "manual")
            .agent("Guide")
            .part(
                "Look",
                "tool.flow",
                {{"name", "look"}, {"description", "Looks."}, {"flow", "looker"}, {"risk", "low"}}
            )
            .part(
                "Post",
                "tool.flow",
                {{"name", "post"},
                 {"description", posting},
                 {"flow", "poster"},
                 {"risk", risk_of_post},
                 {"input", json::parse(input_of_post)}}
            )
            .node(
                "Out", "telegram.send", {{"bot", "fern"}, {"chat", 6}, {"text", "{{ $json.text }}"}}
            )
            .text()
    );
}

std::string_view name_of(storage::write const& row) {
    return row.statement->name;
}

auto const looker = flow_builder("looker")
                        .trigger("In", "manual")
                        .node("See", "set", {{"fields", {{"text", "seen"}}}})
                        .text();

auto const poster =
    flow_builder("poster")
        .trigger("In", "manual")
        .node("Send", "telegram.send", {{"bot", "fern"}, {"chat", 5}, {"text", "posted"}})
        .text();

json::value const question = json::object{{"text", "Post it"}};

struct risky_calls : testing::Test {
    // The model calls these, and the process dies as soon as the record has the step.
    void run_until(
        std::string const& step,
        std::shared_ptr<flow::graph const> graph,
        std::vector<std::pair<std::string, json::object>> const& called
    ) {
        json::object const approved{{"state", "approved"}};
        for (int commit = 2; !w || !w->record.steps.contains(step); ++commit) {
            w.emplace(looker);
            w->graph = graph;
            w->others["looker"] = compiled(looker);
            w->others["poster"] = compiled(poster);
            w->model.script = {calls(called), says("Done."), says("Done.")};
            w->events["press"] = {
                {"calls", {{"guide/tool:1", approved}, {"guide/tool:2", approved}}}};
            ASSERT_TRUE(w->run_and_die(commit, question)) << step;
        }
    }
    void publish_anew() {
        w->adjust = [](flow::node_services& services) {
            services.current_version = [](std::string_view) { return std::int64_t{8}; };
        };
    }
    // Goes on with the flow as it is by now, and dies once more on the way.
    queue::outcome go_on(std::shared_ptr<flow::graph const> graph) {
        w->graph = std::move(graph);
        EXPECT_TRUE(w->run_and_die(2, question));
        return w->run();
    }
    std::ptrdiff_t posted() const {
        return std::ranges::count(w->chat.sent, "posted", [](auto const& message) {
            return std::string_view(message.content.text);
        });
    }
    std::string last_heard() const { return w->model.requests.back().messages.back().content; }

    std::optional<flow_world> w;
};

// The round had no question, and one that has begun gets none.
TEST_F(risky_calls, do_not_run_unasked_where_the_risk_is_raised_before_they_begin) {
    run_until("guide/tool:1", guide("low"), {{"look", {}}, {"post", {}}});
    ASSERT_FALSE(w->record.steps.contains("guide/tool:2"));
    auto const ended = go_on(guide("high"));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(posted(), 0);
    EXPECT_THAT(last_heard(), HasSubstr("not run"));
}

TEST_F(risky_calls, that_have_begun_go_on_where_the_risk_is_raised) {
    run_until("guide/tool:2/version", guide("low"), {{"look", {}}, {"post", {}}});
    ASSERT_FALSE(w->record.steps.contains("guide/tool:2"));
    auto const ended = go_on(guide("high"));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_GT(posted(), 0);
    EXPECT_THAT(last_heard(), Not(HasSubstr("not run")));
}

// A person said yes to two calls; the definition of the second is another one once the first has run.
TEST_F(risky_calls, that_were_approved_do_not_run_as_something_else) {
    run_until("guide/tool:1", guide("high"), {{"post", {}}, {"post", {}}});
    ASSERT_FALSE(w->record.steps.contains("guide/tool:2"));
    auto const ended = go_on(guide("high", "Posts to everybody."));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(posted(), 1) << "by the first call";
    EXPECT_THAT(last_heard(), HasSubstr("not run"));
    EXPECT_EQ(std::ranges::count(w->record.writes, "withdraw_approvals", name_of), 1);
    EXPECT_EQ(std::ranges::count(w->record.writes, "use_approvals", name_of), 1);
}

// Its flow is published anew meanwhile.
TEST_F(risky_calls, that_were_approved_do_not_run_in_another_version) {
    run_until("guide/tool:1", guide("high"), {{"post", {}}, {"post", {}}});
    ASSERT_FALSE(w->record.steps.contains("guide/tool:2"));
    publish_anew();
    auto const ended = go_on(guide("high"));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(posted(), 1) << "by the first call";
    EXPECT_THAT(last_heard(), HasSubstr("not run"));
    EXPECT_EQ(std::ranges::count(w->record.writes, "withdraw_approvals", name_of), 1);
}

// It comes in the same run, once the approval was looked at.
TEST_F(risky_calls, that_were_approved_do_not_run_in_a_version_that_comes_right_before) {
    run_until("guide/tool:1", guide("high"), {{"post", {}}, {"post", {}}});
    auto const offered = std::make_shared<bool>(false);
    w->adjust = [offered](flow::node_services& services) {
        services.current_version = [offered](std::string_view flow) {
            bool const is_looked_at_again = flow == "poster" && std::exchange(*offered, true);
            return std::int64_t{is_looked_at_again ? 8 : 7};
        };
    };
    auto const ended = go_on(guide("high"));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(posted(), 1) << "by the first call";
}

TEST_F(risky_calls, that_have_begun_go_on_in_the_version_that_was_approved) {
    run_until("guide/tool:1/version", guide("high"), {{"post", {}}});
    ASSERT_FALSE(w->record.steps.contains("guide/tool:1"));
    publish_anew();
    auto const ended = go_on(guide("high"));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(w->record.steps.at("guide/tool:1/version").value(), json::value(7));
    EXPECT_THAT(last_heard(), Not(HasSubstr("not run")));
    EXPECT_EQ(std::ranges::count(w->record.writes, "withdraw_approvals", name_of), 0);
}

constexpr std::string_view own_input =
    R"({"key": "{{ uuid() }}", "as": "{{ $vars.agent.persona }}"})";

// What the node itself says is a part of what was approved.
TEST_F(risky_calls, that_were_approved_do_not_run_with_another_input) {
    auto const called = guide("high", "Posts.", own_input);
    run_until("guide/tool:1", called, {{"post", {}}, {"post", {}}});
    w->adjust = [](flow::node_services& services) {
        services.agents.at("assistant")["persona"] = "Another one.";
    };
    auto const ended = go_on(guide("high", "Posts.", own_input));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_EQ(posted(), 1) << "by the first call";
    EXPECT_THAT(last_heard(), HasSubstr("not run"));
}

TEST_F(risky_calls, that_were_approved_have_the_same_input_in_every_run) {
    run_until("guide/tool:1", guide("high", "Posts.", own_input), {{"post", {}}, {"post", {}}});
    auto const ended = go_on(guide("high", "Posts.", own_input));

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    EXPECT_THAT(last_heard(), Not(HasSubstr("not run")));
    EXPECT_EQ(std::ranges::count(w->record.writes, "withdraw_approvals", name_of), 0);
}

// Also where the answer was recorded alone, before anything was sent of it.
// covers: S1.02
TEST_F(risky_calls, are_reported_as_their_risk_was_when_they_ran) {
    run_until("guide/model#2", guide("medium"), {{"post", {}}});
    auto const sent = w->chat.sent.size();
    w->graph = guide("low");
    auto const ended = w->run();

    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    ASSERT_GT(w->chat.sent.size(), sent);
    EXPECT_EQ(w->chat.sent.back().content.text, "Done.\n\nUsed for this: post");
}

TEST_F(risky_calls, are_not_reported_where_the_risk_is_raised_behind_the_answer) {
    run_until("guide/model#2", guide("low"), {{"post", {}}});
    w->graph = guide("medium");
    EXPECT_EQ(w->run().state, queue::job_state::completed);
    EXPECT_EQ(w->chat.sent.back().content.text, "Done.");
}

} // namespace

} // namespace postrider::tests::risky_calls_test
