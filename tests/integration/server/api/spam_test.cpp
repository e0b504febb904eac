// The spam filter over the API: what it says, what it learns, what is undone, whom it knows.
// covers: X.09
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::spam_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto elephants =
    R"({"text": "purple elephants dance on the roof tonight", "kind": "spam"})";
constexpr auto ask_for_elephants = R"({"text": "purple elephants dance on the roof tonight"})";

std::vector<std::int64_t> numbers_of(
    boost::json::value const& body, std::string_view list, std::string_view member
) {
    std::vector<std::int64_t> numbers;
    for (auto const& row : body.at(list).as_array()) numbers.push_back(row.at(member).as_int64());
    return numbers;
}

bool is_elephant_spam(api_world& world) {
    return world.post("/api/v1/spam/check", ask_for_elephants).body.at("spam").as_bool();
}

TEST(api_spam, a_check_says_why_and_changes_nothing) {
    api_world world;
    auto const plain = world.post("/api/v1/spam/check", R"({"text": "see https://example.org"})");
    auto const strict = world.post(
        "/api/v1/spam/check",
        R"({"text": "see https://example.org", "set": {"links.weight": 1000, "links.limit": 1}})"
    );

    EXPECT_EQ(plain.status, 200);
    EXPECT_FALSE(plain.body.at("spam").as_bool());
    EXPECT_TRUE(strict.body.at("spam").as_bool()) << boost::json::serialize(strict.body);
    EXPECT_TRUE(strict.body.at("member").is_null());
    bool has_links = false;
    for (auto const& check : strict.body.at("checks").as_array())
        if (check.at("name").as_string() == "links") has_links = check.at("spam").as_bool();
    EXPECT_TRUE(has_links);
    EXPECT_EQ(
        world.database.value(
            "select count(*) from postrider.spam_verdict v, postrider.spam_member m"
        ),
        "0"
    );
}

TEST(api_spam, a_check_names_every_mistake) {
    api_world world;

    auto const wrong = world.post(
        "/api/v1/spam/check", R"({"text": " ", "chat": "x", "set": {"link.on": true}, "why": 1})"
    );

    EXPECT_EQ(wrong.status, 400);
    std::string const detail(wrong.body.at("detail").as_string());
    EXPECT_THAT(detail, HasSubstr("text is empty"));
    EXPECT_THAT(detail, HasSubstr("chat is not an integer"));
    EXPECT_THAT(detail, HasSubstr("links.on"));
    EXPECT_THAT(detail, HasSubstr("there is no member why"));
}

TEST(api_spam, a_check_knows_the_member_of_a_group) {
    api_world world;
    world.database.execute(
        "insert into postrider.spam_member (chat_id, user_id, messages) values (-100, 7, 4)"
    );

    auto const answer =
        world.post("/api/v1/spam/check", R"({"text": "hello", "chat": -100, "user": 7})");

    EXPECT_EQ(answer.body.at("member").at("messages").as_int64(), 4);
}

// A message of an earlier day, with the job that it started.
constexpr auto past = R"sql(
insert into postrider.lane (lane_id, lane_key, bot_id, chat_id, conversation_id)
overriding system value values (3, '1:-100:0', 1, -100, 11);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, finished_at, state, kind)
values (60, 3, 11, 0, postrider.now(), 'completed', 'turn');
insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, id, content, origin, sender_id,
                               sender_name, telegram_message_id, number_elsewhere)
values (3, 60, 11, 0, -100, 'user', 'm1', 'see https://example.org', 'person', 7, 'Eve', 5, 5);
)sql";

TEST(api_spam, a_replay_compares_rules_on_past_messages) {
    api_world world;
    world.database.execute(past);

    auto const same = world.post("/api/v1/spam/replay", R"({"since": "1d"})");
    auto const strict = world.post(
        "/api/v1/spam/replay", R"({"since": "1d", "chat": -100, "set": {"links.weight": 1000}})"
    );

    EXPECT_EQ(same.body.at("caught").as_int64(), 0);
    EXPECT_EQ(strict.body.at("judged").as_int64(), 1) << boost::json::serialize(strict.body);
    EXPECT_EQ(strict.body.at("caught").as_int64(), 1);
    EXPECT_EQ(strict.body.at("newly_caught").at(0).at("message").as_int64(), 5);
    EXPECT_TRUE(same.body.at("checks").as_array().empty());
    ASSERT_EQ(strict.body.at("checks").as_array().size(), 1u);
    EXPECT_EQ(strict.body.at("checks").at(0).at("check").as_string(), "links");
    EXPECT_EQ(strict.body.at("checks").at(0).at("more").as_int64(), 1);
    EXPECT_EQ(world.post("/api/v1/spam/replay", R"({"since": "yesterday"})").status, 400);
}

