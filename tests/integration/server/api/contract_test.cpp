// The API's description against what the server does.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::contract_test {
namespace {

using testing::Contains;
using testing::IsEmpty;

std::set<std::string> described(boost::json::value const& document) {
    std::set<std::string> all;
    for (auto const& path : document.at("paths").as_object())
        for (auto const& operation : path.value().as_object()) {
            std::string name(operation.key());
            for (auto& c : name) c = static_cast<char>(std::toupper(c));
            all.insert(name + " " + std::string(path.key()));
        }
    return all;
}

void exercise_flows(api_world& world) {
    auto const greeter = manual_flow("greeter");
    world.get("/api/v1/node-types");
    world.get("/api/v1/expressions/functions");
    world.get("/api/v1/options/timezone?search=Berlin");
    world.get("/api/v1/options/nothing");
    world.post("/api/v1/flows/validate", greeter);
    auto const creation = world.post("/api/v1/flows", greeter);
    world.post("/api/v1/flows/import?publish=true", greeter);
    auto const workflow = R"({"name": "By n8n", "connections": {}, "nodes": [{"name": "Start",
        "type": "n8n-nodes-base.manualTrigger", "position": [0, 0], "parameters": {}}]})";
    world.post("/api/v1/flows/import-n8n?preview=true", workflow);
    world.post("/api/v1/flows/import-n8n", workflow);
    world.post("/api/v1/flows/import-n8n", "{}");
    world.get("/api/v1/flows");
    world.get("/api/v1/flow-templates");
    world.post("/api/v1/flows?template=approval", R"({"name": "approved"})");
    auto const tag = creation.headers.find("ETag");
    world.ask_matching("PUT", "/api/v1/flows/greeter", greeter, tag);
    world.get("/api/v1/flows/greeter");
    world.get("/api/v1/flows/greeter/export");
    world.post("/api/v1/flows/greeter/publish", R"({"note": "x"})");
    world.get("/api/v1/flows/greeter/versions");
    world.get("/api/v1/flows/greeter/versions/1");
    world.get("/api/v1/flows/greeter/diff");
    world.post("/api/v1/flows/greeter/versions/1/restore");
    world.post("/api/v1/flows/greeter/run", R"({"data": {"x": [1]}})");
    world.post("/api/v1/expressions/preview", R"({"expression": "1 + 1"})");
    world.post("/api/v1/flows/greeter/archive");
    world.post("/api/v1/flows/greeter/unarchive", "{}");
    world.post("/api/v1/flows", R"({"format": 1, "name": "draft", "nodes": []})");
    world.ask("DELETE", "/api/v1/flows/draft");
}

// A question that the first turn asks.
void press_in(api_world& world, std::string const& conversation) {
    auto const turn =
        "(select min(job_id) from postrider.message where role = 'user' and lane_id = "
        "(select lane_id from postrider.lane where lane_key = 'chat:" +
        conversation + "'))";
    std::string const data = "aaaaaaaaaaaaaaaaaaaaa:yes";
    world.database.execute(
        "select postrider.conversation_send('" + conversation + "', " + turn +
        ", null, 'ask', 'm1', 'Sure?', '{\"buttons\": [[{\"text\": \"Yes\", \"data\": \"" + data +
        "\"}]]}')"
    );
    world.database.execute(
        "insert into postrider.question (question_id, job_id, place, until_at) "
        "values ('aaaaaaaaaaaaaaaaaaaaa', " +
        turn + ", 'chat:" + conversation + "', now() + interval '1 h')"
    );
    auto const presses = "/api/v1/conversations/" + conversation + "/presses";
    auto const press = R"({"message": "m1", "data": ")" + data + R"("})";
    world.get("/api/v1/conversations/" + conversation + "/messages");
    world.post(presses, press);
    world.post(presses, press);
}

