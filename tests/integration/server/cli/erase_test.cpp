// One person's words are gone from everywhere, and nobody else's.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"
#include "tests/support/word_places.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli::erase_test {
namespace {

using testing::HasSubstr;

// Person 7 has said "sesame" in a private chat, in a group, and over the chat API; person 8 has said
// "innocent" in the group.
constexpr auto said_everywhere = R"sql(
insert into postrider.bot (name) values ('main');
insert into postrider.lane (lane_key, bot_id, chat_id) values ('1:7:0', 1, 7), ('1:-5:0', 1, -5), ('chat:x', null, null);
insert into postrider.api_conversation (lane_id, user_id, id) values (3, 7, '00000000-0000-0000-0000-000000000001');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, error_class, error, input, output)
values (41, 1, 9, 1, 'completed', 'turn', 1, now(), now(), null, null, '{"flow": "f", "version": 1, "user": 7, "chat": 7, "data": "sesame"}', '{"a": "sesame"}'),
       (42, 2, 9, 1, 'failed', 'turn', 1, now(), now(), 'invalid', 'no sesame', '{"flow": "f", "version": 1, "user": 7, "chat": -5}', null),
       (43, 2, 9, 1, 'completed', 'turn', 1, now(), now(), null, null, '{"flow": "f", "version": 1, "user": 8, "chat": -5}', '{"a": "innocent"}'),
       (44, 1, 9, 1, 'available', 'turn', 0, null, null, null, null, '{"flow": "f", "version": 1, "user": 7, "data": "sesame"}', null),
       (45, 3, 9, 1, 'completed', 'turn', 1, now(), now(), null, null, '{"flow": "f", "version": 1, "user": 7}', '"sesame"');
update postrider.lane_run set ready_at = now(), arrivals = 1, head = 44 where lane_id = 1;
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result, error_class, error)
values (41, 0, now(), now(), 1, 'ask/model', 'done', '"sesame"', null, null), (42, 0, now(), now(), 1, 'ask/model', 'failed', null, 'invalid', 'sesame'),
       (43, 0, now(), now(), 1, 'ask/model', 'done', '"innocent"', null, null);
insert into postrider.effect (job_id, key, kind, class, state, request, result)
values (41, 'out', 'telegram.send', 'at_least_once', 'done', '{"text": "sesame"}', '"sesame"');
insert into postrider.event (lane_id, job_id, type, payload) values (1, 41, 'press', '"sesame"');
insert into postrider.seen_item (job_id, flow, node, claim, digest)
values (41, 'f', 'new', 'sesame', sha256('1')), (43, 'f', 'new', 'innocent', sha256('2'));
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, sender_id, content)
values (1, 41, 9, 0, 'user', 'a', 7, 'sesame'), (1, 41, 9, 2, 'assistant', 'b', null, 'sesame'), (1, 44, 9, 0, 'user', 'c', 7, 'sesame'),
       (2, 42, 9, 0, 'user', 'd', 7, 'sesame'), (2, 42, 9, 2, 'tool', 'e', null, 'sesame'), (2, 43, 9, 0, 'user', 'f', 8, 'innocent'),
       (2, 99, 9, 0, 'user', 'g', 7, 'sesame'), (3, 45, 9, 0, 'user', 'h', 7, 'sesame');
insert into postrider.session_message (session, job_id, position, role, content)
values ('s', 41, 0, 'user', 'sesame'), ('s', 43, 0, 'user', 'innocent'), ('s', 12, 0, 'user', 'somebody''s');
insert into postrider.task_owner (user_id) values (7);
insert into postrider.task (user_id, task_id, title) values (7, 1, 'sesame'), (8, 1, 'innocent');
insert into postrider.task_call (user_id, call_key, digest, result) values (7, 'k', 'd', '{"title": "sesame"}');
insert into postrider.mcp_session (user_id, session_id, revision) values (7, 'sesame', 'r');
insert into postrider.schedule (name, kind, input, at) values ('reminder:a', 'reminder', '{"user": 7, "text": "sesame"}', '2100-01-01');
insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, decided_at, state, question, call, tool, arguments, digest)
values ('a1', 41, 1, 7, now(), now(), 'expired', 'q', 'tool:1', 'http_request', '{"url": "sesame"}', 'd');
insert into postrider.person (user_id, timezone, changed_at) values (7, 'sesame', now()), (8, 'innocent', now());
insert into postrider.question (question_id, job_id, user_id, place, until_at) values ('sesame', 41, 7, '1:7', now());
insert into postrider.request_key (scope, key, digest, job_id)
values ('POST /api/v1/conversations/00000000-0000-0000-0000-000000000001/messages', 'sesame', 'd', 45),
       ('POST /api/v1/conversations/00000000-0000-0000-0000-000000000002/messages', 'innocent', 'd', 43);
