// The tool http_request against a server that answers byte by byte.
#include "tests/unit/agent/http_request_fixture.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::http_request_test {
namespace {

namespace json = boost::json;
using base::errc;
using queue::effect_class;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using tests::http_request;

// covers: S3.13
TEST_F(http_request, returns_status_headers_and_body) {
    serve({{answer(
        "200 OK",
        "Content-Type: application/json\r\nETag: \"7\"\r\nX-Powered-By: cats\r\n",
        R"({"rain": true})"
    )}});

    auto const output = get("/weather?city=Bonn");

    ASSERT_TRUE(output) << to_string(output.error());
    EXPECT_EQ(
        output->text, "HTTP 200 OK\ncontent-type: application/json\netag: \"7\"\n\n{\"rain\": true}"
    );
    EXPECT_THAT(request(), testing::StartsWith("GET /weather?city=Bonn HTTP/1.1\r\n"));
}

TEST_F(http_request, asks_for_what_was_written) {
    serve({{tests::ok("done")}});

    ASSERT_TRUE(get("/a%2Fb/c%20d?q=a%26b%2Bc%41#there"));

    EXPECT_THAT(request(), testing::StartsWith("GET /a%2Fb/c%20d?q=a%26b%2Bc%41 HTTP/1.1\r\n"));
}

// covers: S3.13
TEST_F(http_request, sends_method_headers_and_body) {
    for (std::string const method : {"POST", "PUT", "PATCH", "DELETE"}) {
        serve({{tests::ok("done")}});

        auto const output = call(
            {{"url", server->origin() + "/tasks"},
             {"method", method},
             {"headers", {{"X-Team", "blue"}}},
             {"body", {{"title", "Buy milk"}}}}
        );

        ASSERT_TRUE(output) << to_string(output.error());
        EXPECT_THAT(
            request(),
            AllOf(
                testing::StartsWith(method + " /tasks HTTP/1.1\r\n"),
                HasSubstr("X-Team: blue\r\n"),
                HasSubstr("Content-Type: application/json\r\n"),
                testing::EndsWith("\r\n\r\n{\"title\":\"Buy milk\"}")
            )
        );
        io.run(server->finish());
    }
}

TEST_F(http_request, sends_a_text_as_it_is_and_asks_for_a_head_only) {
    serve({{tests::ok("done"), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"}});

    ASSERT_TRUE(call(
        {{"url", server->origin() + "/"},
         {"method", "POST"},
         {"headers", {{"content-type", "text/csv"}}},
         {"body", "a,b"}}
    ));
    EXPECT_THAT(request(), AllOf(HasSubstr("content-type: text/csv"), HasSubstr("\r\n\r\na,b")));
    EXPECT_THAT(request(), HasSubstr("Idempotency-Key: the-key\r\n"));

    auto const head = call({{"url", server->origin() + "/"}, {"method", "HEAD"}});
    ASSERT_TRUE(head) << to_string(head.error());
    EXPECT_THAT(head->text, HasSubstr("HTTP 200 OK"));
}

// covers: S3.13
TEST_F(http_request, fails_with_status_and_message) {
    struct expected {
        char const* status;
        errc code;
    };
    for (auto const& [status, code] :
         {expected{"400 Bad Request", errc::refused},
          expected{"404 Not Found", errc::refused},
          expected{"429 Too Many Requests", errc::rate_limited},
          expected{"500 Internal Server Error", errc::refused},
          expected{"503 Service Unavailable", errc::unavailable}}) {
        serve({{answer(status, "Content-Type: text/plain\r\nRetry-After: 7\r\n", "no such city")}});

        auto const output = get();

        ASSERT_FALSE(output);
        EXPECT_EQ(output.error(), code) << status;
        EXPECT_EQ(output.error().retry_after, std::chrono::seconds{7});
        EXPECT_THAT(output.error().detail, AllOf(HasSubstr(status), HasSubstr("\n\nno such city")));
        io.run(server->finish());
    }
}

TEST_F(http_request, a_gateway_that_gave_up_is_asked_again_only_where_that_does_no_harm) {
    serve({{answer("502 Bad Gateway", "", ""), answer("502 Bad Gateway", "", "")}});

    EXPECT_EQ(get().error(), errc::unavailable);
    EXPECT_EQ(call({{"url", server->origin() + "/"}, {"method", "POST"}}).error(), errc::refused);
}

TEST_F(http_request, a_lost_answer_is_in_doubt_only_when_something_may_have_happened) {
    // The connection is closed in the middle of the answer.
    serve(
        {{"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"},
         {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"}}
    );
    EXPECT_EQ(call({{"url", server->origin() + "/"}, {"method", "POST"}}).error(), errc::ambiguous);
    EXPECT_EQ(get().error(), errc::unavailable);
}

// covers: S3.13
TEST_F(http_request, makes_pages_readable_in_utf8) {
    serve({{typed("text/html; charset=iso-8859-1", "<title>Caf\xe9</title><p>gr\xfc\xdf <b>Gott")}}
    );

    auto const output = get();

    ASSERT_TRUE(output);
    EXPECT_THAT(output->text, testing::EndsWith("\n\n# Café\n\ngrüß Gott"));
}

TEST_F(http_request, reads_a_text_by_its_mark_whatever_the_header_says) {
    std::string const little(
        "\xff\xfe"
        "a\0,\0b\0",
        8
    );
    std::string const big(
        "\xfe\xff"
        "\0a\0,\0b",
        8
    );
    serve(
        {{typed("text/csv", little),
          typed("text/plain; charset=utf-16", big),
          typed("text/html; charset=iso-8859-1", "\xef\xbb\xbf<p>gr\xc3\xbc\xc3\x9f")}}
    );

    for (auto const* expected : {"\n\na,b", "\n\na,b", "\n\ngrüß"}) {
        auto const output = get();
        ASSERT_TRUE(output) << to_string(output.error());
        EXPECT_THAT(output->text, testing::EndsWith(expected));
    }
}

// Postgres stores none, and a model has no use for it.
TEST_F(http_request, returns_no_zero_byte) {
    serve(
        {{typed("text/plain", std::string("a\0b\0", 4)),
          typed("application/json", std::string("{}\0", 3)),
          typed("text/html", std::string("<p>a\0b</p>\0<p>c</p>", 20))}}
    );

    auto const text = get();
    auto const data = get();
    auto const page = get();

    ASSERT_TRUE(text && data && page);
    EXPECT_THAT(text->text, HasSubstr("[text/plain, 4 bytes, which cannot be shown as text]"));
    EXPECT_THAT(data->text, HasSubstr("[application/json, 3 bytes, which cannot be"));
    EXPECT_THAT(page->text, testing::EndsWith("\n\nab\n\nc"));
}

TEST_F(http_request, tells_of_binary_bodies_and_keeps_images) {
    serve({{typed("application/pdf", std::string("%PDF\0x", 6)), typed("image/png", "pixels")}});

    auto const document = get();
    auto const image = get();

    ASSERT_TRUE(document && image);
    EXPECT_THAT(document->text, HasSubstr("[application/pdf, 6 bytes, which cannot be shown"));
    ASSERT_THAT(image->media, SizeIs(1));
    EXPECT_EQ(image->media[0], (tool_media{"image/png", "pixels"}));
}

TEST_F(http_request, refuses_an_answer_that_is_too_large) {
    serve({{tests::ok(std::string(3u << 20, 'x'))}});

    auto const output = get();

    EXPECT_EQ(output.error(), errc::too_large);
    EXPECT_THAT(output.error().detail, HasSubstr("larger than 2097152 bytes"));
}

TEST_F(http_request, cannot_set_headers_of_the_connection_or_of_a_person) {
    serve({});
    for (auto const* name :
         {"Host",
          "connection",
          "Content-Length",
          "Transfer-Encoding",
          "Cookie",
          "X-Forwarded-For",
          "Proxy-Authorization",
          "Accept-Encoding",
          "a b",
          ""}) {
        auto const output = call({{"url", server->origin()}, {"headers", {{name, "x"}}}});
        EXPECT_EQ(output.error(), errc::invalid) << name;
    }
    auto const split = call({{"url", server->origin()}, {"headers", {{"A", "x\r\nHost: y"}}}});
    EXPECT_EQ(split.error(), errc::invalid);
    EXPECT_EQ(server->connections(), 0u);
}

// The operator's list is the only way to an address that is not public, whatever a flow allows and
// however the address is written.
// covers: S3.13
TEST_F(http_request, reaches_no_private_address_that_the_operator_did_not_name) {
    serve({});
    settings["allowed_hosts"] = json::array{"127.0.0.1", "localhost", "[::1]", "2130706433"};
    for (auto const* listed : {"", "10.9.8.7"}) {
        allow(listed);
        for (auto const* host :
             {"127.0.0.1",
              "localhost",
              "[::1]",
              "[::ffff:127.0.0.1]",
              "2130706433",
              "0x7f.1",
              "0177.0.0.1",
              "127.1",
              "0",
              "%31%32%37.0.0.1",
              "169.254.169.254"}) {
            auto const output =
                call({{"url", "http://" + std::string(host) + ":" + server->port() + "/"}});
            ASSERT_FALSE(output) << host;
            EXPECT_FALSE(output.error() == errc::internal) << host;
        }
    }
    EXPECT_EQ(server->connections(), 0u);
}

// A name of the world may lead anywhere by tomorrow.
TEST_F(http_request, trusts_no_public_name_to_lead_to_a_private_address) {
    serve({{tests::ok("secret")}});
    net::http_client_options guarded = net::guarded_options();
    guarded.look_up = [](std::string const&, std::string const& port) {
        return net::look_up_by_system("127.0.0.1", port);
    };
    auto trusting = guarded;
    trusting.egress = {};
    net::guarded_client rebound{
        net::make_http_client(io.executor(), guarded),
        net::make_http_client(io.executor(), trusting)};
    auto fetch = [&](std::string const& host) {
        allow(host);
        tool_context context(
            {{}, job, base::system_clock(), settings, "key", &rebound, configuration}
        );
        json::object arguments{
            {"url", "http://" + host + ":" + server->port() + "/"}, {"method", "GET"}};
        return io.run(find_tool("http_request")->run(context, std::move(arguments)));
    };

    EXPECT_EQ(fetch("api.example.org").error(), errc::refused);
    EXPECT_TRUE(fetch("api.internal"));
    rebound.close();
}

TEST_F(http_request, a_flow_narrows_the_operators_list) {
    serve({{tests::ok("hello")}});
    settings["allowed_hosts"] = json::array{"api.example.org"};
    EXPECT_EQ(get().error(), errc::refused);

    settings["allowed_hosts"] = json::array{"127.0.0.1:" + server->port()};
    EXPECT_TRUE(get());
}

TEST(http_request_tool, declares_what_a_call_can_do) {
    auto const& tool = *find_tool("http_request");
    auto const with = [](char const* method) { return json::object{{"method", method}}; };

    EXPECT_EQ(tool.risk({}, with("GET")), risk::medium);
    EXPECT_EQ(tool.risk({}, with("HEAD")), risk::medium);
    for (auto const* method : {"POST", "PUT", "PATCH", "DELETE"})
        EXPECT_EQ(tool.risk({}, with(method)), risk::high) << method;
    EXPECT_EQ(tool.effect_class({}, with("GET")), effect_class::pure);
    EXPECT_EQ(tool.effect_class({}, with("PUT")), effect_class::idempotent);
    EXPECT_EQ(tool.effect_class({}, with("DELETE")), effect_class::idempotent);
    EXPECT_EQ(tool.effect_class({}, with("POST")), effect_class::at_least_once);
    EXPECT_EQ(tool.effect_class({{"drops_repeats", true}}, with("PATCH")), effect_class::keyed);
}

// Whatever the node calls the tool, and whatever the tool says of a call.
TEST(http_request_tool, the_operator_says_its_risk) {
    for (auto const configured : {risk::low, risk::high}) {
        auto offered = flow::offer(*find_tool("http_request"), "calculator");
        flow::configure(
            offered,
            {{"http_request", {.risk = configured}}, {"calculator", {.risk = risk::medium}}}
        );

        EXPECT_EQ(offered.risk({}, {{"method", "GET"}}), configured);
        EXPECT_EQ(offered.risk({}, {{"method", "DELETE"}}), configured);
    }
}

} // namespace
} // namespace postrider::agent::http_request_test
