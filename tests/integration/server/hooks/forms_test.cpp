// Forms over real sockets, with a real engine behind them.
#include "server/hooks/form_route.hpp"
#include "server/hooks/hook_route.hpp"
#include "tests/integration/server/flow_server.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flows_chapter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::forms_test {
namespace {

namespace json = boost::json;
using net::header_list;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

auto const contact =
    flow_builder("contact")
        .trigger(
            "In",
            "form",
            {{"path", "contact"},
             {"title", "Contact"},
             {"fields", {{{"name", "email"}, {"kind", "email"}, {"required", true}}}}}
        )
        .node("Note", "set", {{"fields", {{"from", "{{ $json.email }}"}}}, {"keep_others", false}})
        .text();

class forms : public testing::Test {
protected:
    forms() {
        waiting.emplace(*server.postgres.db);
        auto routes = hooks::form_routes(
            {server.library, server.executions(), *waiting, base::system_random(), {}, 10s}
        );
        routes.push_back(
            hooks::hook_route({server.library, secrets, server.executions(), *waiting, refusals})
        );
        server.serve(std::move(routes));
        server.io.run(server.library.refresh()).value();
    }

    net::http_answer open(std::string path) { return server.send("GET", "/forms/" + path, {}); }
    net::http_answer post(std::string path, std::string body, std::string site = "same-origin") {
        header_list headers{
            {"Content-Type", "application/x-www-form-urlencoded"}, {"Sec-Fetch-Site", site}};
        return server.send("POST", "/forms/" + path, std::move(headers), std::move(body));
    }
    static std::string submission_in(std::string const& page) {
        std::string const before = R"(name="postrider-submission" value=")";
        auto const begin = page.find(before) + before.size();
        return page.substr(begin, page.find('"', begin) - begin);
    }
    std::string executions() { return database.value("select count(*) from postrider.job"); }

    test_database database;
    std::map<std::string, base::secret, std::less<>> secrets;
    base::report_paces refusals;
    flow_server server{database};
    std::optional<api::reply_waiters> waiting;
};

// covers: X.23
TEST_F(forms, start_one_execution_for_each_page_that_is_filled_in) {
    server.publish(contact);
    server.start_engine();
    auto const first = open("contact");
    auto const key = "&postrider-submission=" + submission_in(first.body);

    EXPECT_EQ(first.status, 200);
    EXPECT_NE(submission_in(open("contact").body), submission_in(first.body));
    auto const sent = post("contact", "email=eve%40example.org" + key);
    EXPECT_EQ(sent.status, 200);
    EXPECT_THAT(sent.body, HasSubstr("Thank you"));
    EXPECT_EQ(post("contact", "email=eve%40example.org" + key).status, 200);
    EXPECT_EQ(post("contact", "email=mallory%40example.org" + key).status, 422);

    EXPECT_EQ(executions(), "1");
    server.until("select output->'items'->0->>'from' from postrider.job", "eve@example.org");
}

// Over plain HTTP a browser tells no more of a page than its origin, and that only where the page allows it.
TEST_F(forms, work_for_a_browser_that_tells_the_origin_alone) {
    server.publish(contact);
    auto const status_from = [this](std::string origin) {
        header_list headers{
            {"Host", "localhost"},
            {"Content-Type", "application/x-www-form-urlencoded"},
            {"Origin", std::move(origin)}};
        return server.send("POST", "/forms/contact", std::move(headers), "email=nobody").status;
    };

    EXPECT_EQ(open("contact").headers.find("Referrer-Policy"), "same-origin");
    EXPECT_EQ(status_from("http://localhost"), 422);
    EXPECT_EQ(status_from("null"), 403);
    EXPECT_EQ(status_from("http://other.example"), 403);
}

TEST_F(forms, come_back_with_what_is_wrong) {
    server.publish(contact);

    auto const back = post("contact", "email=nobody&postrider-submission=k");

    EXPECT_EQ(back.status, 422);
    EXPECT_THAT(back.body, HasSubstr("no e-mail"));
    EXPECT_THAT(back.body, HasSubstr(R"(value="nobody")"));
    EXPECT_EQ(executions(), "0");
}

TEST_F(forms, refuse_other_sites_other_addresses_and_what_they_cannot_read) {
    server.publish(contact);

    EXPECT_EQ(post("contact", "email=a%40b", "cross-site").status, 403);
    EXPECT_EQ(post("contact", "email=%zz").status, 400);
    EXPECT_EQ(post("contact", std::string((64u << 10) + 1, 'x')).status, 413);
    EXPECT_EQ(open("nowhere").status, 404);
    EXPECT_EQ(post("nowhere", "").status, 404);
    EXPECT_EQ(server.send("POST", "/hooks/contact", {}).status, 404);
    EXPECT_GE(server.send("FORM", "/hooks/contact", {}).status, 400);
    EXPECT_EQ(executions(), "0");
}

// covers: X.23
TEST_F(forms, answer_as_the_flow_of_the_document_says) {
    server.publish(chapter_example("Forms"));
    server.start_engine();

    EXPECT_THAT(open("support").body, HasSubstr("<option>Invoice</option>"));
    auto const answer = post("support", "email=a%40b.example&topic=Order&question=where%3F");

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "We write to a@b.example.");
}

// covers: X.23
TEST_F(forms, and_open_webhooks_ask_nobody_for_a_secret) {
    server.publish(flow_builder("open")
                       .trigger("In", "webhook", {{"path", "open"}, {"authentication", "none"}})
                       .text());

    EXPECT_EQ(server.send("POST", "/hooks/open", {}, "hi").status, 202);
    EXPECT_EQ(server.send("GET", "/hooks/open", {}).status, 405);
}

} // namespace
} // namespace postrider::tests::forms_test