void exercise_conversations(api_world& world) {
    world.post(
        "/api/v1/flows/import?publish=true", flow_builder("chatty").trigger("In", "chat").text()
    );
    world.look_at_flows();
    auto const begun = world.post("/api/v1/conversations", R"({"agent": "chatty"})");
    std::string const id(begun.body.at("conversation_id").as_string());
    auto const messages = "/api/v1/conversations/" + id + "/messages";
    world.post(messages, R"({"text": "hi"})");
    world.post(messages + "?wait=0", R"({"text": "are you there?"})");
    world.get(messages + "?limit=1");
    world.watch("/api/v1/conversations/" + id + "/events");
    world.watch(messages + "?stream=true", R"({"text": "hello"})");
    press_in(world, id);
    world.get("/api/v1/chat-partners");
    world.get("/api/v1/conversations?limit=1");
    world.ask("DELETE", "/api/v1/conversations/" + id);
}

// Of a turn that waits for them.
void exercise_approvals(api_world& world) {
    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
        "run_no, "
        "started_at, due_at) values (48, 1, 9, 3, 'waiting', 'turn', 1, postrider.now(), "
        "postrider.now() + interval '1 h')"
    );
    world.database.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type, match) "
        "values (48, 1, now() + interval '1 h', 'approval', 'press', 'q')"
    );
    world.database.execute("insert into postrider.question (question_id, job_id, place, until_at) "
                           "values ('q', 48, '', now() + interval '1 h')");
    world.database.execute("insert into postrider.approval (approval_id, job_id, lane_id, "
                           "requester, expires_at, question, "
                           "call, tool, arguments, digest) select 'a' || n, 48, 1, 7, now() + "
                           "interval '1 h', 'q', 'tool:' || n, "
                           "'calculator', '{}', 'd' from generate_series(1, 2) n");
    world.get("/api/v1/approvals?state=waiting&limit=1");
    world.get("/api/v1/approvals?state=all");
    world.get("/api/v1/approvals/a1");
    world.post("/api/v1/approvals/a1/approve");
    world.post("/api/v1/approvals/a2/reject");
    world.get("/api/v1/approvals");
    world.database.execute("insert into postrider.question (question_id, job_id, place, until_at) "
                           "values ('q2', 48, '1:5', now() + interval '1 h')");
    world.post("/api/v1/questions/q2/answer", R"({"choice": "yes"})");
}

void exercise_groups(api_world& world) {
    world.get("/api/v1/groups");
    world.get("/api/v1/groups/-100/context");
    world.ask("DELETE", "/api/v1/groups/-100/messages/5");
    world.post("/api/v1/spam/check", R"({"text": "see t.me/x", "chat": -100, "user": 7})");
    world.get("/api/v1/spam/rules");
    world.post("/api/v1/spam/replay", R"({"since": "7d", "set": {"links.weight": 1000}})");
    auto const lesson = R"({"text": "purple elephants", "kind": "spam", "chat": -100})";
    world.post(
        "/api/v1/spam/samples",
        R"({"text": "purple elephants", "kind": "spam", "chat": -100, "preview": true})"
    );
    world.post("/api/v1/spam/samples", lesson);
    world.post("/api/v1/spam/samples", lesson);
    world.get("/api/v1/spam/samples?limit=1");
    world.ask("DELETE", "/api/v1/spam/samples/1");
    world.get("/api/v1/spam/samples?withdrawn=true");
    world.database.execute("insert into postrider.spam_verdict (chat_id, message_id, wording, "
                           "user_id, is_spam, points, "
                           "threshold, checks, content) values (-100, 5, 1, 7, true, 120, 100, "
                           "'[{\"check\": \"links\", "
                           "\"score\": 1, \"weight\": 120, \"points\": 120, \"reason\": \"it has 3 "
                           "links\"}]', 'buy now')");
    world.get("/api/v1/spam/verdicts?spam=true");
    world.post("/api/v1/spam/verdicts/-100/5/undo");
    world.get("/api/v1/spam/members?chat=-100");
    world.get("/api/v1/spam/members/-100/7/unban");
    for (auto const* act : {"approve", "disapprove", "ban", "unban"})
        world.post(std::string("/api/v1/spam/members/-100/7/") + act);
}

