// A lane whose messages are deleted on request.
#include "tests/integration/queue/operations_world.hpp"

#include <gtest/gtest.h>

namespace postrider::queue::forgotten_lane_test {
namespace {

class forgotten_lane : public testing::Test {
protected:
    void messages(job_id job, int count) {
        world.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, "
            "content) select lane_id, job_id, 1, n, 'user', n, 'hi' from postrider.job, "
            "generate_series(1, " +
            std::to_string(count) + ") n where job_id = " + base::to_string(job)
        );
    }
    // Its state, code and detail; at most so many at a time.
    std::string forget(int most) {
        return world.value(
            "select concat_ws(', ', state, code, detail) from postrider.lane_forget('1:5:0', " +
            std::to_string(most) + ")"
        );
    }
    std::string left() {
        return world.value("select count(*) || ' from ' || min(job_id) || '/' || min(position) "
                           "from postrider.message");
    }

    tests::operations_world world;
};

TEST_F(forgotten_lane, loses_a_bounded_number_of_messages_at_a_time) {
    auto const over = world.job("completed");
    auto const live = world.job("waiting");
    messages(over, 3);
    messages(live, 2);

    EXPECT_EQ(forget(2), "forgetting, asked, 2 messages deleted; there may be more");
    EXPECT_EQ(left(), "3 from " + base::to_string(over) + "/1") << "the oldest go first";
    EXPECT_EQ(forget(2), "forgotten, done, 1 message deleted");
    EXPECT_EQ(left(), "2 from " + base::to_string(live) + "/1") << "its turn reads them again";
    EXPECT_EQ(forget(2), "forgotten, unchanged, it had no messages");
    EXPECT_EQ(
        world.value("select string_agg(detail ->> 'messages', ' ' order by number) from "
                    "postrider.audit where kind = 'lane_forget'"),
        "2 1"
    );
}

TEST_F(forgotten_lane, is_forgotten_whole_by_whoever_goes_on) {
    auto const job = world.job("completed");
    messages(job, 5001);
    auto const forget = [this] {
        return world
            .get<operation_result>([](storage::transaction& tx) { return forget_lane(tx, "1:5:0"); }
            )
            .state;
    };

    EXPECT_EQ(forget(), forgetting);
    EXPECT_EQ(forget(), "forgotten");
}

} // namespace
} // namespace postrider::queue::forgotten_lane_test
