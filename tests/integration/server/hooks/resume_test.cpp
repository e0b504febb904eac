// Links that end a wait, over real sockets, with a real engine behind them.
#include "server/hooks/hook_route.hpp"
#include "server/hooks/resume_route.hpp"
#include "tests/integration/server/flow_server.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flows_chapter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::resume_test {
namespace {

using net::header_list;
using testing::HasSubstr;
using testing::SizeIs;

class resume_links : public testing::Test {
protected:
    resume_links() {
        server.link_to("https://postrider.example", "key");
        waiting.emplace(*server.postgres.db);
        auto routes = hooks::resume_routes(*server.postgres.db);
        routes.push_back(
            hooks::hook_route({server.library, secrets, server.executions(), *waiting, refusals})
        );
        server.serve(std::move(routes));
        server.io.run(server.library.refresh()).value();
        server.publish(chapter_example("Links that resume"));
        server.start_engine();
        server.send(
            "POST", "/hooks/invoices", {{"Content-Type", "application/json"}}, R"({"total":7})"
        );
        server.until("select state from postrider.job", "waiting");
    }

    // As the message of the flow has it.
    std::string link() {
        auto const text = server.chat.sent.at(0).content.text;
        std::string const before = "Pay 7? https://postrider.example";
        EXPECT_THAT(text, testing::StartsWith(before));
        return text.substr(before.size());
    }
    net::http_answer post(std::string target, std::string body, std::string type) {
        return server.send(
            "POST", std::move(target), {{"Content-Type", std::move(type)}}, std::move(body)
        );
    }

    test_database database;
    std::map<std::string, base::secret, std::less<>> secrets;
    base::report_paces refusals;
    flow_server server{database};
    std::optional<api::reply_waiters> waiting;
};

// covers: X.23
TEST_F(resume_links, end_the_wait_once_with_the_body_of_the_request) {
    auto const target = link();

    auto const page = server.send("GET", target, {});
    EXPECT_EQ(page.status, 200);
    EXPECT_THAT(page.body, HasSubstr("The flow invoice waits for you."));
    EXPECT_EQ(database.value("select state from postrider.job"), "waiting");
    auto const resumed = post(target, R"({"by":"Ann"})", "application/json");
    EXPECT_EQ(resumed.body, R"({"resumed":true})");
    EXPECT_EQ(post(target, R"({"by":"Bob"})", "application/json").status, 404);

    server.until("select state from postrider.job", "completed");
    EXPECT_EQ(database.value("select output->'items'->0->>'by' from postrider.job"), "Ann");
    EXPECT_EQ(server.send("GET", target, {}).status, 404);
    EXPECT_EQ(database.value("select count(*) from postrider.event"), "0");
}

TEST_F(resume_links, take_the_fields_of_a_form) {
    auto const resumed = post(link(), "by=Ann+B", "application/x-www-form-urlencoded");

    EXPECT_THAT(resumed.body, HasSubstr("Thank you"));
    server.until("select output->'items'->0->>'by' from postrider.job", "Ann B");
}

TEST_F(resume_links, are_guessed_by_nobody_and_refuse_what_they_cannot_read) {
    auto const target = link();
    auto const job = target.substr(0, target.rfind('/'));

    for (auto const& wrong :
         {job + "/" + std::string(40, '0'),
          job + "/x",
          target + "0",
          std::string("/resume/x/y"),
          std::string("/resume/99999999999999999999/y"),
          job + "/%00"})
        EXPECT_THAT(post(wrong, "{}", "application/json").status, testing::AnyOf(404, 400))
            << wrong;
    // No look into the database is needed for it, so the event's type does not matter.
    database.value("update postrider.wait set match = 'payment-7' returning 1");
    EXPECT_EQ(post(job + "/payment-7", "{}", "application/json").status, 404);
    database.value(
        "update postrider.wait set match = '" + target.substr(target.rfind('/') + 1) +
        "' returning 1"
    );
    EXPECT_EQ(post(target, "{", "application/json").status, 400);
    EXPECT_EQ(post(target, std::string((64u << 10) + 1, ' '), "text/plain").status, 413);
    EXPECT_EQ(database.value("select state from postrider.job"), "waiting");
}

TEST_F(resume_links, end_with_the_wait) {
    auto const target = link();
    database.value("update postrider.wait set until_at = postrider.now() returning 1");

    EXPECT_EQ(server.send("GET", target, {}).status, 404);
    EXPECT_EQ(post(target, "{}", "application/json").status, 404);
}

} // namespace
} // namespace postrider::tests::resume_test