void exercise_demo(api_world& world) {
    world.get("/api/v1/demo/chat");
    world.get("/api/v1/demo/pictures/3");
    world.post("/api/v1/demo/messages", R"({"text": "add buy milk"})");
    world.post("/api/v1/demo/presses", R"({"message": "7", "data": "q:yes"})");
    world.post("/api/v1/demo/model-timeout");
    world.post("/api/v1/demo/kill");
}

void exercise_tasks(api_world& world) {
    auto const begun = world.post(
        "/mcp",
        R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}})"
    );
    std::string const session(begun.headers.find("Mcp-Session-Id"));
    world.ask_with({{"Mcp-Session-Id", session}}, "DELETE", "/mcp");
}

// covers: X.18
TEST(openapi, describes_every_route_and_no_other) {
    api_world world(true);
    std::set<std::string> served;
    for (auto const& route : world.routes()) served.insert(route.method + " " + route.pattern);
    for (auto const& route : world.login_routes())
        served.insert(route.method + " " + route.pattern);

    EXPECT_EQ(served, described(world.document()));
}

// Every operation succeeds once; api_world compares each answer with the document.
// covers: X.18 E.12
TEST(openapi, describes_what_every_operation_answers) {
    api_world world(true);

    world.get("/api/openapi.json");
    world.get("/api/v1/overview");
    exercise_demo(world);
    world.get("/api/v1/attention?limit=2");
    world.get("/api/v1/lanes/1%3A5%3A0/messages");
    world.get("/api/v1/updates?disposition=rejected");
    world.get("/api/v1/agent-sessions");
    world.get("/api/v1/usage?by=day,model");
    world.get("/api/v1/doctor");
    world.get("/api/v1/settings");
    world.get("/api/v1/tools");
    world.get("/api/v1/mcp-servers");
    world.database.execute("insert into postrider.mcp_tool (server, tool, digest, definition, "
                           "offered_digest, offered, offered_at) "
                           "values ('files', 'read', 'old', '{}', 'new', '{}', postrider.now())");
    world.get("/api/v1/tools?source=mcp");
    world.post("/api/v1/mcp-servers/files/accept", R"({"tool": "read", "digest": "new"})");
    world.get("/api/v1/nodes");
    world.get("/api/v1/bots");
    world.get("/api/v1/budgets");
    world.database.execute(
        "insert into postrider.schedule (name, kind, cron) values ('daily', 'flow', '@daily')"
    );
    world.get("/api/v1/schedules");
    world.get("/api/v1/schedules/daily");
    world.ask("PUT", "/api/v1/schedules/hourly", R"({"kind": "turn", "cron": "@hourly"})");
    world.post("/api/v1/schedules/hourly/pause");
    world.post("/api/v1/schedules/hourly/resume");
    world.ask("DELETE", "/api/v1/schedules/hourly");
    world.get("/api/v1/schedule-times?cron=@daily");
    world.post("/api/v1/bots/main/check");
    world.ask("PUT", "/api/v1/bots/main/webhook");
    world.ask("DELETE", "/api/v1/bots/main/webhook");
    world.get("/api/v1/jobs?limit=2");
    world.get("/api/v1/jobs/41");
    world.get("/api/v1/jobs/44?most_bytes=1000");
    world.get("/api/v1/jobs/41/value?of=step&key=model");
    world.get("/api/v1/lanes");
    world.get("/api/v1/effects?state=in_doubt");
    world.post("/api/v1/jobs/41/effects/reply/done");
    world.post("/api/v1/jobs/42/effects/reply/drop");
    world.database.execute("update postrider.effect set state = 'unknown' where job_id = 42");
    world.post("/api/v1/jobs/42/effects/reply/resend");
    world.post("/api/v1/jobs/45/pause");
    world.post("/api/v1/jobs/45/resume");
    world.post(
        "/api/v1/jobs/44/events", R"({"type": "reply", "match": "q1", "payload": {"x": [1]}})"
    );
    world.post("/api/v1/jobs/45/cancel", R"({"rollback": false})");
    world.post("/api/v1/jobs/45/restart", "{}");
    world.post("/api/v1/jobs/41/fork", R"({"input": {"agent": "assistant"}})");
    world.database.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, "
                           "state, kind, finished_at, error_class)"
                           " values (47, 1, 9, 0, 'failed', 'turn', postrider.now(), 'invalid')");
    world.post("/api/v1/jobs/47/retry");
    world.post("/api/v1/jobs/pause", R"({"lane": "1:5:0", "dry_run": true})");
    world.post("/api/v1/jobs/pause", R"({"lane": "1:5:0", "limit": 10})");
    world.post("/api/v1/jobs/resume", R"({"state": ["paused"]})");
    world.post("/api/v1/jobs/cancel", R"({"state": "waiting", "after": "2026-01-01T00:00:00Z"})");
    world.post("/api/v1/jobs/retry", R"({"error_class": "invalid"})");
    world.post("/api/v1/lanes/1%3A5%3A0/forget");
    world.post("/api/v1/lanes/1%3A5%3A0/pause");
    world.post("/api/v1/bots/main/pause");
    world.post("/api/v1/pause");
    world.get("/api/v1/pauses");
    world.get("/api/v1/lanes?status=paused");
    world.post("/api/v1/resume");
    world.post("/api/v1/bots/main/resume");
    world.post("/api/v1/lanes/1%3A5%3A0/resume");
    world.post("/api/v1/lanes/1%3A5%3A0/events", R"({"type": "reply"})");
    world.database.execute(executions);
    world.get("/api/v1/executions?limit=2");
    world.get("/api/v1/executions/51");
    world.get("/api/v1/executions/53");
    world.get("/api/v1/executions/51/events");
    world.post("/api/v1/executions/51/replay", R"({"version": 5, "pinned": {}})");
    world.database.execute(
        "update postrider.flow set draft = '" + manual_flow("greeting") +
        "' where name = 'greeting'"
    );
    world.post("/api/v1/flows/greeting/replays", R"({"last": 2})");
    world.database.execute(
        R"sql(insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, finished_at, input)
        values (55, 1, 9, 0, 'completed', 'flow', '2026-11-21T10:00:00Z', '{"flow": "greeting", "version": 0,
            "document": {"format": 1, "name": "greeting",
            "nodes": [{"id": "start", "name": "Start", "type": "manual"}, {"id": "ask", "name": "Ask", "type": "agent"},
                      {"id": "model", "name": "Model", "type": "model"}],
            "connections": [{"from": "start", "to": "ask"}, {"type": "ai_model", "from": "model", "to": "ask"}]}}');
        insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, outcome, result)
        values (55, 1, 1, '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z', 3, 'ask/model', 'done',
                '{"text": "Hi.", "stop": "end", "usage": {"input": 10, "output": 2}}'))sql"
    );
    auto const trial = world.post("/api/v1/executions/55/trials", R"({"model": "cheap"})");
    world.get(
        "/api/v1/executions/" + std::to_string(trial.body.at("job_id").as_int64()) + "/comparison"
    );
    world.post(
        "/api/v1/tokens", R"({"user_id": 7, "role": "user", "name": "x", "expires_in": 60})"
    );
    world.get("/api/v1/tokens");
    world.get("/api/v1/me");
    auto const browser = world.log_in(storage::token_role::owner, user_id{7});
    world.ask_as(browser, "GET", "/api/v1/me");
    world.ask_as(browser, "GET", "/api/v1/console/sessions?limit=1");
    world.post("/api/v1/console/links", R"({"role": "reader"})");
    world.ask("DELETE", "/api/v1/console/sessions/1");
    world.ask_as(world.log_in(storage::token_role::reader), "DELETE", "/api/v1/session");
    world.database.execute("insert into postrider.stranger (bot_id, user_id, chat_id, name) "
                           "values (1, 666, 666, 'Mal')");
    world.get("/api/v1/strangers?limit=1");
    world.database.execute(
        "insert into postrider.session_message (session, job_id, position, role, "
        "content) values ('customer 1', 41, 0, 'user', 'hi')"
    );
    world.ask("DELETE", "/api/v1/sessions/customer%201");
    world.database.execute("insert into postrider.memory (user_id, chat_id, bot_id, kind, content, "
                           "language, words, made_by) "
                           "values (7, 0, 1, 'note', 'The dog is called Rex.', 'en', '', 'test')");
    world.get("/api/v1/memories?user=7&limit=1");
    world.get("/api/v1/memories/1");
    world.ask("DELETE", "/api/v1/memories/1");
    world.ask("POST", "/api/v1/collections", R"({"name": "docs"})");
    world.get("/api/v1/collections");
    world.ask("PATCH", "/api/v1/collections/docs", R"({"description": "All of it"})");
    world.get("/api/v1/collections/docs");
    world.ask("POST", "/api/v1/collections/docs/documents?name=a.txt", "A");
    world.get("/api/v1/collections/docs/documents");
    world.get("/api/v1/collections/docs/documents/1");
    world.get("/api/v1/collections/docs/documents/1/parts");
    world.get("/api/v1/collections/docs/search?query=a");
    world.ask("DELETE", "/api/v1/collections/docs/documents/1");
    world.ask("DELETE", "/api/v1/collections/docs");
    world.get("/api/v1/models");
    world.post("/api/v1/models/built_in/test");
    world.get("/api/v1/usage?by=chat&days=7");
    world.get("/api/v1/audit?limit=1");
    world.get("/api/v1/audit/export?limit=1");
    world.get("/api/v1/audit/verify");
    world.post("/api/v1/erasures", R"({"user_id": 666})");
    exercise_approvals(world);
    exercise_groups(world);
    world.ask("DELETE", "/api/v1/tokens/1");
    exercise_flows(world);
    exercise_conversations(world);
    exercise_tasks(world);
    world.watch("/api/v1/events?topics=counts,jobs&state=failed");

    for (auto const& name : described(world.document())) {
        auto const found = world.exercised().find(name);
        ASSERT_NE(found, world.exercised().end()) << name << " was not asked for";
        EXPECT_THAT(found->second, Contains(testing::Lt(300))) << name << " never succeeded";
    }
}

