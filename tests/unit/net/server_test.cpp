#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace postrider::net::server_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tests::converse;
using tests::echo_route;
using tests::loop;
using tests::raw_connection;
using tests::test_server;

awaitable<http_response> tell_client(http_request request) {
    co_return http_response::text(
        200,
        request.remote + " " + request.id + " " + request.query + " " +
            std::string(request.param("name"))
    );
}

awaitable<http_response> fail(http_request) {
    co_await base::sleep_for(0ms);
    throw std::runtime_error("a secret of the inside");
}

awaitable<http_response> ask_to_close(http_request) {
    auto answer = http_response::empty(200);
    answer.close = true;
    co_return answer;
}

awaitable<http_response> answer_malformed(http_request) {
    co_return http_response{200, {{"Location", "/\r\nSet-Cookie: a=b"}}, "", false};
}

awaitable<http_response> answer_much(http_request) {
    co_return http_response::text(200, std::string(3u << 20, 'x'));
}

awaitable<http_response> answer_lasting(http_request) {
    static std::string const lasting(100'000, 'y');
    auto answer = http_response::empty(200);
    answer.lasting_body = lasting;
    co_return answer;
}

route get(std::string pattern, awaitable<http_response> (*handle)(http_request)) {
    route to;
    to.method = "GET";
    to.pattern = std::move(pattern);
    to.handle = handle;
    return to;
}

// covers: E.02
TEST(server, keeps_the_connection_for_the_next_request) {
    loop io;
    test_server server{io, {echo_route()}};
    auto both = [](std::string address) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none");
        auto first = co_await line.read_until("]");
        co_await line.send(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\ntwo"
        );
        co_return first + co_await line.read_to_end();
    };

    auto answers = io.run(both(server.address()));

    EXPECT_THAT(answers, HasSubstr("POST /echo [one]"));
    EXPECT_THAT(answers, HasSubstr("POST /echo [two]"));
    EXPECT_EQ(server->counts().accepted, 1u);
    EXPECT_EQ(server->counts().requests, 2u);
}

TEST(server, answers_pipelined_requests_in_order) {
    loop io;
    test_server server{io, {echo_route(), get("/who/{name}", tell_client)}};

    auto answers = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
        "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
        "GET /who/three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    ));

    auto const first = answers.find("[one]");
    auto const second = answers.find("[two]");
    auto const missing = answers.find("404 Not Found");
    auto const third = answers.find(" three");
    EXPECT_LT(first, second);
    EXPECT_LT(second, missing);
    EXPECT_LT(missing, third);
    EXPECT_NE(third, std::string::npos);
}

TEST(server, takes_a_request_byte_by_byte) {
    loop io;
    test_server server{io, {echo_route()}};
    auto drip = [](std::string address) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        for (char c : std::string_view("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                                       "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")) {
            co_await line.send(std::string(1, c));
            co_await base::sleep_for(0ms); // lets the server read this byte alone
        }
        co_return co_await line.read_to_end();
    };

    EXPECT_THAT(io.run(drip(server.address())), HasSubstr("[abc]"));
}

