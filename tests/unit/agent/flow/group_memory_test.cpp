// The memory of an agent in a group: what its model reads, and when the older half becomes a summary.
#include "agent/speech/owner_notice.hpp"
#include "tests/unit/agent/flow/group_world.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::group_memory_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using namespace group_memory;

// covers: S4.04 S4.08 S4.16
TEST(group_memory, asks_with_the_conversation_and_instructs_behind_it) {
    group_world g;
    g.archive.push_back(said_row(1, "4521", 36'660, "hey <everyone>"));
    g.archive.push_back(said_row(2, "4522", 36'720, "what's up"));

    EXPECT_EQ(g.arrive().state, queue::job_state::completed);

    auto const& request = g.w.model.requests.at(0);
    ASSERT_THAT(request.messages, SizeIs(1));
    EXPECT_EQ(
        request.messages[0].content,
        "=== Conversation Summary ===\n\n\n=== Recent Messages ===\n"
        "<msg id=\"4521\" chat=\"-100\" user=\"7\" name=\"alice\" time=\"10:11\">hey "
        "&lt;everyone&gt;</msg>\n"
        "<msg id=\"4522\" chat=\"-100\" user=\"7\" name=\"alice\" time=\"10:12\">what's up</msg>"
    );
    EXPECT_THAT(request.trailing_context, HasSubstr("Decide."));
    EXPECT_THAT(request.trailing_context, HasSubstr("current date and time"));
    EXPECT_THAT(request.system, Not(HasSubstr("Decide.")));
    EXPECT_EQ(g.asked.at(0).at("turn"), 100);
    EXPECT_EQ(g.asked.at(0).at("chat_id"), -100);
    EXPECT_FALSE(g.asked.at(0).contains("since_us"));
}

// What was sent before is the beginning of what is sent later, but for the last piece, which grows.
// covers: S4.08 X.21
TEST(group_memory, sends_pieces_that_stay_as_they_are) {
    group_world g({{"compaction_threshold_tokens", 100'000}});
    for (int number = 1; number <= 20; ++number)
        g.archive.push_back(said_row(number, std::to_string(number), number, "hm"));
    g.arrive();
    for (int number = 21; number <= 40; ++number)
        g.archive.push_back(said_row(number, std::to_string(number), number, "hm"));
    g.arrive();

    auto const& earlier = g.w.model.requests.at(0).messages;
    auto const& later = g.w.model.requests.at(1).messages;
    ASSERT_THAT(earlier, SizeIs(2));
    ASSERT_THAT(later, SizeIs(3));
    EXPECT_EQ(later[0].content, earlier[0].content);
    EXPECT_TRUE(later[1].content.starts_with(earlier[1].content));
}

// covers: S4.06
TEST(group_memory, has_a_job_summarise_beyond_the_threshold_as_the_model_counts) {
    group_world g;
    for (int number = 1; number <= 4; ++number)
        g.archive.push_back(said_row(number, std::to_string(number), number, "hm"));
    g.arrive(silent_answer(1000));
    EXPECT_THAT(g.jobs, IsEmpty());

    EXPECT_EQ(g.arrive(silent_answer(1001)).state, queue::job_state::completed);

    ASSERT_THAT(g.jobs, SizeIs(1));
    EXPECT_EQ(g.jobs[0].at("turn"), 100);
    EXPECT_EQ(g.jobs[0].at("chat"), -100);
    EXPECT_FALSE(g.jobs[0].as_object().contains("summarised"));
}

TEST(group_memory, estimates_where_the_model_counts_nothing) {
    group_world g;
    for (int number = 1; number <= 4; ++number)
        g.archive.push_back(said_row(number, std::to_string(number), number, "hm"));
    g.arrive(silent_answer(0));
    EXPECT_THAT(g.jobs, IsEmpty());

    g.archive.push_back(said_row(5, "5", 5, std::string(4000, 'x')));
    g.arrive(silent_answer(0));

    EXPECT_THAT(g.jobs, SizeIs(1));
}

struct compacting_world : group_world {
    fake_record record;

    compacting_world() {
        for (int number = 1; number <= 5; ++number)
            archive.push_back(
                said_row(number, std::to_string(number), number, fmt::format("text {}", number))
            );
        arrive(silent_answer(2000));
    }
};

// covers: S4.06
TEST(group_compaction, summarises_the_older_half) {
    compacting_world g;
    g.w.model.script = {says("They count.")};

    auto const outcome = g.compact(g.record);

    ASSERT_EQ(outcome.state, queue::job_state::completed);
    auto const& prompt = g.w.model.requests.back().messages.at(0).content;
    EXPECT_TRUE(prompt.starts_with(
        "Summarize these chat messages into a brief paragraph (under 200 words).\n"
        "Focus on: topics discussed, key points, ongoing threads.\n\n<msg id=\"1\""
    ));
    EXPECT_THAT(prompt, HasSubstr("text 2"));
    EXPECT_THAT(prompt, Not(HasSubstr("text 3")));
    ASSERT_THAT(outcome.writes, SizeIs(1));
    auto const row = json::parse(outcome.writes[0].row);
    EXPECT_EQ(row.at("content"), "They count.");
    EXPECT_EQ(row.at("lane_id"), 1);
    EXPECT_EQ(row.at("job_id"), 2);
    EXPECT_EQ(row.at("first_job"), 1);
    EXPECT_EQ(row.at("counted"), 2);
    EXPECT_EQ(row.at("messages"), 2);
    EXPECT_FALSE(outcome.output.as_object().contains("text")) << "it stands in its row";
    EXPECT_EQ(g.jobs.back().at("memory_lane"), 1) << "postrider erase looks for it";
}

// Long without a summary, as while its model was away.
TEST(group_compaction, asks_with_no_more_than_turns_read) {
    compacting_world g;
    auto const most = g.jobs.back().at("most").as_int64();
    g.archive.assign(1, turn_row(400));
    for (int number = 1; number <= 300; ++number)
        g.archive.push_back(said_row(number, std::to_string(number), 36'000, std::string(100, 'x'))
        );
    g.w.model.script = {says("They shout.")};

    auto const outcome = g.compact(g.record);

    auto const& prompt = g.w.model.requests.back().messages.at(0).content;
    EXPECT_LE(prompt.size(), static_cast<std::size_t>(4 * 18 * most));
    ASSERT_THAT(outcome.writes, SizeIs(1));
    auto const row = json::parse(outcome.writes[0].row);
    EXPECT_EQ(row.at("first_job"), 257);
    EXPECT_EQ(row.at("job_id"), 278);
    EXPECT_EQ(row.at("counted"), 22);
}

TEST(group_compaction, has_what_the_summary_before_it_has) {
    compacting_world g;
    g.archive[0] = turn_row(100, summary_text{0, "They met.", 0});
    g.arrive(silent_answer(2000));
    g.w.model.script = {says("They met and count.")};

    auto const outcome = g.compact(g.record);

    EXPECT_THAT(
        g.w.model.requests.back().messages.at(0).content,
        HasSubstr("What came before:\nThey met.\n")
    );
    ASSERT_THAT(outcome.writes, SizeIs(1));
    EXPECT_EQ(json::parse(outcome.writes[0].row).at("messages"), 42);
}

// covers: S4.07
TEST(group_compaction, takes_in_edits_of_what_the_summary_before_it_has) {
    compacting_world g;
    g.archive[0] = turn_row(100, summary_text{1, "They met.", 20});
    g.archive[1] =
        said_row(1, "1", 1, "new", R"([{"content": "text 1", "until": "1970-01-01T00:00:30Z"}])");
    auto const before = g.w.model.requests.size();
    g.arrive(silent_answer(2000));
    EXPECT_THAT(
        g.w.model.requests.at(before).messages.at(0).content, HasSubstr("<edit id=\"1\">new</edit>")
    );
    g.w.model.script = {says("They met anew.")};

    auto const outcome = g.compact(g.record);

    auto const& prompt = g.w.model.requests.back().messages.at(0).content;
    EXPECT_THAT(prompt, HasSubstr("What came before:\nThey met.\n<msg id=\"1\""));
    EXPECT_THAT(prompt, HasSubstr("text 1</msg>\n<edit id=\"1\">new</edit>\n\n<msg id=\"2\""));
    ASSERT_THAT(outcome.writes, SizeIs(1));
    auto const row = json::parse(outcome.writes[0].row);
    EXPECT_EQ(row.at("counted"), 2) << "what is behind the summary";
    EXPECT_EQ(row.at("read_us"), 101'000'000);
}

// It is shown to the turn that comes with it.
// covers: S4.07
TEST(group_compaction, leaves_edits_behind_its_turn_to_the_next_one) {
    compacting_world g;
    g.archive[1] = said_row(
        1, "1", 1, "unchecked", R"([{"content": "text 1", "until": "1970-01-01T00:01:41Z"}])"
    );
    g.w.model.script = {says("They count.")};

    auto const outcome = g.compact(g.record);

    EXPECT_THAT(g.w.model.requests.back().messages.at(0).content, Not(HasSubstr("unchecked")));
    ASSERT_THAT(outcome.writes, SizeIs(1));
    EXPECT_EQ(json::parse(outcome.writes[0].row).at("read_us"), 100'000'000);
}

// The process dies behind the step that asked.
TEST(group_compaction, pays_once) {
    compacting_world g;
    auto const before = g.w.model.requests.size();
    g.w.model.script = {says("They count.")};
    auto const first = g.compact(g.record);

    auto const second = g.compact(g.record);

    EXPECT_EQ(g.w.model.requests.size(), before + 1);
    ASSERT_THAT(second.writes, SizeIs(1));
    EXPECT_EQ(second.writes[0].row, first.writes[0].row);
}

bool is_summary(storage::write const& write) {
    return std::string_view(write.statement->name) == "add_group_summary";
}

// covers: S4.06
TEST(group_compaction, is_stored_once_whichever_commit_its_process_dies_at) {
    int commit = 1;
    for (bool has_died = true; has_died; ++commit) {
        compacting_world g;
        fake_record record;
        g.w.model.script = {says("They count."), says("They count.")};
        try {
            g.compact(record, commit);
            has_died = false;
        } catch (fake_workflow::died const&) {
            auto const outcome = g.compact(record);
            ASSERT_EQ(outcome.state, queue::job_state::completed);
            EXPECT_THAT(outcome.writes, SizeIs(1));
        }
        EXPECT_EQ(std::ranges::count_if(record.writes, &is_summary), 1);
    }
    EXPECT_GE(commit, 3) << "that of the step, and that of the outcome";
}

TEST(group_compaction, leaves_alone_what_another_one_has_summarised) {
    compacting_world g;
    auto const before = g.w.model.requests.size();
    g.archive[0] = turn_row(100, summary_text{2, "They count.", 50});

    auto const outcome = g.compact(g.record);

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(outcome.writes, IsEmpty());
    EXPECT_EQ(g.w.model.requests.size(), before);
}

TEST(group_compaction, has_under_200_words) {
    compacting_world g;
    std::string endless;
    for (int n = 0; n < 300; ++n) endless += "word ";
    g.w.model.script = {says(endless)};

    auto const outcome = g.compact(g.record);

    ASSERT_THAT(outcome.writes, SizeIs(1));
    std::string const text(json::parse(outcome.writes[0].row).at("content").as_string());
    EXPECT_EQ(std::ranges::count(text, ' '), 199) << "with the sign of what was left out";
}

// covers: S4.06
TEST(group_compaction, silences_nobody_where_it_fails) {
    compacting_world g;
    g.w.model.script = {base::error(base::errc::refused)};
    EXPECT_EQ(g.compact(g.record).state, queue::job_state::failed);

    auto const outcome = g.arrive(calls({{"send_message", {{"text", "hm good point"}}}}));

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_THAT(g.w.chat.sent, SizeIs(1));
    EXPECT_EQ(g.w.chat.sent[0].content.text, "hm good point");
}

// Nobody in the group is told; the owner is, once for each budget and day.
// covers: X.04
TEST(group_memory, is_of_an_agent_that_falls_silent_where_its_budget_is_empty) {
    group_world g;
    g.w.adjust = [](flow::node_services& services) {
        services.approvers = {{bot_id{1}, chat_id{7001}}};
    };

    auto const outcome =
        g.arrive(base::error(base::errc::budget, "The budget is used up.", "empty_budget"));

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(g.w.chat.sent, IsEmpty());
    std::vector<json::value> notices;
    for (auto const& write : g.w.record.writes) {
        if (write.row.empty()) continue;
        auto const row = json::parse(write.row);
        auto const* kind = row.is_object() ? row.get_object().if_contains("kind") : nullptr;
        if (kind && *kind == json::value(agent::owner_notice_kind)) notices.push_back(row);
    }
    ASSERT_THAT(notices, SizeIs(1));
    EXPECT_EQ(notices[0].at("input").at("chats").at(0).at("chat"), 7001);
    EXPECT_THAT(std::string(notices[0].at("input").at("text").as_string()), HasSubstr("used up"));
    EXPECT_TRUE(notices[0].at("unique_key").as_string().starts_with("owners:silence:claudir:"));
}

// covers: S4.15
TEST(group_memory, in_the_process_begins_with_it) {
    group_world g({{"persistence", "memory"}});
    g.w.adjust = [](flow::node_services& services) {
        services.started_at = base::sys_time{std::chrono::seconds{50}};
    };

    g.arrive();

    EXPECT_EQ(g.asked.at(0).at("since_us"), 50'000'000);
}

TEST(group_memory, tells_times_in_the_zone_of_its_bot) {
    group_world g;
    g.w.adjust = [](flow::node_services& services) {
        services.timezone_of = [](bot_id) { return std::string("Asia/Tokyo"); };
    };
    g.archive.push_back(said_row(1, "1", 36'660, "hm"));

    g.arrive();

    EXPECT_THAT(g.w.model.requests.at(0).messages.at(0).content, HasSubstr("time=\"19:11\""));
}

// The agent goes on without it, and the model is asked the instruction alone.
TEST(group_memory, that_cannot_be_read_degrades_the_execution) {
    group_world g;
    g.archive.clear();

    EXPECT_EQ(g.arrive().state, queue::job_state::completed);

    EXPECT_EQ(g.w.model.requests.at(0).messages.at(0).content, "Decide.");
    EXPECT_EQ(g.w.model.requests.size(), 1u);
}

} // namespace
} // namespace postrider::tests::group_memory_test
