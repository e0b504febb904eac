#include "server/api/watched_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::watched_events_test {
namespace {

namespace flow = agent::flow;
using testing::ElementsAre;
using testing::IsEmpty;

// "4:step" has a number, "words 1" is a model's, all else is only seen.
flow::event event_from(std::string text) {
    if (text.starts_with("words")) return {0, std::string(flow::model_chunk), {{"text", text}}};
    auto const colon = text.find(':');
    if (colon == std::string::npos) return {0, text, {}};
    return {std::stoll(text), text.substr(colon + 1), {}};
}

std::vector<flow::event> events_from(std::vector<std::string> const& texts) {
    std::vector<flow::event> all;
    for (auto const& each : texts) all.push_back(event_from(each));
    return all;
}

std::vector<std::string> texts_of(std::vector<flow::event> const& all) {
    std::vector<std::string> lines;
    for (auto const& each : all) {
        if (each.type == flow::model_chunk)
            lines.emplace_back(each.data.at("text").as_string());
        else
            lines.push_back((each.number > 0 ? std::to_string(each.number) + ":" : "") + each.type);
    }
    return lines;
}

using texts = std::vector<std::string>;

struct told_case {
    texts record; // none: no look was made
    texts seen;
    texts told;
    char const* state = "running";
    bool look_is_due = false;
};

class watched_order : public testing::TestWithParam<told_case> {};

TEST_P(watched_order, is_as_it_happened) {
    auto const& given = GetParam();
    watched_events events({1, 0});
    queue::job_summary job;
    job.state = given.state;

    if (!given.record.empty()) events.read(events_from(given.record), job);
    events.see(events_from(given.seen));

    EXPECT_EQ(texts_of(events.take(given.look_is_due)), given.told);
}

INSTANTIATE_TEST_SUITE_P(
    cases,
    watched_order,
    testing::Values(
        // Words end with a step; what is not in the record yet comes behind it.
        told_case{
            {"1:started", "2:step"},
            {"words 1", "tool_called", "words 2"},
            {"words 1", "words 2", "2:step", "tool_called"}},
        // These are the next call's.
        told_case{
            {"2:step"},
            {"words 1", "model_called", "words 2"},
            {"words 1", "2:step", "model_called", "words 2"}},
        // The record ends: nothing comes behind that.
        told_case{
            {"2:step", "3:done"},
            {"model_called", "words 1"},
            {"words 1", "2:step", "3:done"},
            "completed"},
        told_case{{"2:done"}, {"words 1"}, {"words 1", "2:done"}, "completed", true},
        // What is in the record is not told once more.
        told_case{{"2:step", "node_started"}, {"node_started"}, {"2:step", "node_started"}},
        told_case{
            {}, {"words 1", "node_started", "words 2"}, {"words 1", "node_started", "words 2"}},
        // Only words go ahead of a look.
        told_case{{}, {"words 1", "node_started", "words 2"}, {"words 1"}, "running", true}
    )
);

TEST(watched_events, that_wait_for_a_look_come_behind_what_it_finds) {
    watched_events events({});
    events.see(events_from({"words 1", "node_started", "model_called", "words 2"}));
    EXPECT_THAT(texts_of(events.take(true)), ElementsAre("words 1"));
    EXPECT_THAT(texts_of(events.take(true)), IsEmpty());

    queue::job_summary job;
    job.state = "running";
    events.read(events_from({"1:step", "node_started"}), job);

    EXPECT_THAT(
        texts_of(events.take(false)),
        ElementsAre("1:step", "node_started", "model_called", "words 2")
    );
}

// A run that goes on passes the nodes again that were done before.
TEST(watched_events, that_an_earlier_watch_has_told_are_not_told_again) {
    watched_events events({3, 0});
    queue::job_summary job;
    job.state = "running";
    events.read(events_from({"1:started", "node_started", "3:step", "tool_called"}), job);
    EXPECT_THAT(texts_of(events.take(false)), ElementsAre("tool_called"));

    events.see(events_from({"node_started", "tool_called", "model_called"}));

    EXPECT_THAT(texts_of(events.take(false)), ElementsAre("model_called"));
}

TEST(watched_events, of_a_restarted_job_begin_anew) {
    watched_events events({5, 0});
    queue::job_summary job;
    job.state = "completed";
    events.read(events_from({"4:step", "5:done"}), job);
    EXPECT_TRUE(events.told_all());

    job.restarts = 2;
    events.read(events_from({"1:started", "2:done"}), job);

    auto const told = events.take(false);
    EXPECT_THAT(texts_of(told), ElementsAre("1:started", "2:done"));
    EXPECT_EQ(to_text(events.position_of(told.back()).value()), "2.2");
    EXPECT_TRUE(events.told_all());
}

} // namespace
} // namespace postrider::api::watched_events_test
