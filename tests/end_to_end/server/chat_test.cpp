// Conversations of the real binary that outlive its death.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests::chat_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

// What it does can be counted: a message to Alice.
auto const announcer =
    flow_builder("announcer")
        .trigger("In", "manual")
        .node("Out", "telegram.send", {{"bot", "main"}, {"chat", 7001}, {"text", "announced"}})
        .text();

auto const careful = flow_builder("careful")
                         .trigger("In", "chat")
                         .agent("Ask")
                         .part(
                             "Announce",
                             "tool.flow",
                             {{"name", "announce"},
                              {"description", "Tells everybody."},
                              {"flow", "announcer"},
                              {"risk", "high"}}
                         )
                         .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                         .text();

struct chat_answer {
    int status = 0;
    json::value body;
};

chat_answer ask(product const& of, std::string const& request, std::string const& body = {}) {
    auto const response = http_exchange(
        of.port(),
        request +
            " HTTP/1.1\r\nHost: t\r\nConnection: close\r\nAuthorization: Bearer test-admin\r\n" +
            "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body
    );
    return {response.status, response.body.empty() ? json::value() : json::parse(response.body)};
}

void publish(product& to, std::string const& name, std::string_view document) {
    auto const file = to.folder() / (name + ".json");
    write_file(file, std::string(document));
    auto const imported = to.run({"flows", "import", file.string(), "--publish"});
    ASSERT_EQ(imported.code, 0) << imported.out;
}

std::string begin(product const& with, std::string const& agent) {
    std::string path;
    auto begun = [&] {
        auto const answer =
            ask(with, "POST /api/v1/conversations", json::serialize(json::object{{"agent", agent}})
            );
        if (answer.status != 201) return false; // the flow comes into force in a moment
        path =
            "/api/v1/conversations/" + std::string(answer.body.at("conversation_id").as_string());
        return true;
    };
    EXPECT_TRUE(eventually(begun));
    return path;
}

std::optional<json::value> find_question(product const& with, std::string const& conversation) {
    auto const said = ask(with, "GET " + conversation + "/messages");
    if (said.status != 200) return std::nullopt;
    for (auto const& message : said.body.at("messages").as_array())
        if (message.as_object().contains("buttons")) return message;
    return std::nullopt;
}

// covers: X.18 E.14
TEST(chat, an_approval_outlives_the_server_and_its_tool_acts_once) {
    scene s;
    s.product().start();
    s.introduce();
    publish(s.product(), "announcer", announcer);
    publish(s.product(), "careful", careful);
    fake_tool_call call;
    call.name = "announce";
    s.models.script(fake_reply::calling({call}));
    s.models.script(fake_reply::saying("Everybody knows."));
    auto const conversation = begin(s.product(), "careful");
    ask(s.product(), "POST " + conversation + "/messages", R"({"text": "Tell them"})");
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.wait")) << s.product().log();

    s.product().kill();
    s.product().start();
    auto const question = find_question(s.product(), conversation);
    ASSERT_TRUE(question);
    json::object const press{
        {"message", question->at("id")}, {"data", question->at("buttons").at(0).at(0).at("data")}};
    auto const presses = "POST " + conversation + "/presses";
    auto const taken = ask(s.product(), presses, json::serialize(press));
    ASSERT_TRUE(
        s.comes_true("select not exists (select from postrider.job where finished_at is null)")
    ) << s.product().log();
    auto const again = ask(s.product(), presses, json::serialize(press));

    EXPECT_EQ(taken.status, 200);
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(std::ranges::count(s.texts(), "announced"), 1);
    auto const said = ask(s.product(), "GET " + conversation + "/messages").body;
    EXPECT_EQ(said.at("messages").as_array().back().at("content").as_string(), "Everybody knows.");
}

// covers: X.18 E.14
TEST(chat, the_terminals_goes_on_with_a_server_that_comes_again) {
    scene s;
    auto held = fake_reply::saying("Never heard.");
    held.hold = true;
    s.models.script(held);
    s.models.always(fake_reply::saying("It is 42."));
    s.product().start();
    auto const output = s.product().folder() / "chat.out";
    child chat{
        {built("postrider"), "chat", "--say", "What is 6*7?", "--say", "Thanks"},
        output,
        {{"POSTRIDER_LISTEN", s.product().address()}, {"POSTRIDER_ADMIN_TOKEN", "test-admin"}}};
    ASSERT_TRUE(eventually([&] { return !s.models.requests().empty(); })) << chat.output();

    s.product().kill();
    s.product().start();
    auto const code = chat.wait(60s);

    EXPECT_EQ(code, 0) << s.product().log();
    EXPECT_EQ(chat.output(), "postrider> It is 42.\npostrider> It is 42.\n");
    EXPECT_EQ(
        s.value("select string_agg(content, ', ' order by job_id) from postrider.message where "
                "role = 'user'"),
        "What is 6*7?, Thanks"
    );
}

// Its model answers all the same.
// covers: E.12
TEST(chat, a_turn_that_is_cancelled_in_its_last_model_call_never_answers) {
    scene s;
    auto held = fake_reply::saying("Much too late.");
    held.hold = true;
    s.models.script(held);
    s.product().start();
    auto const conversation = begin(s.product(), "assistant");
    auto const turn =
        ask(s.product(), "POST " + conversation + "/messages", R"({"text": "Think"})");
    ASSERT_TRUE(s.models.wait_for_requests(1, 20s)) << s.product().log();

    auto const job = std::to_string(turn.body.at("job_id").to_number<std::int64_t>());
    auto const cancelled = ask(s.product(), "POST /api/v1/jobs/" + job + "/cancel", "{}");
    s.models.release();
    ASSERT_TRUE(
        s.comes_true("select not exists (select from postrider.job where finished_at is null)")
    ) << s.product().log();

    EXPECT_EQ(cancelled.body.at("operation").at("code").as_string(), "asked");
    EXPECT_EQ(s.value("select state from postrider.job where job_id = " + job), "cancelled");
    auto const said = ask(s.product(), "GET " + conversation + "/messages").body;
    EXPECT_EQ(said.at("messages").as_array().size(), 1u) << json::serialize(said);
}

} // namespace
} // namespace postrider::tests::chat_test