TEST(openapi, describes_how_what_does_not_exist_is_answered) {
    api_world world;

    for (auto const& route : world.routes()) {
        auto target = harmless(route);
        if (target == route.pattern) continue;
        if (route.method == "PUT" && target.starts_with("/api/v1/schedules/"))
            continue; // it makes one
        if (target.ends_with("/value")) target += "?of=input";
        if (target.ends_with("/search")) target += "?query=fees";
        std::string body;
        if (target.ends_with("/events")) body = R"({"type": "reply"})";
        if (target.ends_with("/presses")) body = R"({"message": "m", "data": "d"})";
        if (target.ends_with("/documents")) body = R"({"url": "https://example.org/fees.pdf"})";
        if (target.ends_with("/answer")) body = R"({"choice": "yes"})";
        if (target.ends_with("/messages")) body = R"({"text": "hi"})";
        auto const answer =
            world.ask(route.method, target, route.method == "GET" ? "" : std::move(body));

        EXPECT_EQ(answer.status, 404) << route.method << " " << target;
        EXPECT_EQ(answer.code(), "not_found");
    }
}

TEST(openapi, is_readable_without_a_token) {
    api_world world;

    auto const answer = world.send("GET", "/api/openapi.json", {});

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("openapi").as_string(), "3.1.0");
}

} // namespace
} // namespace postrider::tests::contract_test
