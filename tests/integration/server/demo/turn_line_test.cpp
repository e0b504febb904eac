// The line that a demo shows below an answer.
#include "server/demo/turn_line.hpp"
#include "tests/integration/server/cli/scene.hpp"
#include "tests/support/loop.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::server::turn_line_test {
namespace {

class newest_turn : public testing::Test {
protected:
    newest_turn() { database.execute(tests::one_turn); }
    ~newest_turn() override { db->close(); }

    std::string line_of(std::int64_t chat) {
        return loop.run(newest_turn_line(*db, chat_id{chat}));
    }

    tests::loop loop;
    tests::test_database database;
    std::unique_ptr<storage::database> db =
        storage::open_database(loop.executor(), database.options());
};

TEST_F(newest_turn, is_that_of_its_chat) {
    EXPECT_EQ(line_of(5), "failed · 1s — postrider jobs show 43");
    EXPECT_EQ(line_of(6), "");
}

// covers: X.16
TEST_F(newest_turn, tells_tools_and_rules_and_stands_for_the_answer_to_its_question) {
    database.execute(R"sql(
update postrider.job set output = '{"nodes": {"Agent": {"iterations": 2, "tools_used": ["get_todo_task",
    "delete_todo_task"], "answered_by": "rules"}, "Reply": {"delivery": "sent"}}}'
where job_id = 42;
update postrider.job set state = 'completed', error_class = null, error = null, output = '{"routed_to": 42}'
where job_id = 43;
)sql");

    EXPECT_EQ(line_of(5), "get_todo_task · delete_todo_task · rules · 3s — postrider jobs show 42");
}

TEST(turn_line, names_the_model_where_no_rules_answered) {
    queue::job_details turn;
    turn.job.id = 4;
    turn.job.state = "completed";
    turn.job.took = std::chrono::milliseconds{58};
    turn.output =
        boost::json::parse(R"({"nodes": {"Agent": {"iterations": 1, "tools_used": []}}})");

    EXPECT_EQ(turn_line(turn), "model · 58ms — postrider jobs show 4");
}

} // namespace
} // namespace postrider::server::turn_line_test
