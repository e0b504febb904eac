// The question that a demo shows when it starts again.
#include "server/demo/open_question.hpp"
#include "tests/integration/server/cli/scene.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::server::open_question_test {
namespace {

using namespace std::chrono_literals;

// Job 42 of chat 5 waits for a press of the question that it has sent.
constexpr auto waiting_turn = R"sql(
update postrider.job set state = 'waiting', due_at = '2026-11-21T09:10:00Z', finished_at = null, output = null
where job_id = 42;
insert into postrider.effect (job_id, key, kind, class, state, request)
values (42, 'ask', 'telegram.send', 'at_least_once', 'done', '{"text": "Which one?"}');
insert into postrider.wait (job_id, lane_id, key, type, match, until_at)
values (42, 1, 'ask-press', 'press', 'q1', '2026-11-21T09:10:00Z');
)sql";

class open_question_of : public testing::Test {
protected:
    open_question_of() {
        database.execute(tests::one_turn);
        database.execute(waiting_turn);
    }
    ~open_question_of() override { db->close(); }

    std::string line(std::int64_t chat, std::string_view now = "2026-11-21T09:05:00Z") {
        auto const found =
            loop.run(newest_open_question(*db, chat_id{chat}, base::from_iso8601(now).value()));
        return found ? found->text + " " + answer_line(*found) : "none";
    }

    tests::loop loop;
    tests::test_database database;
    std::unique_ptr<storage::database> db =
        storage::open_database(loop.executor(), database.options());
};

TEST_F(open_question_of, its_chat_says_what_was_asked_and_until_when) {
    EXPECT_EQ(line(5), "Which one? open until 09:10 UTC: answer here");
    EXPECT_EQ(line(6), "none");
}

TEST_F(open_question_of, an_approval_names_the_command) {
    database.execute(R"sql(
insert into postrider.approval (job_id, lane_id, requester, expires_at, approval_id, question, call, tool,
                                arguments, digest)
values (42, 1, 5, '2030-01-01', 'a1', 'q1', 'tool:1', 'remove', '{}', '');
)sql");

    EXPECT_EQ(
        line(5),
        "Which one? open until 09:10 UTC: answer yes or no, here or by postrider approvals approve "
        "a1"
    );
}

TEST_F(open_question_of, one_that_is_over_or_was_not_sent_is_none) {
    EXPECT_EQ(line(5, "2026-11-21T09:10:00Z"), "none");

    database.execute("update postrider.effect set state = 'started' where key = 'ask'");
    EXPECT_EQ(line(5), "none");
}

} // namespace
} // namespace postrider::server::open_question_test
