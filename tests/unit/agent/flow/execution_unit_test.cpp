// In how many stages an execution begins.
#include "agent/flow/start/execution_unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::execution_unit_test {
namespace {

using storage::rows;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string_view> names_of(std::vector<storage::write> const& writes) {
    std::vector<std::string_view> names;
    for (auto const& each : writes) names.push_back(each.statement->name);
    return names;
}

rows one_row(std::initializer_list<std::string> values) {
    return {storage::row({values.begin(), values.end()})};
}

rows job_row() {
    return one_row({"0", "48", "7", "9", "1", "3", "f", "f", "queue", "f"});
}

std::shared_ptr<execution_start> start_of(bool opens_conversation = false) {
    auto start = std::make_shared<execution_start>();
    start->lane.key = "lane";
    start->job.kind = "turn";
    if (opens_conversation) {
        start->command.emplace();
        start->command->job.input = boost::json::object{};
        start->command->opens_conversation = true;
        start->command->ends.emplace();
    }
    return start;
}

// Something else than an inbox row decides, and has a row that goes with the job.
class counted_unit final : public execution_unit {
public:
    using execution_unit::execution_unit;

private:
    std::vector<storage::write> follow(queue::enqueued const&) override {
        return {storage::ensure_lane({.key = "beside"})};
    }
};

TEST(execution_unit, in_a_known_lane_fits_into_one_stage) {
    ungated_unit plain(start_of(), lane_id{7});
    ASSERT_TRUE(plain.fits_one_stage());
    EXPECT_THAT(names_of(plain.only_stage()), ElementsAre("enqueue_turns"));
    EXPECT_FALSE(plain.fits_one_stage()) << "what starts again takes its stages";

    EXPECT_THAT(plain.stage(1, {job_row()}), IsEmpty());
    EXPECT_EQ(plain.job()->id, job_id{48});
    EXPECT_FALSE(plain.is_undecided());
    EXPECT_THAT(plain.stage(1, {{}}), IsEmpty());
}

TEST(execution_unit, of_which_one_stage_stored_nothing_is_undecided) {
    ungated_unit plain(start_of(), lane_id{7});
    (void)plain.only_stage();
    EXPECT_THAT(plain.stage(1, {{}}), IsEmpty());
    EXPECT_TRUE(plain.is_undecided());
    EXPECT_FALSE(plain.job());
}

TEST(execution_unit, that_something_else_decides_about_takes_its_stages) {
    EXPECT_FALSE(ungated_unit(start_of(), std::nullopt).fits_one_stage());
    EXPECT_FALSE(ungated_unit(start_of(true), lane_id{7}).fits_one_stage());
    EXPECT_FALSE(counted_unit(start_of(), lane_id{7}).fits_one_stage());
}

// The commit travels with the statement that enqueues: a lane that goes away meanwhile fails it.
TEST(execution_unit, in_a_new_lane_takes_two_stages) {
    ungated_unit fresh(start_of(), std::nullopt);
    EXPECT_THAT(names_of(fresh.stage(0, {})), ElementsAre("ensure_lanes"));
    EXPECT_FALSE(fresh.is_last(0));

    auto const second = fresh.stage(1, {one_row({"0", "7"})});
    EXPECT_THAT(names_of(second), ElementsAre("enqueue_turns"));
    EXPECT_THAT(second.front().row, testing::HasSubstr(R"("lane_must_exist":true)"));
    EXPECT_TRUE(fresh.is_last(1));
    EXPECT_THAT(fresh.stage(2, {job_row()}), IsEmpty());
    EXPECT_EQ(fresh.job()->id, job_id{48});
    EXPECT_EQ(fresh.ensured_lane(), lane_id{7});
}

TEST(execution_unit, with_rows_behind_its_job_promises_no_end_before_them) {
    counted_unit counted(start_of(), std::nullopt);
    (void)counted.stage(0, {});
    (void)counted.stage(1, {one_row({"0", "7"})});
    EXPECT_FALSE(counted.is_last(1));
    EXPECT_THAT(names_of(counted.stage(2, {job_row()})), ElementsAre("ensure_lanes"));
    EXPECT_TRUE(counted.is_last(2));

    ungated_unit opening(start_of(true), std::nullopt);
    (void)opening.stage(0, {});
    (void)opening.stage(1, {one_row({"0", "7"})});
    EXPECT_FALSE(opening.is_last(1));
}

// Its chat's lane is found, the turn ends, then its own lane has the job, and the chat's the message.
TEST(execution_unit, of_a_command_enqueues_beside_its_chat) {
    auto start = start_of(true);
    start->message.emplace();
    ungated_unit command(start, lane_id{7});
    EXPECT_TRUE(command.apart());
    EXPECT_THAT(names_of(command.stage(0, {})), ElementsAre("ensure_lanes"));
    auto const ending = command.stage(1, {one_row({"0", "7"})});
    EXPECT_THAT(names_of(ending), ElementsAre("end_turns"));
    EXPECT_THAT(ending.front().row, testing::HasSubstr(R"("lane_id":7)"));
    auto const beside = command.stage(2, {one_row({"0", "40", "f"})});
    EXPECT_THAT(names_of(beside), ElementsAre("ensure_lanes"));
    EXPECT_THAT(beside.front().row, testing::HasSubstr(R"("key":"commands:lane")"));
    auto const enqueued = command.stage(3, {one_row({"0", "8"})});
    EXPECT_THAT(names_of(enqueued), ElementsAre("enqueue_turns"));
    EXPECT_THAT(enqueued.front().row, testing::HasSubstr(R"("lane_id":8)"));
    EXPECT_THAT(
        names_of(command.stage(4, {job_row()})),
        ElementsAre("add_message_from_beside", "open_conversation")
    );
    EXPECT_TRUE(command.ended_turn());
    EXPECT_EQ(command.enqueued_job().input.at("ended"), 40);
    EXPECT_EQ(command.enqueued_job().input.at("lane"), 7);
    EXPECT_EQ(command.ensured_lane(), lane_id{7}) << "the chat's";
}

TEST(execution_unit, of_a_word_that_ends_nothing_is_the_flows) {
    auto start = start_of(true);
    start->command->needs_turn = true;
    ungated_unit word(start, lane_id{7});
    (void)word.stage(0, {});
    (void)word.stage(1, {one_row({"0", "7"})});
    rows const none{storage::row({"0", std::nullopt, "f"})};
    auto const enqueued = word.stage(2, {none});
    EXPECT_THAT(names_of(enqueued), ElementsAre("enqueue_turns"));
    EXPECT_THAT(enqueued.front().row, testing::HasSubstr(R"("lane_id":7)"));
    EXPECT_THAT(word.stage(3, {job_row()}), IsEmpty());
    EXPECT_FALSE(word.ended_turn());
    EXPECT_EQ(&word.enqueued_job(), &start->job);
}

// A lane that is known from before may have gone: nothing is promised before that is seen.
TEST(execution_unit, whose_known_lane_is_gone_fails_before_its_commit) {
    ungated_unit known(start_of(), lane_id{7});
    EXPECT_THAT(names_of(known.stage(0, {})), ElementsAre("enqueue_turns"));
    EXPECT_FALSE(known.is_last(0));
    EXPECT_THROW(known.stage(1, {{}}), lane_is_gone);
    EXPECT_TRUE(known.lane_was_gone());
}

} // namespace
} // namespace postrider::agent::flow::execution_unit_test
