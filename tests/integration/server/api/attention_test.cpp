// What needs a person's attention, and the operations that settle it.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::attention_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// One of each kind that the scene has not, but a server of tools that fails.
constexpr auto troubles = R"sql(
insert into postrider.wait (job_id, lane_id, until_at, key, type, match)
    values (44, 1, postrider.now() + interval '1 h', 'approval', 'press', 'q1'), (44, 1, postrider.now() + interval '1 h', 'ask', 'press', 'q2');
insert into postrider.question (question_id, job_id, user_id, place, until_at)
    values ('q1', 44, 7, '1:5', postrider.now() + interval '1 h'), ('q2', 44, 7, '1:5', postrider.now() + interval '1 h'),
           ('over', 44, 7, '1:5', postrider.now() - interval '1 h'), ('vain', 99, 7, '1:5', postrider.now() + interval '1 h');
insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, question, call, tool, arguments, digest)
    values ('a1', 44, 1, 7, postrider.now() + interval '1 h', 'q1', 'tool:1', 'http_request', '{"url": "https://example.org"}', 'd');
update postrider.job set degraded = true, degraded_reason = 'undelivered', error_class = 'refused', error = 'blocked',
    finished_at = postrider.now() where job_id = 41;
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, error_class)
    values (41, 2, postrider.now(), postrider.now(), 3, 'reply/send', 'failed', 'refused');
insert into postrider.effect (job_id, key, kind, class, state) values (41, 'reply/send', 'telegram.send', 'at_least_once', 'failed');
insert into postrider.budget_day (day, scope, subject, calls)
    values (postrider.day_of(postrider.now()), 'user', '7', 2), (postrider.day_of(postrider.now()), 'user', '8', 1),
           (postrider.day_of(postrider.now()) - 1, 'user', '9', 2), (postrider.day_of(postrider.now()), 'chat', '5', 9);
insert into postrider.bucket (name, breaker, open_until, failed_at, reason) values
    ('provider:openai', 'open', postrider.now() + interval '1 minute', postrider.now(), 'HTTP 500'),
    ('bot:main', 'open', 'infinity', postrider.now(), 'HTTP 401'), ('model:default', 'closed', null, null, null);
update postrider.bot set stopped_at = postrider.now(), stopped_reason = 'getMe: 401';
insert into postrider.mcp_tool (server, tool, digest, definition, offered_digest, offered, offered_at)
    values ('files', 'read', 'old', '{"name": "read"}', 'new', '{"name": "read", "x": 1}', postrider.now());
)sql";

boost::json::object attention(api_world& world, std::string query = "") {
    auto const answer = world.get("/api/v1/attention" + query);
    EXPECT_EQ(answer.status, 200);
    return answer.body.as_object();
}

// "approval" → 1
std::map<std::string, std::int64_t> totals(boost::json::object const& seen) {
    std::map<std::string, std::int64_t> all;
    for (auto const& kind : seen.at("kinds").as_array())
        all[std::string(kind.at("kind").as_string())] = kind.at("total").as_int64();
    return all;
}

std::vector<boost::json::object> items_of(boost::json::object const& seen, std::string_view kind) {
    std::vector<boost::json::object> all;
    for (auto const& item : seen.at("items").as_array())
        if (item.at("kind").as_string() == kind) all.push_back(item.as_object());
    return all;
}

std::vector<std::string> actions_of(boost::json::object const& item) {
    std::vector<std::string> names;
    for (auto const& action : item.at("actions").as_array())
        names.emplace_back(action.at("name").as_string());
    return names;
}

// Does what its button does.
api_answer press(api_world& world, boost::json::object const& item, std::size_t number) {
    auto const& action = item.at("actions").at(number).as_object();
    auto const* body = action.if_contains("body");
    EXPECT_EQ(action.at("method"), "POST");
    EXPECT_TRUE(std::string(action.at("says").as_string()).ends_with('.'));
    return world.post(
        std::string(action.at("path").as_string()), body ? boost::json::serialize(*body) : ""
    );
}

