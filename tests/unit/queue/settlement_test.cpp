// What is committed at the end of a run, as a table.
#include "queue/run/settlement.hpp"

#include <gtest/gtest.h>

namespace postrider::queue::settlement_test {

namespace {

using namespace std::chrono_literals;

// The settlement in one word, and what the job's row tells of it.
std::string told(settlement const& decided) {
    if (auto const* nothing = std::get_if<nothing_to_commit>(&decided))
        return nothing->lease_lost ? "lease lost" : "nothing";
    if (auto const* undo = std::get_if<undo_first>(&decided))
        return "undo, then " + std::string(to_string(undo->planned.state));
    if (auto const* ended = std::get_if<settle>(&decided)) {
        auto const& outcome = ended->outcome;
        auto text = std::string(to_string(outcome.state));
        if (outcome.state == job_state::failed) text += ", " + base::to_string(outcome.error);
        return text;
    }
    if (std::holds_alternative<pause_job>(decided)) return "pause";
    auto const& release = std::get<queue::release>(decided);
    return release.reason.empty() ? "put back" : "put back, " + release.reason;
}

struct settlement_case {
    std::string name;
    ended_run run;
    std::string expected;
};

class settlements : public testing::TestWithParam<settlement_case> {};

// covers: E.12
TEST_P(settlements, follow_from_how_the_run_ended) {
    EXPECT_EQ(told(decide_settlement(GetParam().run)), GetParam().expected);
}

outcome broken() {
    return outcome::failed({base::errc::invalid, "broken"});
}

constexpr auto pause = control_request::pause;
constexpr auto hold = control_request::hold;
constexpr auto cancel = control_request::cancel;
constexpr auto rollback = control_request::rollback;
constexpr auto interrupt = control_request::interrupt;

TEST(settlement, leaves_what_cannot_run_here_to_others_for_longer_each_time) {
    auto const delay = [](int times, std::optional<std::chrono::milliseconds> left = {}) {
        ended_run run{.end = run_end::not_here, .outcome = broken()};
        run.times_not_here = times;
        run.time_left = left;
        return std::get<release>(decide_settlement(run)).delay;
    };

    EXPECT_EQ(delay(1), 5s);
    EXPECT_EQ(delay(2), 10s);
    EXPECT_EQ(delay(4), 40s);
    EXPECT_EQ(delay(5), 60s);
    EXPECT_EQ(delay(1'000'000), 60s);
    EXPECT_EQ(delay(5, 7s), 7s) << "its deadline is kept";
    EXPECT_EQ(delay(5, -1s), 0s);
}

INSTANTIATE_TEST_SUITE_P(
    table,
    settlements,
    testing::Values(
        // The function came to its end.
        settlement_case{"completes", {}, "completed"},
        settlement_case{
            "completes_although_asked_to_cancel",
            {.asked = cancel, .acted_last = true},
            "completed"},
        settlement_case{"is_cancelled_before_it_says_a_word", {.asked = cancel}, "cancelled"},
        settlement_case{
            "is_cancelled_instead_of_failing",
            {.outcome = broken(), .asked = cancel, .can_undo = true},
            "cancelled"},
        settlement_case{"is_cancelled_with_nothing_to_roll_back", {.asked = rollback}, "cancelled"},
        settlement_case{"completes_although_asked_to_pause", {.asked = pause}, "completed"},
        settlement_case{"completes_although_late", {.expired = true}, "completed"},
        settlement_case{
            "has_nothing_to_roll_back", {.asked = rollback, .acted_last = true}, "completed"},
        settlement_case{
            "rolls_back_what_is_complete",
            {.asked = rollback, .can_undo = true},
            "undo, then cancelled"},
        settlement_case{"fails", {.outcome = broken()}, "failed, invalid: broken"},
        settlement_case{
            "undoes_when_it_fails", {.outcome = broken(), .can_undo = true}, "undo, then failed"},
        // It stopped at a boundary.
        settlement_case{"pauses", {.end = run_end::asked, .asked = pause}, "pause"},
        settlement_case{"is_held", {.end = run_end::asked, .asked = hold}, "put back"},
        settlement_case{"is_cancelled", {.end = run_end::asked, .asked = cancel}, "cancelled"},
        settlement_case{"makes_way", {.end = run_end::asked, .asked = interrupt}, "cancelled"},
        settlement_case{
            "rolls_back",
            {.end = run_end::asked, .asked = rollback, .can_undo = true},
            "undo, then cancelled"},
        settlement_case{
            "cancels_without_undoing",
            {.end = run_end::asked, .asked = cancel, .can_undo = true},
            "cancelled"},
        settlement_case{"goes_on_when_it_is_withdrawn", {.end = run_end::asked}, "put back"},
        settlement_case{
            "passes_its_deadline",
            {.end = run_end::asked, .expired = true},
            "failed, timeout: its deadline has passed"},
        settlement_case{
            "undoes_after_its_deadline",
            {.end = run_end::asked, .expired = true, .can_undo = true},
            "undo, then failed"},
        settlement_case{
            "pauses_after_its_deadline",
            {.end = run_end::asked, .asked = pause, .expired = true},
            "pause"},
        // A rollback that an earlier run began.
        settlement_case{
            "goes_on_undoing",
            {.end = run_end::asked, .stored = broken(), .can_undo = true},
            "undo, then failed"},
        settlement_case{
            "replays_to_its_end",
            {.stored = outcome::cancelled(), .can_undo = true},
            "undo, then cancelled"},
        settlement_case{
            "has_undone_although_asked_to_cancel",
            {.outcome = broken(),
             .asked = cancel,
             .stored = broken(),
             .can_undo = true,
             .was_undoing = true},
            "failed, invalid: broken"},
        settlement_case{
            "has_undone",
            {.outcome = broken(), .stored = broken(), .can_undo = true, .was_undoing = true},
            "failed, invalid: broken"},
        settlement_case{
            "pauses_while_it_undoes",
            {.end = run_end::asked, .asked = pause, .stored = broken(), .was_undoing = true},
            "pause"},
        settlement_case{
            "undoes_the_rest_when_the_pause_is_withdrawn",
            {.end = run_end::asked, .stored = broken(), .was_undoing = true},
            "put back"},
        settlement_case{
            "undoes_the_rest_when_cut_off",
            {.end = run_end::cut_off, .expired = true, .stored = broken(), .was_undoing = true},
            "put back"},
        // It was cut off, or ended without a word.
        settlement_case{
            "is_cancelled_where_it_waits", {.end = run_end::cut_off, .asked = cancel}, "cancelled"},
        settlement_case{
            "is_late_where_it_waits",
            {.end = run_end::cut_off, .expired = true},
            "failed, timeout: its deadline has passed"},
        settlement_case{
            "is_put_back_by_a_node_that_drains",
            {.end = run_end::cut_off, .asked = cancel, .releases = true},
            "put back"},
        settlement_case{
            "goes_on_where_its_answer_came_before_the_interruption",
            {.end = run_end::cut_off, .stopped = true},
            "put back"},
        settlement_case{
            "goes_on_where_its_answer_may_be_committed",
            {.end = run_end::cut_off,
             .asked = control_request::interrupt,
             .stopped = true,
             .answered = true},
            "put back"},
        settlement_case{"is_abandoned", {.end = run_end::cut_off}, "lease lost"},
        settlement_case{"has_lost_its_lease", {.end = run_end::lease_lost}, "lease lost"},
        settlement_case{"is_parked", {.end = run_end::parked}, "nothing"},
        // It cannot run here.
        settlement_case{
            "goes_elsewhere", {.end = run_end::not_here, .outcome = broken()}, "put back, broken"},
        settlement_case{
            "is_cancelled_where_it_cannot_run",
            {.end = run_end::not_here, .asked = cancel},
            "cancelled"},
        settlement_case{
            "is_undone_elsewhere",
            {.end = run_end::not_here, .outcome = broken(), .asked = rollback},
            "put back, broken"}
    ),
    [](auto const& row) { return row.param.name; }
);

} // namespace

} // namespace postrider::queue::settlement_test
