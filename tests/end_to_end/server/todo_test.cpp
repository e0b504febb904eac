// The todo agent in the real binary: killed at every commit of a change that a person has to confirm,
// as two processes, and while its model's breaker is open.
#include "tests/end_to_end/server/todo_scene.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::todo_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::IsEmpty;

struct killed_at {
    std::string point;
    int least; // so often it is met at least, or the test proves nothing
};

class todo_killed : public testing::TestWithParam<killed_at> {};

// The n-th time, for every n, until the talk ends before the point is met so often.
// covers: S2.05 S2.07
TEST_P(todo_killed, deletes_what_was_confirmed_once_and_loses_no_message) {
    int n = 1;
    for (bool killed = true; killed; ++n) {
        ASSERT_LT(n, 30);
        SCOPED_TRACE("killed at " + GetParam().point + ", time " + std::to_string(n));
        todo_scene s{without_a_model()};
        s.product().start({{"POSTRIDER_FAULTS", GetParam().point + ":kill:" + std::to_string(n)}});
        s.keep_task("buy milk");
        s.keep_task("call Ann");

        ASSERT_TRUE(s.answers(
            "delete task 1", "Are you sure you want to delete task 1? (yes/no) → buy milk"
        ));
        EXPECT_EQ(s.tasks(), "1 buy milk, 2 call Ann") << "nobody has confirmed it";
        ASSERT_TRUE(s.answers("yes", "Deleted task: buy milk"));
        ASSERT_TRUE(s.comes_to_rest());
        killed = s.deaths() > 0;

        EXPECT_LE(s.deaths(), 1);
        EXPECT_EQ(s.tasks(), "2 call Ann");
        EXPECT_EQ(s.value("select count(*) from postrider.task_call"), "1") << "one change";
        EXPECT_EQ(s.value("select string_agg(state, ' ') from postrider.approval"), "approved");
        EXPECT_EQ(s.value("select count(*) from postrider.job where state <> 'completed'"), "0");
        s.check_oracle();
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(n - 2, GetParam().least) << "the point was met too seldom";
}

INSTANTIATE_TEST_SUITE_P(
    at,
    todo_killed,
    testing::Values(
        killed_at{"ingest.before_commit", 1},
        killed_at{"ingest.after_commit", 1},
        killed_at{"checkpoint.before_commit", 4},
        killed_at{"checkpoint.after_commit", 4},
        killed_at{"tasks.before_commit", 0},
        killed_at{"tasks.after_commit", 0},
        killed_at{"turn.before_send", 1},
        killed_at{"turn.after_send", 1}
    ),
    [](auto const& each) {
        auto name = each.param.point;
        std::ranges::replace(name, '.', '_');
        return name;
    }
);

// A request to the chat API of this process.
json::value post(product const& to, std::string const& path, json::object const& body) {
    auto const text = json::serialize(body);
    auto const response = http_exchange(
        to.port(),
        "POST /api/v1/conversations" + path +
            " HTTP/1.1\r\nHost: t\r\nConnection: close\r\nAuthorization: Bearer test-admin\r\n"
            "Content-Type: application/json\r\nContent-Length: " +
            std::to_string(text.size()) + "\r\n\r\n" + text
    );
    return response.body.empty() ? json::value() : json::parse(response.body);
}

// covers: S2.13 S2.15 S2.07
TEST(todo, two_processes_take_alternate_messages_of_one_conversation) {
    todo_scene s{{{"ANTHROPIC_API_KEY", ""}, {"POSTRIDER_ALLOWED_USERS", base::to_string(alice)}}};
    s.product().start();
    auto const neighbour = s.neighbour();
    neighbour->start();
    auto const conversation = post(s.product(), "", {{"agent", "todo"}});
    auto const messages =
        "/" + std::string(conversation.at("conversation_id").as_string()) + "/messages";
    int posts = 0;
    auto answers = [&](std::string const& text, std::string const& answer) {
        post(posts++ % 2 == 0 ? s.product() : *neighbour, messages, {{"text", text}});
        return s.comes_true(
            "select content = $$" + answer +
            "$$ from postrider.message where role = 'assistant' "
            "order by job_id desc, position desc limit 1"
        );
    };

    EXPECT_TRUE(answers("add buy milk", "Created task: buy milk"));
    EXPECT_TRUE(answers("add call Ann", "Created task: call Ann"));
    EXPECT_TRUE(answers("what's on my list?", "#1 buy milk\n#2 call Ann"));
    EXPECT_TRUE(answers("finish the second one", "Completed task: call Ann"));
    EXPECT_TRUE(
        answers("delete the milk", "Are you sure you want to delete task 1? (yes/no) → buy milk")
    );
    EXPECT_TRUE(answers("yes", "Deleted task: buy milk"));

    EXPECT_EQ(s.tasks(), "2 call Ann done");
    EXPECT_EQ(s.value("select count(distinct node_id) from postrider.step"), "2");
    EXPECT_EQ(s.value("select count(*) from postrider.task_call"), "4") << "each change once";
}

// covers: S2.02
TEST(todo, rules_answer_at_once_while_the_models_breaker_is_open) {
    todo_scene s;
    s.value("select postrider.bucket_report('provider:anthropic', 'closed_for', 1, 600000, 'down')"
    );
    s.product().start();

    EXPECT_TRUE(s.answers("add buy milk", "Created task: buy milk"));
    EXPECT_TRUE(
        s.answers("delete the milk", "Are you sure you want to delete task 1? (yes/no) → buy milk")
    );
    EXPECT_TRUE(s.answers("yes", "Deleted task: buy milk"));
    ASSERT_TRUE(s.settles()) << s.product().log();

    EXPECT_THAT(s.models.requests(), IsEmpty());
    EXPECT_EQ(s.tasks(), "");
    EXPECT_EQ(
        s.value("select distinct concat_ws(' ', key, outcome, attempt, ended_at - started_at < "
                "interval '1 s') from postrider.step where key like '%/model%'"),
        "agent/model failed 1 t"
    ) << "no model was waited for";
    s.check_oracle();
}

} // namespace
} // namespace postrider::tests::todo_test