// covers: X.13
TEST(api_attention, lists_each_kind_of_trouble) {
    api_world world;
    world.database.execute(troubles);

    auto const seen = attention(world);

    std::map<std::string, std::int64_t> const expected{
        {"approval", 1},
        {"question", 1},
        {"undelivered", 1},
        {"effect_in_doubt", 3},
        {"dead_letter", 1},
        {"budget", 1},
        {"breaker", 1},
        {"stopped_bot", 1},
        {"group", 0},
        {"spam_report", 0},
        {"spam_refused", 0},
        {"mcp_server", 0},
        {"mcp_change", 1}};
    for (auto const& [kind, total] : expected) {
        auto const listed = items_of(seen, kind);
        EXPECT_EQ(std::ssize(listed), total) << kind;
        EXPECT_EQ(totals(seen).at(kind), total) << kind;
    }
    EXPECT_FALSE(seen.at("total_is_estimate").as_bool());
    auto const budget = items_of(seen, "budget").at(0);
    EXPECT_EQ(budget.at("id"), "user:7");
    EXPECT_TRUE(budget.at("since").is_null());
    EXPECT_THAT(std::string(budget.at("detail").as_string()), HasSubstr("calls 2 of 2"));
    EXPECT_EQ(items_of(seen, "question").at(0).at("id"), "q2");
    EXPECT_EQ(items_of(seen, "breaker").at(0).at("id"), "provider:openai");
    EXPECT_EQ(items_of(seen, "dead_letter").at(0).at("link_to").at("job_id"), 42);
    EXPECT_THAT(
        std::string(items_of(seen, "approval").at(0).at("detail").as_string()),
        HasSubstr("example.org")
    );
}

// covers: X.13
TEST(api_attention, offers_operations_that_settle_an_item) {
    api_world world;
    world.database.execute(troubles);
    auto const seen = attention(world);

    auto const approval = items_of(seen, "approval").at(0);
    EXPECT_THAT(actions_of(approval), ElementsAre("approve", "reject"));
    EXPECT_EQ(press(world, approval, 1).status, 200);
    auto const effects = items_of(seen, "effect_in_doubt");
    for (auto const& effect : effects) {
        bool const was_done = effect.at("id") == "41/reply/2";
        EXPECT_THAT(actions_of(effect), SizeIs(was_done ? 2 : 3)) << effect;
        EXPECT_EQ(press(world, effect, 0).status, 200) << effect;
    }
    auto const letter = items_of(seen, "dead_letter").at(0);
    EXPECT_THAT(actions_of(letter), ElementsAre("retry", "restart"));
    EXPECT_EQ(press(world, letter, 0).status, 200);
    auto const answer = items_of(seen, "undelivered").at(0);
    EXPECT_EQ(answer.at("actions").at(0).at("body").at("from_step"), "reply/send");
    EXPECT_EQ(press(world, answer, 0).status, 200);
    EXPECT_EQ(press(world, items_of(seen, "question").at(0), 0).status, 200);

    world.clock.advance(5s);
    auto const left = totals(attention(world));
    for (auto const* kind :
         {"approval", "question", "undelivered", "effect_in_doubt", "dead_letter"})
        EXPECT_EQ(left.at(kind), 0) << kind;
}

// A question with two buttons that answer it, and one that shows more.
constexpr auto asked = R"sql(
insert into postrider.wait (job_id, lane_id, until_at, key, type, match)
    values (44, 1, postrider.now() + interval '1 h', 'choose', 'press', 'qqqqqqqqqqqqqqqqqqqqq');
insert into postrider.question (question_id, job_id, user_id, place, effect, until_at, choices)
    values ('qqqqqqqqqqqqqqqqqqqqq', 44, 7, '1:5', 'ask/send', postrider.now() + interval '1 h', '{":0",":1","?more"}');
insert into postrider.effect (job_id, key, kind, class, state, request) values (44, 'ask/send', 'telegram.send', 'at_least_once', 'done',
    '{"text": "Ban Eve?", "buttons": [[{"text": "Ban", "data": "qqqqqqqqqqqqqqqqqqqqq:0"}, {"text": "No", "data": "qqqqqqqqqqqqqqqqqqqqq:1"}],
      [{"text": "More", "data": "qqqqqqqqqqqqqqqqqqqqq?more"}]]}'),
    (44, 'other/send', 'telegram.send', 'at_least_once', 'done', '{"text": "Not this", "buttons": [[{"text": "No", "data": "qqqqqqqqqqqqqqqqqqqqq:1"}]]}');
)sql";