// One link is spam there.
std::string strict_flow() {
    return flow_builder("guard")
        .trigger("In", "telegram.group", {{"chats", boost::json::array{-100}}})
        .node("Check", "spam.check", {{"rules", {{"links.weight", 1000}}}})
        .text();
}

TEST(api_spam, the_rules_of_today_are_those_of_the_flow_that_watches_the_group) {
    api_world world;
    world.database.execute(past);
    ASSERT_LT(world.post("/api/v1/flows/import?publish=true", strict_flow()).status, 300);
    auto const checked = [&](std::string const& chat) {
        return world
            .post("/api/v1/spam/check", R"({"text": "see https://example.org")" + chat + "}")
            .body;
    };

    auto const here = checked(R"(, "chat": -100)");
    auto const changed = checked(R"(, "chat": -100, "set": {"links.weight": 10})");
    auto const elsewhere = checked(R"(, "chat": -200)");
    auto const nowhere = checked("");
    auto const replay = world.post(
        "/api/v1/spam/replay", R"({"since": "1d", "chat": -100, "set": {"links.weight": 10}})"
    );

    EXPECT_TRUE(here.at("spam").as_bool()) << boost::json::serialize(here);
    EXPECT_EQ(here.at("rules").at("flow"), "guard");
    EXPECT_EQ(here.at("rules").at("version"), 1);
    EXPECT_FALSE(changed.at("spam").as_bool()) << "changes are of the flow's rules";
    EXPECT_FALSE(elsewhere.at("spam").as_bool());
    EXPECT_TRUE(elsewhere.at("rules").at("flow").is_null());
    EXPECT_TRUE(nowhere.at("rules").at("flow").is_null());
    EXPECT_EQ(replay.body.at("spam_before"), 1) << boost::json::serialize(replay.body);
    EXPECT_EQ(replay.body.at("missed"), 1);
    EXPECT_EQ(replay.body.at("rules").at(0).at("chat"), -100);
    EXPECT_EQ(replay.body.at("rules").at(0).at("flow"), "guard");
}

TEST(api_spam, a_draft_changes_no_rule_of_today) {
    api_world world;
    ASSERT_LT(world.post("/api/v1/flows/import", strict_flow()).status, 300);

    auto const answer =
        world.post("/api/v1/spam/check", R"({"text": "see https://example.org", "chat": -100})");

    EXPECT_TRUE(answer.body.at("rules").at("flow").is_null());
    EXPECT_FALSE(answer.body.at("spam").as_bool());
}

TEST(api_spam, rules_are_listed_with_their_defaults) {
    api_world world;

    auto const rules = world.get("/api/v1/spam/rules").body;

    auto const& threshold = rules.at("rules").at(0);
    EXPECT_EQ(threshold.at("key").as_string(), "threshold");
    EXPECT_EQ(threshold.at("default").as_string(), "100");
    EXPECT_TRUE(threshold.at("check").is_null());
    EXPECT_EQ(rules.at("rules").at(1).at("check").as_string(), "length");
}

TEST(api_spam, a_training_is_shown_done_and_undone) {
    api_world world;
    auto const preview = world.post(
        "/api/v1/spam/samples",
        R"({"text": "purple elephants dance on the roof tonight", "kind": "spam", "preview": true})"
    );
    bool const before = is_elephant_spam(world);

    auto const trained = world.post("/api/v1/spam/samples", elephants);
    bool const after = is_elephant_spam(world);
    auto const again = world.post("/api/v1/spam/samples", elephants);
    auto const id = std::to_string(trained.body.at("id").as_int64());
    auto const withdrawn = world.ask("DELETE", "/api/v1/spam/samples/" + id);

    EXPECT_EQ(preview.status, 200);
    EXPECT_TRUE(preview.body.at("text").at("is_spam").as_bool());
    EXPECT_FALSE(before) << "a preview trains nothing";
    EXPECT_EQ(trained.status, 201);
    EXPECT_EQ(trained.body.at("trained_by").as_string(), "owner");
    EXPECT_TRUE(after);
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(again.code(), "known_sample");
    EXPECT_EQ(withdrawn.status, 204);
    EXPECT_FALSE(is_elephant_spam(world));
    EXPECT_EQ(world.ask("DELETE", "/api/v1/spam/samples/" + id).status, 404);
    EXPECT_EQ(
        world.database.value("select string_agg(kind, ',' order by number) from postrider.audit "
                             "where kind like 'spam%'"),
        "spam_train,spam_withdraw"
    );
}

TEST(api_spam, a_preview_of_a_stop_word_judges_recent_messages_again) {
    api_world world;
    world.database.execute(
        "insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, "
        "points, threshold, checks, content) "
        "values (-100, 1, 1, 7, false, 0, 100, '[]', 'the zorblax is here')"
    );

    auto const effect = world.post(
        "/api/v1/spam/samples",
        R"({"text": "zorblax", "kind": "stop_word", "chat": -100, "preview": true})"
    );

    EXPECT_EQ(effect.body.at("judged").as_int64(), 1);
    EXPECT_GT(
        effect.body.at("text").at("points_after").to_number<double>(),
        effect.body.at("text").at("points_before").to_number<double>()
    );
}

TEST(api_spam, samples_are_filtered) {
    api_world world;
    world.post("/api/v1/spam/samples", elephants);
    world.post("/api/v1/spam/samples", R"({"text": "ferns", "kind": "ham", "chat": -100})");
    world.ask("DELETE", "/api/v1/spam/samples/1");
    auto const ids = [&](std::string const& query) {
        return numbers_of(world.get("/api/v1/spam/samples" + query).body, "samples", "id");
    };

    EXPECT_THAT(ids(""), ElementsAre(2));
    EXPECT_THAT(ids("?withdrawn=true"), ElementsAre(2, 1));
    EXPECT_THAT(ids("?kind=spam&withdrawn=true"), ElementsAre(1));
    EXPECT_THAT(ids("?chat=-100"), ElementsAre(2));
    EXPECT_THAT(ids("?chat=0&withdrawn=true"), ElementsAre(1));
    EXPECT_EQ(world.get("/api/v1/spam/samples?kind=eggs").status, 400);
}

// Two messages of Eve, user 7: one was caught; and one of Bob in another group.
constexpr auto judged = R"sql(
insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, id, content, sender_id, sender_name,
                               telegram_message_id, number_elsewhere)
values (1, 41, 9, 0, -100, 'user', 'm1', 'buy now', 7, 'Eve', 5, 5);
insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, points, threshold, checks, content, judged_at)
values (-100, 5, 1, 7, true, 120, 100,
        '[{"check": "links", "score": 1, "weight": 120, "points": 120, "reason": "it has 3 links"}]', 'buy now',
        postrider.now() - interval '1 h'),
       (-100, 6, 2, 7, false, 10, 100, '[]', 'hello', postrider.now()),
       (-200, 6, 3, 8, false, 0, 100, '[]', 'hi', postrider.now() - interval '2 days');
insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, name, action, content)
values (-100, 5, 7, 1, 'Eve', 'ban', 'buy now');
insert into postrider.spam_member (chat_id, user_id, banned_at, banned_by) values (-100, 7, postrider.now(), 'filter');
)sql";

TEST(api_spam, verdicts_show_the_reason_and_what_was_done) {
    api_world world;
    world.database.execute(judged);

    auto const page = world.get("/api/v1/spam/verdicts?spam=true").body;

    auto const& verdict = page.at("verdicts").at(0);
    EXPECT_EQ(verdict.at("name").as_string(), "Eve");
    EXPECT_EQ(verdict.at("reason").as_string(), "Spam: it has 3 links");
    EXPECT_EQ(verdict.at("checks").at(0).at("name").as_string(), "links");
    EXPECT_EQ(verdict.at("catch").at("action").as_string(), "ban");
    EXPECT_TRUE(verdict.at("catch").at("undone_at").is_null());
}

TEST(api_spam, verdicts_are_filtered) {
    api_world world;
    world.database.execute(judged);
    auto const messages = [&](std::string const& query) {
        return numbers_of(world.get("/api/v1/spam/verdicts" + query).body, "verdicts", "message");
    };

    EXPECT_THAT(messages(""), ElementsAre(6, 5, 6));
    EXPECT_THAT(messages("?spam=true"), ElementsAre(5));
    EXPECT_THAT(messages("?spam=false"), ElementsAre(6, 6));
    EXPECT_THAT(messages("?chat=-100"), ElementsAre(6, 5));
    EXPECT_THAT(messages("?user=8"), ElementsAre(6));
    EXPECT_THAT(messages("?since=1d+ago"), ElementsAre(6, 5));
    EXPECT_EQ(world.get("/api/v1/spam/verdicts?spam=maybe").status, 400);
}

