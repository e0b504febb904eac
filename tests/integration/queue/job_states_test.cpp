// Rows of job that say what their state does not allow are refused (docs/states.md).
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace postrider::tests::job_states_test {
namespace {

// Tries an insert: which constraint refuses it (SQLSTATE 23514), or "" when the row is taken.
constexpr auto refusal_function = R"(
create function public.refusal(attempt text) returns text language plpgsql as $$
declare
    name text;
begin
    execute attempt;
    delete from postrider.job;
    return '';
exception when check_violation then
    get stacked diagnostics name = constraint_name;
    return name;
end $$
)";

class job_states : public testing::Test {
protected:
    job_states() { database_.execute(refusal_function); }

    // More columns of a job in that state, and their values.
    std::string refusal(
        std::string_view state, std::string_view columns = "", std::string_view values = ""
    ) const {
        return database_.value(fmt::format(
            "select public.refusal($try$insert into postrider.job "
            "(job_id, lane_id, conversation_id, kind, state{}{}) "
            "values (1, 1, 1, 'turn', '{}'{}{})$try$)",
            columns.empty() ? "" : ", ",
            columns,
            state,
            columns.empty() ? "" : ", ",
            values
        ));
    }

private:
    test_database database_;
};

struct job_row {
    std::string_view state, columns, values;
};

TEST_F(job_states, take_rows_that_are_as_their_state_says) {
    for (auto const& row : std::initializer_list<job_row>{
             {"available", "arrival", "1"},
             {"scheduled", "arrival, due_at", "0, now()"},
             {"running", "arrival, run_no, started_at", "1, 1, now()"},
             {"waiting", "arrival, run_no, started_at, due_at", "1, 1, now(), 'infinity'"},
             {"retryable", "arrival, run_no, started_at, due_at", "1, 1, now(), now()"},
             {"completed", "arrival, finished_at", "1, now()"},
             {"completed", "arrival, finished_at, degraded, error_class", "1, now(), true, 'lost'"},
             {"failed", "arrival, finished_at, error_class", "1, now(), 'lost'"},
             {"cancelled", "arrival, finished_at", "1, now()"},
             {"paused", "arrival, paused_at", "1, now()"},
             {"paused", "arrival, paused_at, paused_state", "1, now(), 'waiting'"},
         })
        EXPECT_EQ(refusal(row.state, row.columns, row.values), "")
            << row.state << ": " << row.columns;
}

struct illegal_row : job_row {
    std::string_view constraint;
};

// covers: E.11
TEST_F(job_states, refuse_rows_that_are_not) {
    auto const is_over = "job_finished_when_over";
    auto const outside = "job_scheduled_is_outside_its_lane";
    auto const time = "job_parked_has_a_time";
    auto const counted = "job_parked_was_counted";
    auto const ran = "job_running_was_counted";
    auto const since = "job_paused_says_since_when";
    auto const before = "job_paused_state_is_of_a_paused_job";
    for (auto const& row : std::initializer_list<illegal_row>{
             {{"dreaming", "arrival", "1"}, "job_state_check"},
             {{"available", "arrival, finished_at", "1, now()"}, is_over},
             {{"available", "arrival, paused_at", "1, now()"}, since},
             {{"available", "arrival, paused_state", "1, 'waiting'"}, before},
             {{"scheduled", "arrival", "0"}, outside},
             {{"scheduled", "arrival, due_at", "1, now()"}, outside},
             {{"scheduled", "arrival, due_at, run_no", "0, now(), 1"}, outside},
             {{"running", "arrival, started_at", "1, now()"}, ran},
             {{"running", "arrival, run_no", "1, 1"}, ran},
             {{"waiting", "arrival, run_no, started_at", "1, 1, now()"}, time},
             {{"waiting", "arrival, started_at, due_at", "1, now(), now()"}, counted},
             {{"waiting", "arrival, run_no, due_at", "1, 1, now()"}, counted},
             {{"retryable", "arrival, run_no, started_at", "1, 1, now()"}, time},
             {{"retryable", "arrival, started_at, due_at", "1, now(), now()"}, counted},
             {{"retryable", "arrival, run_no, due_at", "1, 1, now()"}, counted},
             {{"completed", "arrival", "1"}, is_over},
             {{"completed", "arrival, finished_at, degraded", "1, now(), true"},
              "job_degraded_says_why"},
             {{"failed", "arrival, error_class", "1, 'lost'"}, is_over},
             {{"failed", "arrival, finished_at", "1, now()"}, "job_failed_says_why"},
             {{"cancelled", "arrival", "1"}, is_over},
             {{"cancelled", "arrival, finished_at, paused_at", "1, now(), now()"}, since},
             {{"paused", "arrival", "1"}, since},
             {{"paused", "arrival, paused_at, paused_state", "1, now(), 'running'"}, before},
             {{"paused", "arrival, paused_at, paused_state", "1, now(), 'completed'"}, before},
         })
        EXPECT_EQ(refusal(row.state, row.columns, row.values), row.constraint)
            << row.state << ": " << row.columns << " = " << row.values;
}

} // namespace
} // namespace postrider::tests::job_states_test