// covers: X.13
TEST(api_attention, answers_a_question_for_the_person_who_is_asked) {
    api_world world;
    world.database.execute(asked);
    auto const question = items_of(attention(world), "question").at(0);

    EXPECT_THAT(std::string(question.at("detail").as_string()), HasSubstr("Ban Eve?"));
    EXPECT_THAT(actions_of(question), ElementsAre("answer", "answer", "cancel"));
    EXPECT_EQ(question.at("actions").at(1).at("label"), "No");
    EXPECT_EQ(press(world, question, 1).status, 200);
    EXPECT_EQ(press(world, question, 0).status, 404) << "it is answered";

    auto const payload = boost::json::parse(
        world.database.value("select payload from postrider.event where type = 'press'")
    );
    EXPECT_EQ(payload.at("choice"), "1");
    EXPECT_EQ(payload.at("user"), 500) << "who chose";
    EXPECT_EQ(payload.at("chat"), 5);
    EXPECT_EQ(
        world.database.value("select actor || ' ' || subject || ' ' || job_id from postrider.audit "
                             "where kind = 'question_answer'"),
        "owner question:qqqqqqqqqqqqqqqqqqqqq 44"
    );
}

TEST(api_questions, take_no_answer_that_is_none_and_decide_no_approval) {
    api_world world;
    world.database.execute(asked);
    world.database.execute(troubles);
    auto const answer = [&](std::string id, std::string choice) {
        auto const reply =
            world.post("/api/v1/questions/" + id + "/answer", R"({"choice": ")" + choice + R"("})");
        return std::to_string(reply.status) + " " + reply.code();
    };

    EXPECT_EQ(answer("qqqqqqqqqqqqqqqqqqqqq", "2"), "409 not_open");
    EXPECT_EQ(answer("q1", "0"), "404 not_found") << "it is about an approval";
    EXPECT_EQ(answer("over", "0"), "409 not_open");
    EXPECT_EQ(world.database.value("select count(*) from postrider.event"), "0");
}

TEST(api_attention, shows_so_many_of_a_kind_and_counts_all) {
    api_world world;
    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, finished_at, state, "
        "kind, error_class) select 2000 + n, 1, 9, 0, postrider.now(), 'failed', 'turn', 'invalid' "
        "from generate_series(1, 60) n"
    );

    auto const seen = attention(world, "?kind=dead_letter&limit=3");

    EXPECT_EQ(seen.at("total"), 61);
    EXPECT_THAT(seen.at("kinds").as_array(), SizeIs(1));
    auto const letters = items_of(seen, "dead_letter");
    ASSERT_THAT(letters, SizeIs(3));
    EXPECT_EQ(letters[0].at("id"), "2060") << "newest first";
    EXPECT_THAT(items_of(attention(world, "?limit=50"), "dead_letter"), SizeIs(50));
}

TEST(api_attention, has_a_server_of_tools_that_does_not_answer) {
    api_world world;
    EXPECT_THAT(items_of(attention(world), "mcp_server"), IsEmpty()) << "nobody has asked it";
    world.ask_tool_server("absent");
    world.clock.advance(5s);

    auto const down = items_of(attention(world), "mcp_server");

    ASSERT_THAT(down, SizeIs(1));
    EXPECT_EQ(down[0].at("id"), "absent");
    EXPECT_FALSE(down[0].at("since").is_null());
}

// covers: X.13
TEST(api_attention, shows_groups_that_hide_from_their_bot) {
    api_world world;
    auto& group = world.groups_at_telegram.says.front();
    group.is_watched = true;
    group.identity = telegram::bot_identity{user_id{77}, "ferns_bot", false};

    auto const hidden = items_of(attention(world), "group");

    ASSERT_THAT(hidden, SizeIs(1));
    EXPECT_EQ(hidden[0].at("title"), "Bot main cannot do its work in Ferns");
    EXPECT_EQ(hidden[0].at("link_to").at("chat"), -100);
    EXPECT_THAT(std::string(hidden[0].at("detail").as_string()), HasSubstr("/setprivacy"));
}

