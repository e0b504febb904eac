#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_framing_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;
using tests::converse;
using tests::echo_route;
using tests::loop;
using tests::test_server;

// Each would make a lenient server answer the smuggled second request.
TEST(server_framing, refuses_with_400_and_a_close) {
    loop io;
    test_server server{io, {echo_route(), echo_route("GET")}};
    std::string const smuggled = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";
    std::string const attacks[] = {
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: "
        "chunked\r\n\r\n0\r\n\r\n" +
            smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 30\r\n\r\n" +
            smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n" + smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n" + smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" +
            smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
        "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: "
        "keep-alive\r\n\r\n0\r\n\r\n" +
            smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n" +
            smuggled,
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0;\r\n\r\n" + smuggled,
        "GET /echo HTTP/1.1\r\nHost: a\nX: y\r\n\r\n" + smuggled,
        "GET /echo HTTP/1.1\nHost: a\n\n",
        "GET http://other/echo HTTP/1.1\r\nHost: a\r\n\r\n" + smuggled,
    };
    std::size_t refused = 0;
    for (auto const& attack : attacks) {
        auto answers = io.run(converse(server.address(), attack));
        EXPECT_THAT(answers, StartsWith("HTTP/1.1 400 ")) << attack;
        EXPECT_THAT(answers, HasSubstr("Connection: close\r\n")) << attack;
        EXPECT_EQ(tests::count_answers(answers), 1u) << attack;
        EXPECT_EQ(server->counts().refused_framing, ++refused);
    }
}

TEST(server_framing, a_chunk_line_without_end_is_refused) {
    loop io;
    test_server server{io, {echo_route()}};

    auto answer = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
            std::string(100'000, '0')
    ));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400 "));
}

} // namespace
} // namespace postrider::net::server_framing_test