TEST(api_spam, an_undo_unbans_learns_and_happens_once) {
    api_world world;
    world.database.execute(judged);
    world.post("/api/v1/spam/samples", R"({"text": "buy now", "kind": "spam", "chat": -100})");

    auto const undone = world.post("/api/v1/spam/verdicts/-100/5/undo");
    auto const again = world.post("/api/v1/spam/verdicts/-100/5/undo");

    EXPECT_EQ(undone.status, 200);
    EXPECT_TRUE(undone.body.at("banned_at").is_null());
    EXPECT_EQ(undone.body.at("approved_by").as_string(), "owner");
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(again.code(), "undone");
    EXPECT_EQ(
        world.database.value(
            "select string_agg(kind || ' ' || (withdrawn_at is null), ',' order by "
            "sample_id) from postrider.spam_sample"
        ),
        "spam false,ham true"
    );
    EXPECT_EQ(
        world.database.value(
            "select string_agg(l.lane_key || ' ' || (j.input ->> 'act'), ',') from "
            "postrider.job j join postrider.lane l using (lane_id) where j.kind = "
            "'moderation_by_hand'"
        ),
        "moderation:1:-100:0 unban"
    );
    EXPECT_EQ(world.post("/api/v1/spam/verdicts/-100/99/undo").code(), "not_found");
}

TEST(api_spam, a_reaction_is_no_message_that_is_undone) {
    api_world world;
    world.database.execute(
        "insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, "
        "action, content) values (-100, 0, 7, 1, 'ban', '')"
    );
    EXPECT_EQ(world.post("/api/v1/spam/verdicts/-100/0/undo").code(), "not_found");
}

TEST(api_spam, members_are_approved_and_banned_on_a_persons_word) {
    api_world world;
    std::string const eve = "/api/v1/spam/members/-100/7";

    auto const approved = world.post(eve + "/approve");
    auto const disapproved = world.post(eve + "/disapprove");
    auto const banned = world.post(eve + "/ban");
    world.database.execute(
        "update postrider.spam_member set banned_at = postrider.now(), banned_by = 'owner'"
    );
    auto const listed = world.get("/api/v1/spam/members?chat=-100&state=banned").body;
    auto const unbanned = world.post(eve + "/unban");

    EXPECT_EQ(approved.body.at("approved_by").as_string(), "owner");
    EXPECT_TRUE(disapproved.body.at("approved_at").is_null());
    EXPECT_EQ(banned.status, 200);
    EXPECT_TRUE(banned.body.at("banned_at").is_null()) << "Telegram has not done it yet";
    EXPECT_THAT(numbers_of(listed, "members", "user"), ElementsAre(7));
    EXPECT_TRUE(unbanned.body.at("banned_at").is_null());
    EXPECT_EQ(
        world.database.value(
            "select string_agg(input ->> 'act', ',' order by job_id) from postrider.job "
            "where kind = 'moderation_by_hand'"
        ),
        "ban,unban"
    );
    EXPECT_EQ(
        world.database.value(
            "select count(*) from postrider.audit where kind = 'spam_disapprove' and "
            "actor = 'owner' and subject = 'member:-100/7'"
        ),
        "1"
    );
    EXPECT_EQ(world.post("/api/v1/spam/members/-300/7/ban").code(), "not_found");
    EXPECT_EQ(world.get("/api/v1/spam/members").status, 400);
}

TEST(api_spam, a_ban_that_is_repeated_with_its_key_is_one_job) {
    api_world world;
    auto const ban = [&] {
        return world.ask_with(
            {{"Idempotency-Key", "k1"}}, "POST", "/api/v1/spam/members/-100/7/ban"
        );
    };

    EXPECT_EQ(ban().status, 200);
    EXPECT_EQ(ban().status, 200);

    EXPECT_EQ(
        world.database.value("select count(*) from postrider.job where kind = 'moderation_by_hand'"
        ),
        "1"
    );
}

} // namespace
} // namespace postrider::tests::spam_test