insert into postrider.stranger (bot_id, user_id, chat_id, name) values (1, 7, -9, 'sesame');
insert into postrider.inbox (bot_id, update_id, disposition, reason, raw)
values (1, 1, 'rejected', 'too_deep', '{"message": {"from": {"id": 7}, "text": "sesame"}}'), (1, 2, 'rejected', 'too_deep', '{"from": {"id": 77}}');
insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, made_by)
values (7, 0, 1, 'note', 'sesame', '', 'sesame', 'a'), (0, -5, 1, 'summary', 'They spoke of sesame.', '', 'sesame', 'b'),
       (8, 0, 1, 'note', 'innocent', '', 'innocent', 'c'), (7, 0, 2, 'note', 'sesame', '', 'sesame', 'd');
insert into postrider.memory_source (memory_id, lane_id, job_id, position, user_id) values (2, 2, 77, 0, 7), (2, 2, 78, 0, 8), (3, 2, 43, 0, 8);
insert into postrider.token (user_id, role, name, sha256) values (7, 'user', 'sesame', sha256('x'));
select postrider.audit_append(1, 'model_call', 41, 'ask/model', '{}', 'user:7');
select postrider.audit_append(2, 'model_call', 43, 'ask/model', '{}', 'user:8');
insert into postrider.audit_content (lane_id, number, created_at, content)
select lane_id, number, now(), case actor when 'user:7' then 'sesame' else 'innocent' end from postrider.audit where kind = 'model_call';
)sql";

class erase_command : public testing::Test {
protected:
    erase_command() {
        database.execute(said_everywhere);
        database.execute(tests::word_places);
    }

    struct outcome {
        int code;
        std::string out;
        std::string err;
    };

    outcome run_with(std::vector<std::string> const& args) {
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }
    std::string places_of(std::string const& word) const {
        return database.value("select public.places_of('" + word + "')");
    }

    tests::test_database database;
};

// covers: X.19
TEST_F(erase_command, clears_a_persons_words_from_every_table_and_nobody_elses) {
    auto const innocent = places_of("innocent");
    ASSERT_THAT(places_of("sesame"), HasSubstr("message=7"));

    auto const erased = run_with({"erase", "--user", "7", "--yes"});
    auto const again = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(places_of("innocent"), innocent);
    EXPECT_THAT(erased.out, HasSubstr("message"));
    EXPECT_THAT(erased.err, HasSubstr("1 messages in named sessions"));
    EXPECT_EQ(again.code, 0);
    EXPECT_THAT(again.err, HasSubstr("Nothing of this person is there."));
    EXPECT_EQ(database.value("select state from postrider.job where job_id = 44"), "cancelled");
    EXPECT_EQ(database.value("select input ->> 'flow' from postrider.job where job_id = 41"), "f");
    EXPECT_EQ(database.value("select revoked_at is not null from postrider.token"), "t");
    EXPECT_EQ(
        database.value("select string_agg(kind, ', ' order by kind) from postrider.audit "
                       "where subject = 'token:1' or subject = 'schedule:reminder:a'"),
        "schedule_remove, token_create, token_revoke"
    );
    EXPECT_EQ(
        database.value("select string_agg(update_id::text, ' ') from postrider.inbox "
                       "where raw is not null"),
        "2"
    );
}

// covers: X.19
TEST_F(erase_command, clears_what_others_quoted_and_forwarded_of_the_person) {
    database.execute(R"sql(
update postrider.message
set author = '{"username": "innocent", "reply_user": 7, "quote": "sesame",
               "forward": {"kind": "user", "id": 7, "name": "sesame"}}',
    content = 'sesame, which is forwarded', earlier = '[{"content": "sesame"}]',
    detail = '{"documents": [{"name": "sesame", "text": "sesame"}]}'
where job_id = 43;
update postrider.job
set input = input || '{"forwarded": {"user": 7, "name": "sesame"}, "file": {"source": "1", "name": "sesame"}}'
where job_id = 43;
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (43, 1, now(), now(), 1, 'ask/documents', 'done', '[{"name": "sesame", "text": "sesame"}]');
)sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(
        database.value("select author::text from postrider.message where job_id = 43"),
        R"({"username": "innocent", "reply_user": 7})"
    );
    EXPECT_EQ(database.value("select content from postrider.message where job_id = 43"), "");
}

