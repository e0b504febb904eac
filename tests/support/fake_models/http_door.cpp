#include "tests/support/fake_models/http_door.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <sstream>

namespace postrider::tests {

namespace asio = boost::asio;

namespace {

std::string lower(std::string text) {
    for (auto& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

door_request parse_head(std::string const& head) {
    std::istringstream lines(head);
    door_request request;
    lines >> request.method >> request.path;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        auto colon = line.find(':');
        if (colon == line.npos) continue;
        auto value = line.substr(colon + 1);
        value.erase(0, value.find_first_not_of(' '));
        while (!value.empty() && (value.back() == '\r' || value.back() == ' ')) value.pop_back();
        request.headers[lower(line.substr(0, colon))] = value;
    }
    return request;
}

std::string bytes_of(door_answer const& answer) {
    std::string out = "HTTP/1.1 " + std::to_string(answer.status) + " Fake\r\n";
    for (auto const& [name, value] : answer.headers) out += name + ": " + value + "\r\n";
    if (!answer.chunks.empty()) return out + "Transfer-Encoding: chunked\r\n\r\n";
    out += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n";
    return out + (answer.cut ? answer.body.substr(0, answer.body.size() / 2) : answer.body);
}

base::awaitable<void> write_chunks(asio::ip::tcp::socket& to, door_answer const& answer) {
    for (std::size_t i = 0; i < answer.chunks.size(); ++i) {
        if (i + 1 == answer.chunks.size()) {
            if (answer.go_on) co_await answer.go_on();
            if (answer.cut) co_return;
        }
        std::ostringstream bytes;
        bytes << std::hex << answer.chunks[i].size() << "\r\n" << answer.chunks[i] << "\r\n";
        auto const text = bytes.str();
        co_await asio::async_write(to, asio::buffer(text), asio::use_awaitable);
    }
    if (answer.chunks.empty()) co_return;
    co_await asio::async_write(to, asio::buffer("0\r\n\r\n", 5), asio::use_awaitable);
}

} // namespace

base::awaitable<void> serve_connection(
    asio::ip::tcp::socket connection, door_handler const& handle
) {
    std::string buffer;
    for (;;) {
        auto const head = co_await asio::async_read_until(
            connection, asio::dynamic_buffer(buffer), "\r\n\r\n", asio::use_awaitable
        );
        auto request = parse_head(buffer.substr(0, head));
        buffer.erase(0, head);
        auto const length = request.headers.find("content-length");
        auto const size = length == request.headers.end() ? 0 : std::stoul(length->second);
        if (buffer.size() < size)
            co_await asio::async_read(
                connection,
                asio::dynamic_buffer(buffer),
                asio::transfer_exactly(size - buffer.size()),
                asio::use_awaitable
            );
        request.body = buffer.substr(0, size);
        buffer.erase(0, size);

        auto const answer = co_await handle(std::move(request));
        auto const bytes = bytes_of(answer);
        co_await asio::async_write(connection, asio::buffer(bytes), asio::use_awaitable);
        co_await write_chunks(connection, answer);
        if (answer.cut) co_return;
    }
}

} // namespace postrider::tests
