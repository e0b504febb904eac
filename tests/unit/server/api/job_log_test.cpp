#include "server/api/job_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::job_log_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

queue::job_change change(
    std::int64_t id, std::string state, std::optional<std::string> before = {}, bool is_new = true
) {
    queue::job_change added;
    added.job.id = id;
    added.job.state = std::move(state);
    added.job.lane = "chat:a";
    added.job.kind = "turn";
    added.flow = "assistant";
    if (before) added.before = queue::job_standing{*before};
    added.is_new = is_new && !before;
    return added;
}

void add(job_log& log, queue::job_change added) {
    std::vector<queue::job_change> changes;
    changes.push_back(std::move(added));
    log.add(std::move(changes));
}

std::vector<std::string> states(std::vector<job_log::shared_job> const& jobs) {
    std::vector<std::string> all;
    for (auto const& each : jobs)
        all.push_back(std::to_string(each->job.id) + " " + each->job.state);
    return all;
}

queue::job_filter only(queue::job_state state) {
    queue::job_filter filter;
    filter.states = {state};
    return filter;
}

TEST(job_log, has_the_newest_state_of_each_job_in_the_order_of_changes) {
    job_log log("log");
    auto const begin = log.newest();
    add(log, change(1, "available"));
    add(log, change(2, "available"));
    auto const middle = log.newest();
    add(log, change(1, "running", "available"));

    EXPECT_THAT(states(log.behind(begin, 10)), ElementsAre("2 available", "1 running"));
    EXPECT_THAT(states(log.behind(middle, 10)), ElementsAre("1 running"));
    EXPECT_THAT(states(log.behind(begin, 1)), ElementsAre("2 available"));
    EXPECT_THAT(log.behind(log.newest(), 10), IsEmpty());
}

TEST(job_log, has_the_events_of_each_job) {
    job_log log("log");
    auto const begin = log.newest();
    add(log, change(2, "available"));

    auto const job = log.behind(begin, 1).front();

    EXPECT_THAT(job->job_event, StartsWith("event: job\ndata: {\"job_id\":2,"));
    EXPECT_THAT(job->job_event, EndsWith("}\n\n"));
    EXPECT_EQ(job->left_event, "event: job_left\ndata: {\"job_id\":2,\"state\":\"available\"}\n\n");
}

TEST(job_log, forgets_the_oldest_changes_and_says_so) {
    job_log log("log", 2);
    auto const begin = log.newest();
    add(log, change(1, "available"));
    add(log, change(1, "running", "available")); // one job, one place
    add(log, change(2, "available"));
    EXPECT_TRUE(log.reaches(begin));

    add(log, change(3, "available"));

    EXPECT_FALSE(log.reaches(begin));
    EXPECT_FALSE(log.reaches({"log", 1}));
    EXPECT_TRUE(log.reaches({"log", 2}));
    EXPECT_THAT(states(log.behind({"log", 2}, 10)), ElementsAre("2 available", "3 available"));
}

TEST(job_log, knows_no_place_of_another_log_and_none_to_come) {
    job_log log("log");
    add(log, change(1, "available"));

    EXPECT_TRUE(log.reaches({"log", 0}));
    EXPECT_TRUE(log.reaches({"log", 1}));
    EXPECT_FALSE(log.reaches({"log", 2}));
    EXPECT_FALSE(log.reaches({"other", 1}));
}

TEST(job_log, tells_which_watchers_may_have_had_a_job) {
    job_log log("log");
    add(log, change(1, "running", "available"));
    add(log, change(1, "completed", "running"));
    add(log, change(2, "completed"));
    add(log, change(3, "completed", {}, false)); // of which nothing is known
    auto const jobs = log.behind({"log", 0}, 10);
    ASSERT_EQ(jobs.size(), 3u);

    EXPECT_TRUE(jobs[0]->matches(only(queue::job_state::completed)));
    EXPECT_FALSE(jobs[0]->matches(only(queue::job_state::running)));
    EXPECT_TRUE(jobs[0]->may_have_matched(only(queue::job_state::running)));
    EXPECT_TRUE(jobs[0]->may_have_matched(only(queue::job_state::available)));
    EXPECT_FALSE(jobs[0]->may_have_matched(only(queue::job_state::failed)));
    EXPECT_FALSE(jobs[1]->may_have_matched(only(queue::job_state::running)));
    EXPECT_TRUE(jobs[2]->may_have_matched(only(queue::job_state::running)));
    auto other_kind = only(queue::job_state::running);
    other_kind.kind = "report";
    EXPECT_FALSE(jobs[2]->may_have_matched(other_kind));
}

TEST(job_log, positions_have_one_spelling) {
    EXPECT_EQ(to_text({"1f2e", 7}), "1f2e-7");
    auto const position = log_position_from("1f2e-7");
    ASSERT_TRUE(position);
    EXPECT_EQ(position->log, "1f2e");
    EXPECT_EQ(position->number, 7);
    for (auto const* text : {"", "7", "-7", "1f2e-", "1f2e-x", "1f2e-7 ", "1f2e--7"})
        EXPECT_FALSE(log_position_from(text) && log_position_from(text)->log == "1f2e") << text;
}

} // namespace
} // namespace postrider::api::job_log_test