// Somebody else's turn is the last one that it covers.
// covers: X.19
TEST_F(erase_command, deletes_summaries_of_sessions_that_cover_what_the_person_said) {
    database.execute(R"sql(
insert into postrider.session_message (session, job_id, position, role, content)
values ('s', 43, 9, 'system', 'They spoke of sesame.'), ('u', 43, 9, 'system', 'A summary that stays.'))sql"
    );

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(
        database.value("select content from postrider.session_message where role = 'system'"),
        "A summary that stays."
    );
}

// covers: X.19
TEST_F(erase_command, clears_what_a_job_that_read_the_persons_chat_asked_a_model) {
    database.execute(R"sql(
insert into postrider.lane (lane_key) values ('memory:1');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, input)
values (46, 4, 9, 1, 'completed', 'memory.extract', 1, now(), now(), '{"memory_lane": 1, "bot": 1, "user": 7, "flow": "f"}');
select postrider.audit_append(4, 'model_call', 46, 'extract:1', '{}', 'flow:f');
insert into postrider.audit_content (lane_id, number, created_at, content)
select lane_id, number, now(), 'sesame' from postrider.audit where lane_id = 4)sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
}

// covers: X.19
TEST_F(erase_command, clears_what_a_job_read_in_a_group_whose_messages_are_deleted_already) {
    database.execute(R"sql(
insert into postrider.lane (lane_key) values ('memory:2');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, input)
values (47, 4, 9, 1, 'completed', 'memory.extract', 1, now(), now(), '{"memory_lane": 2, "bot": 1, "chat": -5, "flow": "f"}');
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (47, 0, now(), now(), 1, 'extract:1', 'done', '"sesame"');
delete from postrider.message where lane_id = 2 and sender_id = 7)sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
}

// covers: X.19
TEST_F(erase_command, clears_what_a_job_made_of_a_session_and_what_it_asked) {
    database.execute(R"sql(
insert into postrider.lane (lane_key) values ('summary:s'), ('summary:other');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, finished_at, input)
values (46, 4, 9, 1, 'completed', 'memory.summary', 1, now(), now(), '{"session": "s", "flow": "f"}'),
       (47, 5, 9, 1, 'completed', 'memory.summary', 1, now(), now(), '{"session": "other", "flow": "f", "user": 7}'),
       (48, 5, 9, 1, 'completed', 'memory.summary', 1, now(), now(), '{"session": "other", "flow": "f", "user": 8}');
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (46, 0, now(), now(), 1, 'summarise', 'done', '{"text": "They spoke of sesame."}'),
       (47, 0, now(), now(), 1, 'summarise', 'done', '{"text": "They spoke of sesame."}'),
       (48, 0, now(), now(), 1, 'summarise', 'done', '{"text": "an innocent summary"}');
select postrider.audit_append(4, 'model_call', 46, 'summarise', '{}', 'flow:f');
select postrider.audit_append(5, 'model_call', 47, 'summarise', '{}', 'flow:f');
insert into postrider.audit_content (lane_id, number, created_at, content)
select lane_id, number, now(), 'sesame' from postrider.audit where lane_id in (4, 5))sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(places_of("an innocent summary"), "step=1");
}

// The agent recalled, in somebody else's turn, what the person had said in the group.
// covers: X.19
TEST_F(erase_command, clears_what_turns_of_others_recalled_of_the_person) {
    database.execute(R"sql(
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (43, 1, now(), now(), 1, 'ask/recall-long-term', 'done', '{"memories": [{"id": 2, "text": "sesame", "said_by": [7, 8]}]}'),
       (43, 2, now(), now(), 1, 'ask/tool:1', 'done', '{"text": "{\"memories\":[{\"text\":\"sesame\",\"said_by\":[7]}]}"}'),
       (43, 3, now(), now(), 1, 'ask/tool:2', 'done', '{"text": "{\"memories\":[{\"text\":\"innocent too\",\"said_by\":[77]}]}"}'),
       (43, 4, now(), now(), 1, 'memory', 'done', '{"text": "- sesame", "said_by": [8, 7]}');
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
values (2, 43, 9, 3, 'tool', 'y', '{"memories":[{"text":"sesame","said_by":[8,7]}]}');
insert into postrider.session_message (session, job_id, position, role, content)
values ('s', 43, 3, 'tool', '{"memories":[{"text":"sesame","said_by":[7]}]}');
update postrider.audit_content set content = 'innocent, and the recalled sesame' where content = 'innocent')sql"
    );

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(places_of("innocent too"), "step=1");
}

