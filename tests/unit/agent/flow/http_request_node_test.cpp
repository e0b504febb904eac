// The node http.request against a scripted server.
#include "agent/flow/nodes/http_pages.hpp"
#include "base/texts.hpp"
#include "tests/unit/agent/flow/flows_chapter.hpp"
#include "tests/unit/agent/flow/http_node_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::http_request_node_test {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using world = http_node_world;

// in → ask
std::string asking(json::object parameters, std::string path = "/") {
    parameters.emplace("url", "{{ $json.server }}" + path);
    return flow_builder("asking")
        .trigger("In", "manual")
        .node("Ask", "http.request", std::move(parameters))
        .text();
}

// covers: X.23
TEST(http_request_node, passes_on_what_the_answer_holds) {
    world w(asking({}), {{world::of_json(R"([{"id":1},{"id":2}])")}});
    EXPECT_EQ(w.result(), R"([{"id":1},{"id":2}])");
}

TEST(http_request_node, passes_on_other_values_as_body_and_answers_whole) {
    world text(asking({}), {{ok("plain")}});
    EXPECT_EQ(text.result(), R"([{"body":"plain"}])");
    world bytes(asking({{"response", "base64"}}), {{ok(std::string("\0\xff", 2))}});
    EXPECT_EQ(bytes.result(), R"([{"body":"AP8="}])");
    world whole(asking({{"output", "answer"}}, "/a"), {{world::of_json(R"({"n":1})")}});
    EXPECT_THAT(whole.result(), StartsWith(R"([{"status":200,"headers":{"content-type":"app)"));
}

TEST(http_request_node, sends_query_headers_and_a_credential_that_stays_secret) {
    world w(
        asking(
            {{"query", {{"tag", {"a b", "c&d"}}, {"none", nullptr}, {"n", 3}}},
             {"headers", {{"X-Trace", "t1"}}},
             {"credential", "shop"}},
            "/find?x=1#part"
        ),
        {{ok("you sent hunter2-and-more")}}
    );

    EXPECT_EQ(w.result(), R"([{"body":"you sent ***"}])");

    EXPECT_THAT(w.request(), StartsWith("GET /find?x=1&tag=a%20b&tag=c%26d&n=3 HTTP/1.1"));
    EXPECT_THAT(w.request(), HasSubstr("X-Trace: t1\r\n"));
    EXPECT_THAT(w.request(), HasSubstr("Authorization: Bearer hunter2-and-more\r\n"));
    for (auto const& [name, step] : w.w.record.steps)
        EXPECT_THAT(json::serialize(*step), Not(HasSubstr("hunter2"))) << name;
}

struct body_case {
    std::string_view format;
    json::value body;
    std::string_view type;
    std::string_view sent;
};

TEST(http_request_node, sends_a_body_in_each_format) {
    body_case const cases[]{
        {"json", {{"a", 1}}, "application/json", R"({"a":1})"},
        {"form",
         {{"a", "1 2"}, {"b", true}},
         "application/x-www-form-urlencoded",
         "a=1%202&b=true"},
        {"text", "hello", "text/plain; charset=utf-8", "hello"},
        {"multipart",
         {{"a", "1"}, {"f", {{"filename", "x.txt"}, {"type", "text/plain"}, {"base64", "aGk="}}}},
         "multipart/form-data; boundary=",
         "name=\"f\"; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.format);
        world w(
            asking({{"method", "POST"}, {"body_format", entry.format}, {"body", entry.body}}),
            {{ok("")}}
        );
        EXPECT_EQ(w.result(), R"([{"body":null}])");
        EXPECT_THAT(w.request(), HasSubstr("Content-Type: " + std::string(entry.type)));
        EXPECT_THAT(w.request(), HasSubstr(std::string(entry.sent)));
    }
}

TEST(http_request_node, follows_pages_by_number_link_and_cursor) {
    world number(
        asking({{"pages", "number"}, {"page_parameter", "p"}, {"items", "$json.body.rows"}}),
        {{world::of_json(R"({"rows":[1,2]})"),
          world::of_json(R"({"rows":[3]})"),
          world::of_json(R"({"rows":[]})")}}
    );
    EXPECT_EQ(number.result(), "[1,2,3]");
    EXPECT_THAT(number.request(1), StartsWith("GET /?p=2 "));
    world link(
        asking({{"pages", "link"}}, "/a/b"),
        {{world::answer(
              "200 OK",
              "Content-Type: application/json\r\nLink: </a/b?x=0>; rel=prev, <?x=2>; "
              "rel=\"next\"\r\n",
              "[1]"
          ),
          world::of_json("[2]")}}
    );
    EXPECT_EQ(link.result(), "[1,2]");
    EXPECT_THAT(link.request(1), StartsWith("GET /a/b?x=2 "));
    world cursor(
        asking({{"pages", "cursor"}, {"next", "$json.body.next"}, {"items", "$json.body.rows"}}),
        {{world::of_json(R"({"rows":[1],"next":"c/1"})"),
          world::of_json(R"({"rows":[2],"next":null})")}}
    );
    EXPECT_EQ(cursor.result(), "[1,2]");
    EXPECT_THAT(cursor.request(1), StartsWith("GET /?page=c%2F1 "));
}

TEST(http_request_node, asks_for_no_more_pages_than_it_may) {
    auto const page = world::of_json("[1]");
    world w(asking({{"pages", "number"}, {"most_pages", 2}}), {{page, page, page}});
    EXPECT_EQ(w.result(), "[1,1]");
    EXPECT_THAT(w.server.requests(), SizeIs(2));
}

TEST(http_request_node, leads_to_no_page_of_another_origin) {
    world w(
        asking({{"pages", "link"}, {"next", "$json.body.next"}}),
        {{world::of_json(R"({"next":"http://127.0.0.1:1/steal"})")}}
    );
    EXPECT_THAT(w.result(), HasSubstr("the next page leads to another origin"));
}

// A redirect of the first page does not make its server one that the headers are for.
TEST(http_request_node, leads_to_pages_of_the_first_origin_alone) {
    json::object const parameters{{"pages", "link"}, {"first_page", 1}, {"most_pages", 9}};
    json::object answer{{"url", "https://other.example/a/b"}, {"headers", {}}, {"body", nullptr}};
    struct next_page {
        std::string_view link;
        std::string_view url; // "" = refused
    };
    next_page const cases[]{
        {"https://other.example/2", ""},
        {"?page=2", ""},
        {"//other.example/2", ""},
        {"http://first.example/2", ""},
        {"https://first.example:443/a%2Fb?x=1", "https://first.example/a%2Fb?x=1"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.link);
        agent::flow::http_pages pages(parameters, "https://first.example/1");
        answer["headers"] =
            json::object{{"link", "<" + std::string(entry.link) + ">; rel=\"next\""}};
        auto const more = pages.go_on(answer, 1);
        EXPECT_EQ(more.has_value(), !entry.url.empty());
        if (more) {
            EXPECT_EQ(pages.url(), entry.url);
        } else {
            EXPECT_EQ(more.error(), base::errc::refused);
        }
    }
}

TEST(http_request_node, holds_no_more_items_than_a_node_passes_on) {
    json::array numbers;
    for (int i = 0; i < 3000; ++i) numbers.emplace_back(i);
    auto const items = agent::flow::items_in({{"body", std::move(numbers)}}, "");
    EXPECT_EQ(items.value().size(), agent::flow::most_items + 1);
}

// covers: E.08
TEST(http_request_node, does_not_ask_again_for_what_is_recorded) {
    auto const two = asking({{"pages", "number"}, {"most_pages", 2}});
    world w(two, {{world::of_json("[1]"), world::of_json("[2]")}, {world::of_json("[9]")}});
    json::object const data{{"server", w.server.origin()}};

    w.w.run(data);
    EXPECT_EQ(w.result(), "[1,2]");

    EXPECT_THAT(w.server.requests(), SizeIs(2));
    EXPECT_THAT(w.w.log, Not(Contains("step ask/request")));
}

struct interrupted_case {
    std::string_view method;
    std::string_view when_interrupted;
    queue::effect_class effect_class;
    std::size_t sent;
};

// The process dies before the answer is committed.
// covers: E.14
TEST(http_request_node, repeats_what_may_be_repeated_after_a_crash) {
    using queue::effect_class;
    interrupted_case const cases[]{
        {"PUT", "leave", effect_class::idempotent, 2},
        {"POST", "repeat", effect_class::at_least_once, 2},
        {"POST", "keyed", effect_class::keyed, 2},
        {"POST", "leave", effect_class::at_most_once, 1}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.when_interrupted);
        world w(
            asking({{"method", entry.method}, {"when_interrupted", entry.when_interrupted}}),
            {{ok("a"), ok("b")}}
        );
        EXPECT_TRUE(w.w.run_and_die(2, json::object{{"server", w.server.origin()}}));
        auto const& intent = w.w.record.effects.at("ask/request");
        EXPECT_EQ(intent.effect_class, entry.effect_class);
        EXPECT_EQ(intent.kind, "http.request");

        auto const result = w.result();

        EXPECT_THAT(w.server.requests(), SizeIs(entry.sent));
        EXPECT_EQ(result.starts_with("ambiguous"), entry.sent == 1) << result;
        bool const has_key = w.request().find("Idempotency-Key: ") != std::string::npos;
        EXPECT_EQ(has_key, entry.method == "POST");
    }
}

TEST(http_request_node, tries_again_what_fails_for_now_and_tells_of_the_rest) {
    auto const busy = world::answer("503 Service Unavailable", "Retry-After: 1\r\n", "busy");
    world later(asking({}), {{busy, ok("done")}});
    EXPECT_EQ(later.result(), R"([{"body":"done"}])");
    world missing(asking({}), {{world::answer("404 Not Found", "", "no such order")}});
    EXPECT_EQ(missing.result(), "refused: Ask: HTTP 404 Not Found: no such order");
    world answered(
        asking({{"error_status", "output"}, {"output", "answer"}}),
        {{world::answer("404 Not Found", "", "")}}
    );
    EXPECT_THAT(answered.result(), StartsWith(R"([{"status":404,)"));
}

struct bad_answer {
    json::object parameters;
    std::string answer;
    std::string_view failure;
};

TEST(http_request_node, says_why_an_answer_is_of_no_use) {
    bad_answer const cases[]{
        {{{"response", "json"}}, ok("{"), "the answer is not valid JSON"},
        {{}, ok(std::string("\0\1", 2)), "read it as base64"},
        {{{"most_bytes", 3}}, ok("four"), "larger than 3 bytes"},
        {{{"items", "$json.body.rows"}}, world::of_json(R"({"n":1})"), "there is no member `rows`"},
        {{{"pages", "cursor"}, {"next", "$json.body"}}, world::of_json("[[1]]"), "the cursor"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.failure);
        world w(asking(entry.parameters), {{entry.answer}});
        EXPECT_THAT(w.result(), HasSubstr(std::string(entry.failure)));
    }
}

// What has acted is not done again because of an answer that nobody can read.
// covers: E.14
TEST(http_request_node, records_a_request_whose_answer_cannot_be_read) {
    bad_answer const cases[]{
        {{{"response", "json"}}, ok("{"), "the answer is not valid JSON"},
        {{{"most_bytes", 3}}, ok("four"), "larger than 3 bytes"},
        {{}, "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "malformed HTTP answer"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.failure);
        auto parameters = entry.parameters;
        parameters["method"] = "POST";
        world w(asking(parameters), {{entry.answer}, {ok("{}")}});

        EXPECT_THAT(w.result(), HasSubstr(std::string(entry.failure)));
        EXPECT_TRUE(w.w.record.steps.at("ask/request")) << "the step is done";
        EXPECT_THAT(w.result(), HasSubstr(std::string(entry.failure)));

        EXPECT_THAT(w.server.requests(), SizeIs(1));
    }
}

struct bad_request {
    json::object parameters;
    std::string_view failure;
};

// Nothing is sent.
TEST(http_request_node, refuses_requests_that_are_none) {
    bad_request const cases[]{
        {{{"url", "ftp://127.0.0.1/"}}, "invalid"},
        {{{"url", "http://10.0.0.1/"}}, "the host 10.0.0.1 is not allowed"},
        {{{"method", "GET"}, {"body", "x"}}, "GET has no body"},
        {{{"query", {{"a", {{"b", 1}}}}}}, "'a' is neither a text"},
        {{{"pages", "number"}, {"first_page", "{{ 0 - 1 }}"}}, "first_page"},
        {{{"headers", {{"Host", "x"}}}}, "the header Host cannot be set"},
        {{{"headers", {{"X-A", "a\r\nb"}}}}, "not a header: X-A"},
        {{{"credential", "sohp"}}, "no credential of the name"},
        {{{"timeout", "11min"}}, "longer than 10min"},
        {{{"method", "POST"}, {"body_format", "form"}, {"body", 1}}, "must be an object"},
        {{{"method", "POST"}, {"body_format", "text"}, {"body", json::array{1}}}, "must be a text"},
        {{{"method", "POST"}, {"body_format", "multipart"}, {"body", {{"f", {{"base64", "%"}}}}}},
         "has no base64"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.failure);
        world w(asking(entry.parameters), {{ok("")}});
        EXPECT_THAT(w.result(), HasSubstr(std::string(entry.failure)));
        EXPECT_EQ(w.server.connections(), 0u);
    }
}

TEST(http_request_node, has_expressions_about_the_answer_alone) {
    for (auto const* wrong : {"$json.", "$vars.next", "1 + 1"})
        EXPECT_THROW(compiled(asking({{"items", wrong}})), std::runtime_error) << wrong;
    EXPECT_THROW(compiled(asking({{"pages", "cursor"}})), std::runtime_error) << "without next";
}

// covers: X.23
TEST(http_request_node, runs_the_example_of_the_document) {
    auto example = chapter_example("HTTP requests");
    base::replace_all(example, "https://api.shop.example", "{{ $json.server }}");
    world w(
        example,
        {{world::of_json(R"({"orders":[{"id":7}],"next":"7"})"),
          world::of_json(R"({"orders":[{"id":9}],"next":""})")}}
    );
    EXPECT_EQ(w.result(), R"([{"line":"Order 7"},{"line":"Order 9"}])");
    EXPECT_THAT(w.request(1), StartsWith("GET /orders?state=open&after=7 "));
    world failing(example, {{world::answer("401 Unauthorized", "", "")}});
    EXPECT_EQ(failing.result(), R"([{"line":"No orders: refused"}])");
}

} // namespace
} // namespace postrider::tests::http_request_node_test
