// What a Redis server says, however it comes, and what it says that no Redis would.
#include "net/redis_protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::redis_protocol_test {
namespace {

using base::errc;
using net::redis_reader;
using net::redis_reply;
using std::string_literals::operator""s;

std::string in_words(redis_reply const& reply) {
    switch (reply.kind) {
    case redis_reply::kind::text:
        return reply.text;
    case redis_reply::kind::number:
        return std::to_string(reply.number);
    case redis_reply::kind::failure:
        return "! " + reply.text;
    case redis_reply::kind::nothing:
        return "nothing";
    case redis_reply::kind::list:
        break;
    }
    std::string words = "[";
    for (auto const& item : reply.items) words += in_words(item) + ";";
    return words + "]";
}

// All replies in it, or the failure.
std::string read(std::string_view bytes, std::size_t at_once = 1) {
    redis_reader reader;
    std::string words;
    for (std::size_t i = 0; i < bytes.size(); i += at_once) {
        reader.feed(bytes.substr(i, at_once));
        for (;;) {
            auto reply = reader.next();
            if (!reply) return words + std::string(to_string(reply.error().code));
            if (!*reply) break;
            words += in_words(**reply) + " ";
        }
    }
    return words;
}

// covers: S3.10
TEST(redis_protocol, writes_a_command_of_any_bytes) {
    EXPECT_EQ(
        net::redis_bytes({"SET", "k\r\n", "a\0b"s}),
        "*3\r\n$3\r\nSET\r\n$3\r\nk\r\n\r\n$3\r\na\0b\r\n"s
    );
}

TEST(redis_protocol, reads_replies_byte_by_byte_and_at_once) {
    auto const bytes =
        "+OK\r\n:5\r\n$3\r\na\0b\r\n$-1\r\n*2\r\n$1\r\nx\r\n:-1\r\n-ERR no\r\n*-1\r\n*0\r\n"s;
    auto const words = "OK 5 a\0b nothing [x;-1;] ! ERR no nothing [] "s;
    EXPECT_EQ(read(bytes), words);
    EXPECT_EQ(read(bytes, bytes.size()), words);
}

TEST(redis_protocol, refuses_what_no_redis_says) {
    std::string_view const cases[]{
        "HTTP/1.1 400 Bad Request\r\n",
        "*2147483647\r\n",
        "*100001\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
    };
    for (auto bytes : cases) EXPECT_EQ(read(bytes), "invalid") << bytes;
}

TEST(redis_protocol, reads_no_endless_reply) {
    redis_reader reader;
    reader.feed("$600000000\r\n");
    std::string const piece(1 << 20, 'x');
    for (int i = 0; i < 64; ++i) reader.feed(piece);
    auto const reply = reader.next();
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, errc::too_large);
}

struct refusal {
    std::string_view words;
    errc code;
};

// Its words may quote the message that was to be stored.
TEST(redis_protocol, tells_what_a_failure_means_in_words_of_ours) {
    refusal const cases[]{
        {"NOAUTH Authentication required.", errc::unauthorized},
        {"WRONGPASS invalid username-password pair or user is disabled.", errc::unauthorized},
        {"ERR invalid password", errc::unauthorized},
        {"NOPERM this user has no permissions to run the 'zadd' command", errc::unauthorized},
        {"WRONGTYPE Operation against a key holding the wrong kind of value", errc::conflict},
        {"LOADING Redis is loading the dataset in memory", errc::unavailable},
        {"READONLY You can't write against a read only replica.", errc::unavailable},
        {"OOM command not allowed when used memory > 'maxmemory'.", errc::overloaded},
        {"ERR unknown command 'ZADD', with args beginning with: 'my secret'", errc::refused},
    };
    for (auto const& entry : cases) {
        auto const failure = net::redis_failure(entry.words);
        EXPECT_EQ(failure.code, entry.code) << entry.words;
        EXPECT_THAT(failure.detail, testing::Not(testing::HasSubstr("secret")));
    }
}

} // namespace
} // namespace postrider::tests::redis_protocol_test
