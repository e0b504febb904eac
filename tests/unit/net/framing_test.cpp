#include "net/framing.hpp"
#include "net/request_parser.hpp"

#include <gtest/gtest.h>

namespace postrider::net::framing_test {
namespace {

struct vector_of_attack {
    char const* name;
    std::string_view bytes;
};

// Through the guard and Beast together, as a session does it: every one must be refused.
constexpr vector_of_attack refused_heads[] = {
    {"both lengths",
     "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {"both, other order",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"},
    {"two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"},
    {"two lengths, two cases",
     "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\ncontent-length: 6\r\n\r\n"},
    {"list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n"},
    {"signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n"},
    {"negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n"},
    {"length with a space", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5 0\r\n\r\n"},
    {"hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\n"},
    {"empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"},
    {"overflowing length",
     "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551621\r\n\r\n"},
    {"length of 19 digits",
     "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0000000000000000005\r\n\r\n"},
    {"unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n"},
    {"two codings in a list",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"},
    {"chunked twice in a list",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n"},
    {"chunked not last", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n"},
    {"chunked with a comma", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ,chunked\r\n\r\n"},
    {"chunked in quotes", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n"},
    {"chunked with a parameter",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;q=1\r\n\r\n"},
    {"empty coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n"},
    {"two coding fields",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
     "chunked\r\n\r\n"},
    {"coding behind a foreign one",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {"coding in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"},
    {"space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\n"},
    {"tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\t: chunked\r\n\r\n"},
    {"folded field", "POST / HTTP/1.1\r\nHost: a\r\nX: 1\r\n Content-Length: 5\r\n\r\n"},
    {"folded coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n"},
    {"field that starts with a space", "POST / HTTP/1.1\r\n Host: a\r\n\r\n"},
    {"line feed alone ends a line", "POST / HTTP/1.1\r\nHost: a\nContent-Length: 5\r\n\r\n"},
    {"line feeds alone", "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n"},
    {"carriage return inside a value",
     "POST / HTTP/1.1\r\nHost: a\r\nX: 1\rContent-Length: 5\r\n\r\n"},
    {"zero byte", std::string_view("POST / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 36)},
    {"vertical tab before chunked",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \vchunked\r\n\r\n"},
    {"field without a colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length\r\n\r\n"},
    {"field without a name", "POST / HTTP/1.1\r\nHost: a\r\n: 5\r\n\r\n"},
    {"no host", "GET / HTTP/1.1\r\n\r\n"},
    {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
    {"two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
    {"host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
    {"host with user info", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"},
    {"trailers announced",
     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"},
    {"HTTP/0.9", "GET /\r\n\r\n"},
    {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n"},
    {"HTTP/2.0", "PRI * HTTP/2.0\r\n\r\n"},
    {"lower-case version", "GET / http/1.1\r\nHost: a\r\n\r\n"},
    {"space behind the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},
    {"two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"CONNECT to a path", "CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"absolute form", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"control byte in the target", "GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"delete byte in the target", "GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"raw UTF-8 in the target", "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"fragment in the target", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
};

TEST(framing, refuses_every_ambiguous_head) {
    for (auto const& each : refused_heads) {
        request_parser parser;
        EXPECT_TRUE(parser.parse_head(each.bytes)) << each.name;
    }
}

struct good_head {
    char const* name;
    std::string_view bytes;
    std::optional<std::uint64_t> length; // nothing: chunked
};

constexpr good_head accepted_heads[] = {
    {"no body", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 0},
    {"length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 5},
    {"length with padding", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \t 5 \r\n\r\n", 5},
    {"length with leading zeros", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\n", 5},
    {"chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n", std::nullopt},
    {"HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", 0},
    {"empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 0},
    {"host with a port", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", 0},
    {"tab inside a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\tb\r\n\r\n", 0},
    {"UTF-8 in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \xc3\xa9\r\n\r\n", 0},
};

TEST(framing, accepts_plain_heads) {
    for (auto const& each : accepted_heads) {
        request_parser parser;
        auto refused = parser.parse_head(each.bytes);
        ASSERT_FALSE(refused) << each.name << ": " << *refused;
        EXPECT_EQ(parser.declared_length(), each.length) << each.name;
        EXPECT_EQ(parser.done(), each.length == 0u) << each.name;
    }
}

TEST(framing, judges_the_beginning_of_a_head_too) {
    EXPECT_FALSE(refuse_lines("GET / HTTP/1.1\r"));
    EXPECT_FALSE(refuse_lines("GET / HTTP/1.1\r\n"));
    EXPECT_TRUE(refuse_lines("GET / HTTP/1.1\n"));
    EXPECT_TRUE(refuse_lines("\x16\x03\x01")); // a TLS client
}

using parse_state = request_parser::parse_state;

constexpr std::string_view chunked_head =
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

// Feeds the body one byte at a time, as the worst network does.
parse_state parse_chunks(request_parser& parser, std::string_view body) {
    EXPECT_FALSE(parser.parse_head(chunked_head));
    parser.limit_body(100, oversize::refuse);
    std::string pending;
    for (char c : body) {
        pending += c;
        std::size_t used = 0;
        auto state = parser.parse_body(pending, used);
        pending.erase(0, used);
        if (state != parse_state::more) return state;
    }
    return parse_state::more;
}

TEST(request_parser, joins_chunks) {
    request_parser parser;

    auto state = parse_chunks(parser, "3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n");

    EXPECT_EQ(state, parse_state::done);
    EXPECT_EQ(parser.request().body, "abc0123456789");
}

TEST(request_parser, takes_an_empty_chunked_body_in_pieces) {
    request_parser parser;

    EXPECT_EQ(parse_chunks(parser, "0\r\n\r\n"), parse_state::done);
    EXPECT_EQ(parser.request().body, "");
}

TEST(request_parser, refuses_ambiguous_chunks) {
    for (auto body : {
             "3;ext=1\r\nabc\r\n0\r\n\r\n",           // extension
             "3\nabc\r\n0\r\n\r\n",                   // line feed alone
             "0x3\r\nabc\r\n0\r\n\r\n",               // prefix
             "-3\r\nabc\r\n0\r\n\r\n",                // sign
             "3 \r\nabc\r\n0\r\n\r\n",                // padding
             "3\r\nabcd\r\n0\r\n\r\n",                // more than announced
             "3\r\nabc0\r\n\r\n",                     // no line end behind a chunk
             "FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n", // overflow
             "3\r\nabc\r\n0\r\nX: 1\r\n\r\n",         // trailer
             "3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n",
             "3\r\nabc\r\n0;a\r\n\r\n",
         }) {
        request_parser parser;
        EXPECT_EQ(parse_chunks(parser, body), parse_state::malformed) << body;
    }
}

TEST(request_parser, refuses_a_body_beyond_the_limit) {
    request_parser parser;

    auto state = parse_chunks(parser, "65\r\n" + std::string(101, 'x') + "\r\n0\r\n\r\n");

    EXPECT_EQ(state, parse_state::oversize);
}

TEST(request_parser, keeps_the_beginning_of_a_body_when_told_to_cut) {
    request_parser parser;
    ASSERT_FALSE(parser.parse_head("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n"));
    parser.limit_body(3, oversize::truncate);

    std::size_t used = 0;
    auto state = parser.parse_body("abcdefghGET", used);

    EXPECT_EQ(state, parse_state::done);
    EXPECT_EQ(used, 8u);
    EXPECT_EQ(parser.request().body, "abc");
    EXPECT_TRUE(parser.request().truncated);
}

TEST(request_parser, a_body_of_exactly_the_limit_is_whole) {
    request_parser parser;
    ASSERT_FALSE(parser.parse_head("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"));
    parser.limit_body(3, oversize::truncate);

    std::size_t used = 0;
    parser.parse_body("abc", used);

    EXPECT_EQ(parser.request().body, "abc");
    EXPECT_FALSE(parser.request().truncated);
}

TEST(request_parser, splits_the_target) {
    request_parser parser;

    ASSERT_FALSE(parser.parse_head("GET /a/b?c=d?e HTTP/1.1\r\nHost: a\r\n\r\n"));

    EXPECT_EQ(parser.request().path, "/a/b");
    EXPECT_EQ(parser.request().query, "c=d?e");
}

TEST(request_parser, knows_whether_the_connection_goes_on) {
    auto keeps = [](std::string_view head) {
        request_parser parser;
        EXPECT_FALSE(parser.parse_head(head));
        return parser.keep_alive();
    };

    EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
    EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

} // namespace
} // namespace postrider::net::framing_test
