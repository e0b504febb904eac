// What a job says in another lane's history follows the job.
#include "storage/query.hpp"
#include "storage/stores/messages.hpp"
#include "tests/integration/queue/operations_world.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::queue::messages_beside_test {
namespace {

using namespace std::chrono_literals;

class messages_beside : public testing::Test {
protected:
    messages_beside() {
        storage::batcher_options options;
        options.name = "writes";
        writes_ = storage::make_batcher(io_.executor(), world.database.options(), options);
    }
    ~messages_beside() override { writes_->close(); }

    void commit(storage::write write) {
        ASSERT_TRUE(io_.run(storage::query(*writes_, std::move(write), 5s)));
    }
    // In the lane "other", which is not the job's.
    void say(job_id job, std::int64_t position, std::string const& content) {
        storage::message_row row;
        row.lane = world.lane("other");
        row.job = job;
        row.position = position;
        row.id = content;
        row.role = "assistant";
        row.content = content;
        row.delivery = "pending";
        commit(storage::add_message_from_beside(row));
    }
    std::string said() {
        return world.value("select string_agg(concat_ws(' ', position, content, delivery), ', ' "
                           "order by position) from postrider.message");
    }

    tests::operations_world world;

private:
    tests::loop io_;
    std::unique_ptr<storage::batcher> writes_;
};

TEST_F(messages_beside, are_closed_with_their_job) {
    auto const job = world.job("running");
    auto const another = world.job(world.lane("b"), "running");
    say(job, 2, "hello");
    say(another, 4, "still to come");
    world.effect(job, "send", "at_least_once", "done");

    commit(storage::close_deliveries(world.lane("1:5:0"), job));

    EXPECT_EQ(said(), "2 hello sent, 4 still to come pending");
}

TEST_F(messages_beside, are_not_sent_once_their_job_is_cancelled) {
    auto const job = world.job("waiting");
    say(job, 2, "hello");

    EXPECT_EQ(world.operate(job, operation::cancel).code, "done");

    EXPECT_EQ(said(), "") << "nobody has read it";
}

TEST_F(messages_beside, make_room_for_what_a_restarted_job_says) {
    auto const job = world.job("completed");
    say(job, 2, "sent");
    say(job, 4, "withdrawn");
    world.execute("update postrider.message set delivery = content where content = 'sent'");

    EXPECT_EQ(world.operate(job, operation::restart).code, "done");
    say(job, 2, "anew");

    EXPECT_EQ(said(), "-1 sent sent, 2 anew pending");
}

// Its number would be that of the old one, and its text would not be seen.
TEST_F(messages_beside, are_sent_to_a_conversation_again_by_a_restarted_job) {
    auto const job = world.job("completed");
    world.execute(
        "insert into postrider.api_conversation (id, user_id, lane_id) "
        "values ('00000000-0000-4000-8000-000000000001', 7, " +
        base::to_string(world.lane("conversation")) + ")"
    );
    auto const send = [&](std::string const& text) {
        world.execute(
            "select postrider.conversation_send('00000000-0000-4000-8000-000000000001', " +
            base::to_string(job) + ", null, 'ask', '" + text + "', '" + text + "', '{}')"
        );
    };
    send("old");

    (void)world.operate(job, operation::restart);
    send("new");

    EXPECT_EQ(world.value("select string_agg(content, ' ') from postrider.message"), "new");
}

TEST_F(messages_beside, are_found_by_an_index) {
    world.execute(
        "insert into postrider.message (lane_id, job_id, conversation_id, position, role, "
        "id, content) select n, n, 1, 1, 'assistant', n, 'x' "
        "from generate_series(1, 5000) n; analyze postrider.message"
    );
    auto const plan = world.get<std::string>([](storage::transaction& tx) {
        std::string lines;
        for (auto const& row : tx.query(
                 {"plan",
                  "explain select from postrider.job_messages(jsonb_populate_record("
                  "null::postrider.job, '{\"lane_id\": 1, \"job_id\": 1}'))"},
                 {}
             ))
            lines += row.text(0) + "\n";
        return lines;
    });

    EXPECT_EQ(plan.find("Seq Scan on message"), plan.npos) << plan;
    EXPECT_NE(plan.find("message_beside"), plan.npos) << plan;
}

} // namespace
} // namespace postrider::queue::messages_beside_test
