#pragma once
// A client that sends exactly the bytes it is given, to see what the server makes of them.
#include "base/async.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <string>

namespace postrider::tests {

class raw_connection {
public:
    explicit raw_connection(base::asio::any_io_executor executor) : socket_(std::move(executor)) {}

    // What http_server::address() gives.
    void connect(std::string const& address) {
        namespace asio = base::asio;
        if (address.starts_with("unix:")) {
            socket_.connect(asio::local::stream_protocol::endpoint{address.substr(5)});
            return;
        }
        auto const colon = address.rfind(':');
        auto host = address.substr(0, colon);
        if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
        auto const port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
        socket_.connect(asio::ip::tcp::endpoint{asio::ip::make_address(host), port});
    }

    // The server may have closed already: see was_reset().
    base::awaitable<void> send(std::string bytes) {
        boost::system::error_code ec;
        co_await base::asio::async_write(
            socket_,
            base::asio::buffer(bytes),
            base::asio::redirect_error(base::asio::use_awaitable, ec)
        );
        was_reset_ = was_reset_ || ec;
    }

    // Everything up to and including the token, or to the end when it does not come.
    base::awaitable<std::string> read_until(std::string token) {
        boost::system::error_code ec;
        auto size = co_await base::asio::async_read_until(
            socket_,
            base::asio::dynamic_buffer(unread_),
            token,
            base::asio::redirect_error(base::asio::use_awaitable, ec)
        );
        if (ec) size = unread_.size();
        auto read = unread_.substr(0, size);
        unread_.erase(0, size);
        co_return read;
    }

    base::awaitable<std::string> read_to_end() {
        boost::system::error_code ec;
        co_await base::asio::async_read(
            socket_,
            base::asio::dynamic_buffer(unread_),
            base::asio::redirect_error(base::asio::use_awaitable, ec)
        );
        was_reset_ = was_reset_ || ec != base::asio::error::eof;
        co_return std::exchange(unread_, {});
    }
    // A reset may overtake an answer and destroy it.
    bool was_reset() const { return was_reset_; }

    void close() { socket_.close(); }
    void finish_sending() { socket_.shutdown(base::asio::socket_base::shutdown_send); }

private:
    base::asio::generic::stream_protocol::socket socket_;
    std::string unread_;
    bool was_reset_ = false;
};

// Sends the bytes and reads until the server closes.
inline base::awaitable<std::string> converse(std::string address, std::string bytes) {
    raw_connection line{co_await base::asio::this_coro::executor};
    line.connect(address);
    co_await line.send(std::move(bytes));
    co_return co_await line.read_to_end();
}

// How many answers a stream of bytes holds.
inline std::size_t count_answers(std::string_view bytes) {
    std::size_t count = 0;
    for (auto at = bytes.find("HTTP/1.1 "); at != std::string_view::npos;
         at = bytes.find("HTTP/1.1 ", at + 1))
        ++count;
    return count;
}

} // namespace postrider::tests
