// Servers whose answer never ends: whichever part of it goes on, the client stops reading.
#include "net/answer_parser.hpp"
#include "tests/unit/net/client_fixture.hpp"

#include <gmock/gmock.h>

#include <array>

namespace postrider::net::hostile_answer_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
namespace asio = boost::asio;

// Far beyond every limit of the calls below and what the kernel keeps for a connection.
constexpr std::size_t flood = 64u << 20;
constexpr std::size_t body_limit = 256u << 10;

// An answer that begins well and then repeats a piece without end.
struct endless_answer {
    std::string_view part;
    std::string beginning;
    std::string piece;
};

std::ostream& operator<<(std::ostream& out, endless_answer const& answer) {
    return out << answer.part;
}

std::string const ok_line = "HTTP/1.1 200 OK\r\n";
std::string const chunked = ok_line + "Transfer-Encoding: chunked\r\n\r\n";

std::vector<endless_answer> endless_framing() {
    return {
        {"white space before the answer", "", "\r\n"},
        {"no answer at all", "", "x"},
        {"version", "HTTP/1.", "1"},
        {"status", "HTTP/1.1 ", "2"},
        {"reason", "HTTP/1.1 200 ", "O"},
        {"field name", ok_line, "n"},
        {"field value", ok_line + "Name: ", "v"},
        {"blanks before a value", ok_line + "Name:", " "},
        {"folded value", ok_line + "Name: v\r\n", " v\r\n"},
        {"short fields", ok_line, "n: v\r\n"},
        {"empty fields", ok_line, "n:\r\n"},
        {"long fields", ok_line, "Name: " + std::string(10'000, 'v') + "\r\n"},
        {"interim answers", "", "HTTP/1.1 100 Continue\r\n\r\n"},
        {"interim answers without a reason", "", "HTTP/1.1 199 \r\n\r\n"},
        {"interim answers with fields", "", "HTTP/1.1 103 Hints\r\nLink: </x>\r\n\r\n"},
        {"field of an interim answer", "HTTP/1.1 103 Hints\r\nLink: ", "v"},
        {"head behind an interim answer", "HTTP/1.1 100 Continue\r\n\r\n" + ok_line, "n: v\r\n"},
        {"first chunk's size", chunked, "0"},
        {"later chunk's size", chunked + "1\r\nx\r\n", "0"},
        {"end of a chunk", chunked + "1\r\nx", "y"},
        {"extension's name", chunked + "1;", "n"},
        {"extension's value", chunked + "1;n=", "v"},
        {"extension's quoted value", chunked + "1;n=\"", "v"},
        {"many extensions", chunked + "1", ";n=v"},
        {"blanks before an extension", chunked + "1", " "},
        {"later chunk's extension", chunked + "1\r\nx\r\n1;", "n"},
        {"last chunk's extension", chunked + "0;", "n"},
        {"later last chunk's extension", chunked + "1\r\nx\r\n0;n=", "v"},
        {"trailer's name", chunked + "0\r\n", "n"},
        {"trailer's value", chunked + "0\r\nName: ", "v"},
        {"trailers", chunked + "0\r\n", "n: v\r\n"},
        {"trailers behind a chunk", chunked + "1\r\nx\r\n0\r\n", "n: v\r\n"},
        {"folded trailer", chunked + "0\r\nName: v\r\n", " v\r\n"},
    };
}

std::vector<endless_answer> endless_bodies() {
    std::string const refused = "HTTP/1.1 500 No\r\n";
    return {
        {"body that ends with the connection", ok_line + "\r\n", "x"},
        {"body of a declared length", ok_line + "Content-Length: 9999999999\r\n\r\n", "x"},
        {"one chunk", chunked + "ffffffffff\r\n", "x"},
        {"small chunks", chunked, "1\r\nx\r\n"},
        {"chunks with extensions", chunked, "1;n=v\r\nx\r\n"},
        {"large chunks", chunked, "1000\r\n" + std::string(0x1000, 'x') + "\r\n"},
        {"body of a refusal", refused + "\r\n", "x"},
        {"chunks of a refusal", refused + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"},
    };
}

class hostile_server {
public:
    hostile_server(asio::any_io_executor executor, endless_answer answer)
        : acceptor_(executor, {asio::ip::address_v4::loopback(), 0}),
          answer_(std::move(answer)),
          tasks_(executor) {
        while (block_.size() < 256u << 10) block_ += answer_.piece;
        tasks_.spawn("hostile", serve());
    }

    std::string origin() const {
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    }
    std::size_t sent() const { return sent_; }
    awaitable<void> finish() {
        tasks_.cancel();
        co_await tasks_.join();
    }

private:
    awaitable<void> serve() {
        auto socket = co_await acceptor_.async_accept(asio::use_awaitable);
        boost::system::error_code ec;
        auto written = asio::redirect_error(asio::use_awaitable, ec);
        co_await asio::async_write(socket, asio::buffer(answer_.beginning), written);
        while (!ec && sent_ < flood)
            sent_ += co_await asio::async_write(socket, asio::buffer(block_), written);
    }

    asio::ip::tcp::acceptor acceptor_;
    endless_answer answer_;
    std::string block_; // many pieces
    std::size_t sent_ = 0;
    base::task_group tasks_;
};

class hostile_answer : public testing::TestWithParam<endless_answer> {
protected:
    base::result<http_answer> receive(http_call call) {
        tests::loop io;
        auto http = make_http_client(io.executor());
        hostile_server server{io.executor(), GetParam()};
        call.method = "GET";
        call.origin = server.origin();
        call.target = "/";
        call.answer_limit = body_limit;
        auto answer = io.run(http->send(std::move(call)));
        EXPECT_LT(server.sent(), flood) << "it is read to its end";
        http->close();
        io.run(server.finish());
        return answer;
    }
};

class hostile_framing : public hostile_answer {};
class hostile_body : public hostile_answer {};

// What is no HTTP at all may also be refused as such, before it is too large.
void expect_refusal(base::result<http_answer> const& answer) {
    ASSERT_FALSE(answer);
    EXPECT_THAT(
        (std::array{errc::too_large, errc::invalid}), testing::Contains(answer.error().code)
    ) << answer.error().detail;
}

TEST_P(hostile_framing, ends_the_call) {
    expect_refusal(receive({}));
}

TEST_P(hostile_framing, ends_a_stream_without_limit) {
    http_call call;
    call.endless_type = "text/event-stream";
    call.take_body = [](std::string_view) {};

    expect_refusal(receive(std::move(call)));
}

TEST_P(hostile_body, is_too_large) {
    EXPECT_EQ(receive({}).error().code, errc::too_large);
}

TEST_P(hostile_body, is_too_large_for_a_reader_of_pieces) {
    std::size_t taken = 0;
    http_call call;
    call.take_body = [&taken](std::string_view bytes) { taken += bytes.size(); };

    EXPECT_EQ(receive(std::move(call)).error().code, errc::too_large);
    EXPECT_LE(taken, body_limit);
}

std::string name_of(testing::TestParamInfo<endless_answer> const& info) {
    std::string name;
    for (char c : info.param.part) name += c == ' ' ? '_' : c;
    std::erase(name, '\'');
    return name;
}

INSTANTIATE_TEST_SUITE_P(parts, hostile_framing, testing::ValuesIn(endless_framing()), name_of);
INSTANTIATE_TEST_SUITE_P(parts, hostile_body, testing::ValuesIn(endless_bodies()), name_of);

// The limit is of all heads of an answer, however they come.
TEST(answer_parser, takes_a_large_head_and_not_a_larger_one) {
    http_call const call;
    std::string const field = "Name: " + std::string(992, 'v') + "\r\n";
    for (int const fields : {60, 66}) {
        answer_parser parser{call};
        auto state = answer_parser::parse_state::more;
        std::string pending = ok_line;
        for (int i = 0; i < fields && state == answer_parser::parse_state::more; ++i) {
            pending += field;
            std::size_t used = 0;
            state = parser.parse(pending, used);
            pending.erase(0, used);
        }
        using enum answer_parser::parse_state;
        EXPECT_EQ(state, fields == 60 ? more : too_large) << fields;
    }
}

} // namespace
} // namespace postrider::net::hostile_answer_test