// covers: X.09
TEST(api_attention, shows_what_members_reported_until_something_was_done) {
    api_world world;
    world.database.execute(
        "insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, "
        "id, content, origin, sender_id, sender_name, telegram_message_id, number_elsewhere) "
        "values "
        "(1, 41, 9, 0, -100, 'user', 'm1', 'buy now', 'person', 7, 'Eve', 5, 5); "
        "insert into postrider.spam_report (chat_id, message_id, user_id) values (-100, 5, 8), "
        "(-100, 5, 9)"
    );

    auto const reported = items_of(attention(world), "spam_report");
    world.database.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content) "
        "values (-100, 5, 7, 1, 'delete', 'buy now')"
    );
    world.clock.advance(5s);

    ASSERT_THAT(reported, SizeIs(1));
    EXPECT_EQ(reported[0].at("title"), "2 members reported a message of Eve");
    EXPECT_EQ(reported[0].at("detail"), "buy now");
    EXPECT_EQ(reported[0].at("actions").at(0).at("path"), "/api/v1/spam/members/-100/7/ban");
    EXPECT_THAT(items_of(attention(world), "spam_report"), SizeIs(0));
}

// covers: X.09
TEST(api_attention, keeps_what_members_reported_until_somebody_decides) {
    api_world world;
    world.database.execute(
        "insert into postrider.spam_report (chat_id, message_id, user_id, reported_at) values "
        "(-100, 5, 8, postrider.now() - interval '9 days'), (-100, 6, 8, postrider.now()); "
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, action, content, "
        "caught_by) values (-100, 5, 7, 1, 'dry_run', 'buy now', 'reports')"
    );
    EXPECT_THAT(items_of(attention(world), "spam_report"), SizeIs(2))
        << "enough reports are no decision";

    world.database.execute("update postrider.spam_catch set undone_at = postrider.now(), "
                           "undone_by = 'user:1'; "
                           "delete from postrider.spam_report where message_id = 6");
    world.clock.advance(5s);

    EXPECT_THAT(items_of(attention(world), "spam_report"), SizeIs(0));
}

// covers: X.09
TEST(api_attention, shows_what_telegram_refused_to_do_about_spam) {
    api_world world;
    world.database.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, name, action, "
        "content, refused) values (-100, 5, 7, 1, 'Eve', 'ban', 'buy now', 'refused: not enough "
        "rights'), (-100, 6, 7, 1, 'Eve', 'ban', 'buy now', null)"
    );

    auto const refused = items_of(attention(world), "spam_refused");

    ASSERT_THAT(refused, SizeIs(1));
    EXPECT_EQ(refused[0].at("title"), "Telegram refused to act on spam of Eve");
    EXPECT_EQ(refused[0].at("detail"), "refused: not enough rights");
    EXPECT_EQ(refused[0].at("actions").at(0).at("path"), "/api/v1/spam/members/-100/7/ban");
    EXPECT_EQ(refused[0].at("actions").at(1).at("path"), "/api/v1/spam/verdicts/-100/5/undo");
}

TEST(api_attention, is_read_once_in_five_seconds) {
    api_world world;
    EXPECT_EQ(totals(attention(world)).at("stopped_bot"), 0);
    world.database.execute("update postrider.bot set stopped_at = postrider.now()");

    EXPECT_EQ(totals(attention(world)).at("stopped_bot"), 0);
    world.clock.advance(5s);
    EXPECT_EQ(totals(attention(world)).at("stopped_bot"), 1);
}

TEST(api_attention, names_the_mistakes_of_a_query) {
    api_world world;

    for (auto const* query : {"?kind=jobs", "?limit=0", "?limit=51", "?limit=x", "?cursor=1"})
        EXPECT_EQ(world.get(std::string("/api/v1/attention") + query).code(), "invalid") << query;
}

TEST(api_attention, is_for_operators) {
    api_world world;

    EXPECT_EQ(world.ask("GET", "/api/v1/attention", "", world.make_token("user")).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/attention", "", world.make_token("reader")).status, 200);
}

} // namespace
} // namespace postrider::tests::attention_test
