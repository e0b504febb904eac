#include "server/cli/job_report.hpp"
#include "server/cli/table.hpp"
#include "server/views/job_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::report_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

queue::job_details failing_turn() {
    queue::job_details report;
    report.job.id = 42;
    report.job.lane = "1:5:0";
    report.job.lane_name = "main, chat 5";
    report.job.kind = "turn";
    report.job.state = "retryable";
    report.job.runs = 2;
    report.job.lost = 1;
    report.job.created_at = "2026-11-21T09:00:00.000000Z";
    report.job.took = 3s;
    report.job.waiting_for = "model: overloaded";
    queue::step_summary first{
        1, "model", 1, "retry", 5ms, 120ms, 2s, "overloaded", "try later", nullptr};
    queue::step_summary second{1, "model", 2, "done", 2s, 80ms, {}, "", "", {{"text", "hi"}}};
    report.steps = {first, second};
    report.effects = {{"reply", "telegram.send", "at_least_once", "done", true, nullptr, nullptr}};
    report.waits = {{"answer", "event", std::nullopt, "2026-11-21T09:00:01.000000Z", ""}};
    return report;
}

TEST(table, columns_are_as_wide_as_their_widest_cell) {
    std::vector<cells> const lines{{"1", "short"}, {"1000", "x"}};

    EXPECT_EQ(table({"id", "what"}, lines), "id    what\n1     short\n1000  x\n");
}

TEST(table, width_counts_characters_not_bytes) {
    std::vector<cells> const lines{{"żółw", "a"}, {"abcd", "b"}};

    EXPECT_EQ(table({"", ""}, lines), "\nżółw  a\nabcd  b\n");
}

TEST(table, a_long_cell_is_cut_between_characters) {
    EXPECT_EQ(one_line("żółwie", 4), "żół…");
    EXPECT_EQ(one_line("abcd", 4), "abcd");
    EXPECT_EQ(one_line("a\nb", 9), "a b");
}

TEST(table, nothing_from_outside_moves_the_cursor) {
    EXPECT_EQ(printable("a\x1b[2Jb\r\x7f"), "a?[2Jb??");
    EXPECT_EQ(
        printable("\xc2\x9b"
                  "2J"),
        "?2J"
    );
    EXPECT_EQ(printable("line\n\ttab"), "line\n\ttab");
}

TEST(job_report, shows_every_try_with_its_time_and_what_it_led_to) {
    auto text = to_text(failing_turn());

    EXPECT_THAT(text, HasSubstr("job 42  turn  retryable\n"));
    EXPECT_THAT(text, HasSubstr("2, 1 lost"));
    EXPECT_THAT(text, HasSubstr("waits    model: overloaded"));
    EXPECT_THAT(text, HasSubstr("model  1    retry    +5ms    120ms  overloaded: try later\n"));
    EXPECT_THAT(text, HasSubstr("again at +2s\n"));
    EXPECT_THAT(text, HasSubstr("model  2    done     +2s     80ms\n     → {\"text\":\"hi\"}\n"));
    EXPECT_THAT(
        text, HasSubstr("reply   telegram.send  at_least_once  done   may have been done twice")
    );
}