TEST(server, an_empty_answer_says_so) {
    loop io;
    test_server server{io, {get("/", tests::answer_empty)}};

    auto answer =
        io.run(converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        );

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, HasSubstr("Content-Length: 0\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST(server, head_gets_the_head_alone) {
    loop io;
    test_server server{io, {echo_route("GET")}};

    auto answer = io.run(
        converse(server.address(), "HEAD /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    );

    EXPECT_THAT(answer, HasSubstr("Content-Length: 13\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST(server, http_1_0_keeps_the_connection_only_when_asked) {
    loop io;
    test_server server{io, {echo_route("GET")}};

    auto answers = io.run(converse(
        server.address(),
        "GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /echo HTTP/1.0\r\n\r\nGET /echo "
        "HTTP/1.0\r\n\r\n"
    ));

    EXPECT_EQ(tests::count_answers(answers), 2u);
    EXPECT_THAT(answers, HasSubstr("Connection: keep-alive\r\n"));
    EXPECT_THAT(answers, HasSubstr("Connection: close\r\n"));
}

TEST(server, a_handler_can_close_the_connection) {
    loop io;
    test_server server{io, {get("/", ask_to_close)}};

    auto answers = io.run(converse(
        server.address(), "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
    ));

    EXPECT_EQ(tests::count_answers(answers), 1u);
    EXPECT_THAT(answers, HasSubstr("Connection: close\r\n"));
}

TEST(server, an_exception_is_a_500_without_internals_and_the_connection_lives) {
    loop io;
    test_server server{io, {get("/fail", fail), echo_route("GET")}};

    auto answers = io.run(converse(
        server.address(),
        "GET /fail HTTP/1.1\r\nHost: a\r\n\r\nGET /echo HTTP/1.1\r\nHost: a\r\nConnection: "
        "close\r\n\r\n"
    ));

    EXPECT_THAT(answers, StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(answers, HasSubstr(R"("code":"internal")"));
    EXPECT_THAT(answers, Not(HasSubstr("secret")));
    EXPECT_THAT(answers, HasSubstr("GET /echo []"));
}

TEST(server, a_field_that_would_write_the_answer_is_a_500) {
    loop io;
    test_server server{io, {get("/", answer_malformed)}};

    auto answer =
        io.run(converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        );

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(answer, Not(HasSubstr("Set-Cookie")));
}

TEST(server, sends_lasting_memory_instead_of_a_body) {
    loop io;
    test_server server{io, {get("/", answer_lasting)}};

    auto answer =
        io.run(converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        );

    EXPECT_THAT(answer, HasSubstr("Content-Length: 100000\r\n"));
    EXPECT_TRUE(answer.ends_with("\r\n\r\n" + std::string(100'000, 'y')));
}

TEST(server, sends_a_large_answer_whole) {
    loop io;
    test_server server{io, {get("/", answer_much)}};

    auto answer =
        io.run(converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        );

    EXPECT_TRUE(answer.ends_with("\r\n\r\n" + std::string(3u << 20, 'x')));
}

std::string id_of(std::string const& answer) {
    auto const at = answer.find("X-Request-Id: ");
    return at == std::string::npos ? "" : answer.substr(at + 14, answer.find("\r\n", at) - at - 14);
}

constexpr auto who_request =
    "GET /who?a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: theirs-1\r\n"
    "X-Forwarded-For: 203.0.113.9\r\n\r\n";

TEST(server, believes_no_stranger) {
    loop io;
    test_server server{io, {get("/who", tell_client)}};

    auto answer = io.run(converse(server.address(), who_request));

    EXPECT_EQ(id_of(answer).size(), 16u);
    EXPECT_THAT(answer, HasSubstr("127.0.0.1 " + id_of(answer) + " a=b"));
}

TEST(server, believes_a_trusted_proxy) {
    loop io;
    auto options = test_server::any_port();
    options.trusted_proxies = {"127.0.0.0/8"};
    test_server server{io, {get("/who", tell_client)}, options};

    auto answer = io.run(converse(server.address(), who_request));

    EXPECT_EQ(id_of(answer), "theirs-1");
    EXPECT_THAT(answer, HasSubstr("203.0.113.9 theirs-1 a=b"));
}

TEST(server, gives_each_request_its_own_id) {
    loop io;
    test_server server{io, {get("/who", tell_client)}};

    auto first = io.run(converse(server.address(), who_request));
    auto second = io.run(converse(server.address(), who_request));

    EXPECT_NE(id_of(first), id_of(second));
}

class unix_server : public testing::Test {
protected:
    std::string path = testing::TempDir() + "postrider-net-" + std::to_string(::getpid()) + ".sock";

    http_server_options options() const {
        http_server_options behind_proxy;
        behind_proxy.listen = "unix:" + path;
        behind_proxy.trusted_proxies = {"unix"};
        return behind_proxy;
    }
    void TearDown() override { ::unlink(path.c_str()); }
};

TEST_F(unix_server, serves_a_unix_socket) {
    loop io;
    test_server server{io, {get("/who", tell_client)}, options()};
    struct stat status {};

    auto answer = io.run(converse(server.address(), who_request));

    EXPECT_EQ(server.address(), "unix:" + path);
    EXPECT_THAT(answer, HasSubstr("203.0.113.9 theirs-1"));
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0660u);
}

TEST_F(unix_server, replaces_the_file_of_a_dead_process_only) {
    loop io;
    {
        // Closed without being unlinked, as a killed process leaves it.
        base::asio::local::stream_protocol::acceptor dead{
            io.context, base::asio::local::stream_protocol::endpoint{path}};
    }
    test_server first{io, {get("/who", tell_client)}, options()};
    auto second = make_http_server(io.executor(), options(), router{{}});

    auto refused = second->start();

    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::errc::unavailable);
    EXPECT_THAT(io.run(converse(first.address(), who_request)), StartsWith("HTTP/1.1 200 "));
}

TEST_F(unix_server, leaves_a_file_that_is_no_socket_alone) {
    loop io;
    std::fclose(std::fopen(path.c_str(), "w"));
    auto server = make_http_server(io.executor(), options(), router{{}});

    EXPECT_FALSE(server->start());

    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_TRUE(S_ISREG(status.st_mode));
}

TEST_F(unix_server, takes_its_file_away) {
    loop io;
    { test_server server{io, {}, options()}; }

    EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST(server, refuses_to_start_on_what_it_does_not_understand) {
    loop io;
    for (auto listen :
         {"",
          "8080",
          "localhost",
          "host.example:80",
          "::1:80",
          "127.0.0.1:",
          "127.0.0.1:66000",
          "127.0.0.1:+80",
          "[127.0.0.1]:80",
          "unix:",
          "unix:relative"}) {
        auto options = test_server::any_port();
        options.listen = listen;
        auto server = make_http_server(io.executor(), options, router{{}});
        auto started = server->start();
        ASSERT_FALSE(started) << listen;
        EXPECT_EQ(started.error().code, base::errc::invalid) << listen;
    }
    auto options = test_server::any_port();
    options.trusted_proxies = {"10.0.0.0/99"};
    EXPECT_EQ(
        make_http_server(io.executor(), options, router{{}})->start().error().code,
        base::errc::invalid
    );
}

TEST(server, says_when_the_port_is_taken) {
    loop io;
    test_server first{io, {}};
    auto options = test_server::any_port();
    options.listen = first.address();

    auto second = make_http_server(io.executor(), options, router{{}});

    EXPECT_EQ(second->start().error().code, base::errc::unavailable);
}

TEST(server, listens_on_ipv6) {
    loop io;
    auto options = test_server::any_port();
    options.listen = "[::1]:0";
    auto server = make_http_server(io.executor(), options, router{{get("/who", tell_client)}});
    if (!server->start()) GTEST_SKIP() << "no IPv6 here";

    auto answer = io.run(converse(server->address(), who_request));
    io.run(server->drain(0s));

    EXPECT_THAT(server->address(), StartsWith("[::1]:"));
    EXPECT_THAT(answer, HasSubstr("::1 "));
}

} // namespace
} // namespace postrider::net::server_test