// A Redis is reached by the server alone: a job of it removes what the person's turns have put there.
// covers: X.19
TEST_F(erase_command, leaves_a_job_for_each_session_outside_the_database) {
    database.execute(R"sql(
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result)
values (41, 1, now(), now(), 1, 'ask/remember', 'done', '{"session": {"host": "redis", "key": "postrider:f:s"}}'),
       (42, 1, now(), now(), 1, 'ask/remember#2', 'done', '{"session": {"host": "redis", "key": "postrider:f:s"}}'),
       (43, 1, now(), now(), 1, 'ask/remember', 'done', '{"session": {"host": "redis", "key": "postrider:f:s"}}'))sql"
    );

    auto const erased = run_with({"erase", "--user", "7", "--yes"});
    run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_THAT(erased.out, HasSubstr("redis_session"));
    EXPECT_EQ(
        database.value("select string_agg(l.lane_key || ' ' || (j.input ->> 'erase'), ';') from "
                       "postrider.job j join postrider.lane l using (lane_id) "
                       "where j.kind = 'memory.write'"),
        "memory:postrider:f:s [41, 42]"
    );
}

// A flow that watches the group got them in its item.
// covers: X.19
TEST_F(erase_command, clears_what_a_watched_group_saw_of_the_person) {
    database.execute(R"sql(
update postrider.job
set state = 'completed', finished_at = coalesce(finished_at, now()), error_class = null, error = null,
    input = input || '{"seen": {"event": "message", "sender": {"user": 8},
                                "reply": {"message": 3, "user": 7, "text": "sesame"}}}'
where job_id = 43)sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(database.value("select input ? 'seen' from postrider.job where job_id = 43"), "f");
}

// In a group another person's turn may answer both; what it says repeats the words of either.
// covers: X.19
TEST_F(erase_command, clears_the_answer_to_several_people_and_keeps_what_the_others_said) {
    database.execute(R"sql(
update postrider.job set state = 'completed', error_class = null, error = null, output = '{"coalesced_into": 43}' where job_id = 42;
update postrider.job set output = '"sesame and innocent"' where job_id = 43;
update postrider.step set result = '"sesame and innocent"' where job_id = 43;
insert into postrider.effect (job_id, key, kind, class, state, request) values (43, 'out', 'telegram.send', 'at_least_once', 'done', '"sesame"');
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
values (2, 43, 9, 2, 'assistant', 'z', 'sesame and innocent'))sql");

    auto const erased = run_with({"erase", "--user", "7", "--yes", "--json"});

    EXPECT_EQ(erased.code, 0) << erased.err;
    EXPECT_EQ(places_of("sesame"), "");
    EXPECT_EQ(
        database.value("select string_agg(content, ' ') from postrider.message where job_id = 43"),
        "innocent"
    );
    EXPECT_EQ(boost::json::parse(erased.out).at("quoted").as_int64(), 1)
        << "the model's question of the other's turn";
}

// covers: X.15 X.19
TEST_F(erase_command, leaves_the_chains_valid_and_is_itself_in_the_audit) {
    run_with({"erase", "--user", "7", "--yes"});

    auto const verified = run_with({"audit", "verify"});

    EXPECT_EQ(verified.code, 0) << verified.err;
    EXPECT_EQ(database.value("select subject from postrider.audit where kind = 'erase'"), "user:7");
}

TEST_F(erase_command, leaves_a_turn_that_a_worker_has_and_says_so) {
    database.execute("update postrider.job set state = 'running', run_no = 1, started_at = now() "
                     "where job_id = 44");
    database.execute("update postrider.lane_run set node_id = 5, epoch = 5 where lane_id = 1");

    auto const erased = run_with({"erase", "--user", "7", "--yes", "--json"});

    EXPECT_EQ(erased.code, 1);
    EXPECT_EQ(boost::json::parse(erased.out).at("running").as_int64(), 1);
    EXPECT_THAT(erased.err, HasSubstr("1 turn is running and was asked to stop"));
    EXPECT_EQ(database.value("select asked from postrider.job where job_id = 44"), "cancel");
    EXPECT_EQ(database.value("select count(*) from postrider.message where job_id = 44"), "1");
}

TEST_F(erase_command, does_not_say_that_nothing_is_there_while_a_turn_is_running) {
    run_with({"erase", "--user", "7", "--yes"});
    database.execute("update postrider.job set state = 'running', run_no = 1, started_at = now(), "
                     "finished_at = null where job_id = 44");
    database.execute("update postrider.lane_run set node_id = 5, epoch = 6, arrivals = 1, "
                     "head = 44, ready_at = now() where lane_id = 1");

    auto const again = run_with({"erase", "--user", "7", "--yes"});

    EXPECT_EQ(again.code, 1);
    EXPECT_THAT(again.err, HasSubstr("1 turn is running and was asked to stop"));
    EXPECT_THAT(again.err, testing::Not(HasSubstr("Nothing of this person is there.")));
}

} // namespace
} // namespace postrider::cli::erase_test