TEST(job_report, says_what_it_waited_for_and_what_ended_that) {
    queue::job_wait const over{
        "lane",
        "its lane: job 41 came first",
        "2026-11-21T09:00:00.000000Z",
        "2026-11-21T09:02:00.000000Z",
        0us,
        2min,
        "job 41 completed"};
    queue::job_wait const still{
        "approval", "an approval of delete", "2026-11-21T09:02:01.000000Z", "", 121s, 3h, ""};

    auto const text = to_text(failing_turn(), {over, still});
    auto const json = server::job_json(failing_turn(), {over, still}).at("waited");

    EXPECT_THAT(text, HasSubstr("2min    +0us      its lane: job 41 came first  job 41 completed"));
    EXPECT_THAT(text, HasSubstr("3h      +2min 1s  an approval of delete        it waits still"));
    EXPECT_EQ(json.at(0).at("took_ms").to_number<double>(), 120'000);
    EXPECT_EQ(json.at(0).at("ended_by").as_string(), "job 41 completed");
    EXPECT_TRUE(json.at(1).at("until").is_null());
    EXPECT_TRUE(json.at(1).at("ended_by").is_null());
}

TEST(job_report, json_says_the_same) {
    auto json = server::job_json(failing_turn(), {});

    EXPECT_EQ(json.at("job_id").as_int64(), 42);
    EXPECT_EQ(json.at("waits_for").as_string(), "model: overloaded");
    EXPECT_EQ(json.at("steps").at(0).at("next_ms").as_double(), 2000.0);
    EXPECT_TRUE(json.at("steps").at(1).at("next_ms").is_null());
    EXPECT_EQ(json.at("steps").at(1).at("result").at("text").as_string(), "hi");
    EXPECT_TRUE(json.at("effects").at(0).at("flagged").as_bool());
    EXPECT_EQ(json.at("waits").at(0).at("since").as_string(), "2026-11-21T09:00:01.000000Z");
    EXPECT_TRUE(json.at("waits").at(0).at("until").is_null());
}

TEST(job_report, a_lane_has_the_names_of_the_api) {
    queue::lane_summary lane;
    lane.key = "1:5:0";
    lane.wait_reason = "paused";
    lane.node = 7;

    auto const json = to_json(std::vector{lane}).at("lanes").at(0);

    EXPECT_EQ(json.at("waits_for").as_string(), "paused");
    EXPECT_EQ(json.at("node").as_int64(), 7);
    EXPECT_TRUE(json.at("ready_at").is_null());
}

TEST(job_report, a_listing_has_one_line_per_job) {
    auto job = failing_turn().job;
    job.error_class = "timeout";
    job.tokens_in = 10;
    job.cost_micro = 1500;
    job.said = "buy\nmilk";

    auto text = to_text(std::vector{job, job});

    EXPECT_EQ(std::ranges::count(text, '\n'), 3);
    EXPECT_THAT(
        text,
        HasSubstr("42   turn  retryable  main, chat 5  2026-11-21T09:00:00Z  3s    2     10/0    "
                  "0.001500    buy milk  timeout\n")
    );
    auto page = to_json(queue::job_page{{job}, job_id{42}});
    EXPECT_EQ(page.at("jobs").as_array().size(), 1u);
    EXPECT_EQ(page.at("next").as_int64(), 42);
}

TEST(job_report, an_event_is_one_line) {
    queue::job_event change;
    change.at = "2026-11-21T09:00:03.500000Z";
    change.job = failing_turn().job;
    change.before = "running";
    auto step = change;
    step.step = queue::step_summary{1, "model", 2, "failed", 2s, 80ms, {}, "timeout", "", nullptr};

    EXPECT_EQ(
        to_text(change),
        "2026-11-21T09:00:03Z  42  turn  main, chat 5  running → retryable  model: overloaded"
    );
    EXPECT_EQ(
        to_text(step),
        "2026-11-21T09:00:03Z  42  turn  main, chat 5  step model failed in 80ms  timeout"
    );
    auto call = step;
    call.step->model = "small-2";
    call.step->paid = queue::model_payment{1200, 80, 900, 4200};
    auto begun = change;
    begun.before = "";
    begun.job.said = "buy milk";
    EXPECT_THAT(
        to_text(call),
        HasSubstr(
            "failed in 80ms  small-2, 1200 tokens in (900 cached), 80 out, 0.004200 US dollars"
        )
    );
    EXPECT_THAT(to_text(begun), HasSubstr("retryable  model: overloaded  said: buy milk"));
    EXPECT_EQ(to_json(change).at("event").as_string(), "state");
    EXPECT_EQ(to_json(step).at("step").at("key").as_string(), "model");
}

TEST(job_report, a_result_says_what_became_of_it_or_why_not) {
    queue::operation_result done{job_id{42}, "", true, "cancelled", "done", ""};
    queue::operation_result asked{job_id{42}, "", true, "running", "asked", "it runs"};
    queue::operation_result refused{{}, "bot:x", false, "", "not_found", "there is no bot x\x1b"};

    EXPECT_EQ(to_text(done), "job 42: cancelled");
    EXPECT_EQ(to_text(asked), "job 42: running, asked: it runs");
    EXPECT_EQ(to_text(refused), "bot:x: refused (not_found): there is no bot x?");
    EXPECT_EQ(to_json(refused).at("scope").as_string(), "bot:x");
    EXPECT_FALSE(to_json(refused).at("done").as_bool());
}

} // namespace
} // namespace postrider::cli::report_test
