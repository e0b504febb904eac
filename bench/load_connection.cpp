#include "bench/load_connection.hpp"

#include "net/listen_socket.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <charconv>
#include <stdexcept>

namespace postrider::bench {

namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t answer_limit = 1u << 20;

// The number that begins after the text, or a std::runtime_error.
std::size_t number_after(std::string_view head, std::string_view text) {
    std::size_t number = 0;
    auto const at = head.find(text);
    if (at == head.npos) throw std::runtime_error("an answer without " + std::string(text));
    auto const from = head.substr(at + text.size());
    auto const end = std::from_chars(from.data(), from.data() + from.size(), number);
    if (end.ec != std::errc{}) throw std::runtime_error("no number after " + std::string(text));
    return number;
}

} // namespace

std::string load_connection::answer::field(std::string_view name) const {
    auto const line = "\r\n" + std::string(name) + ": ";
    auto const at = head.find(line);
    if (at == head.npos) return {};
    auto const from = at + line.size();
    return head.substr(from, head.find("\r\n", from) - from);
}

base::awaitable<load_connection> load_connection::open(std::string address) {
    auto const to = net::parse_listen_address(address);
    if (!to || to->is_unix()) throw std::runtime_error(address + " is no host:port");
    tcp::socket socket{co_await asio::this_coro::executor};
    co_await socket.async_connect(net::to_tcp(to->endpoint), asio::use_awaitable);
    socket.set_option(tcp::no_delay(true));
    co_return load_connection{std::move(socket)};
}

base::awaitable<load_connection::answer> load_connection::exchange(std::string_view request) {
    co_await asio::async_write(socket_, asio::buffer(request), asio::use_awaitable);
    auto const head_size = co_await asio::async_read_until(
        socket_, asio::dynamic_buffer(read_, answer_limit), "\r\n\r\n", asio::use_awaitable
    );
    auto const head = std::string_view(read_).substr(0, head_size);
    auto const status = static_cast<int>(number_after(head, "HTTP/1.1 "));
    auto const whole = head_size + number_after(head, "Content-Length: ");
    if (read_.size() < whole)
        co_await asio::async_read(
            socket_,
            asio::dynamic_buffer(read_, answer_limit),
            asio::transfer_at_least(whole - read_.size()),
            asio::use_awaitable
        );
    answer received{status, read_.substr(0, head_size), read_.substr(head_size, whole - head_size)};
    read_.erase(0, whole);
    co_return received;
}

} // namespace postrider::bench
