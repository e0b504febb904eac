#pragma once
// An HTTP server that answers by a script, byte by byte as written there: what a client must cope
// with. Serves one connection after the other; each has its own list of answers, one per request.
#include "base/async.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <memory>
#include <string>
#include <vector>

namespace postrider::tests {

// Instead of an answer: the connection stays open and nothing is said.
inline constexpr std::string_view silence = "(silence)";
// At the end of an answer: the connection stays open and the rest never comes.
inline constexpr std::string_view stall = "(stall)";

class scripted_server {
public:
    using tcp = boost::asio::ip::tcp;
    using answers = std::vector<std::string>;

    // With a TLS context it speaks TLS. Connections beyond the last script are accepted and closed.
    scripted_server(
        boost::asio::any_io_executor executor,
        std::vector<answers> scripts,
        boost::asio::ssl::context* tls = nullptr
    )
        : acceptor_(executor, tcp::endpoint{boost::asio::ip::address_v4::loopback(), 0}),
          scripts_(std::move(scripts)),
          tls_(tls),
          tasks_(executor) {
        tasks_.spawn("scripted", accept());
    }

    std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }
    std::string origin() const {
        return (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + port();
    }

    std::size_t connections() const { return connections_; }
    // Head and body, as they came.
    std::vector<std::string> const& requests() const { return requests_; }

    // To be awaited at the end of the test.
    base::awaitable<void> finish() {
        tasks_.cancel();
        co_await tasks_.join();
    }

private:
    base::awaitable<void> accept() {
        for (;;) {
            auto socket = co_await acceptor_.async_accept(boost::asio::use_awaitable);
            auto const number = connections_++;
            auto script = number < scripts_.size() ? scripts_[number] : answers{};
            if (tls_)
                tasks_.spawn("tls", serve_tls({std::move(socket), *tls_}, std::move(script)));
            else
                tasks_.spawn("plain", serve(std::move(socket), std::move(script)));
        }
    }

    base::awaitable<void> serve_tls(boost::asio::ssl::stream<tcp::socket> stream, answers script) {
        boost::system::error_code ec;
        co_await stream.async_handshake(
            boost::asio::ssl::stream_base::server,
            boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        if (!ec) co_await serve(std::move(stream), std::move(script));
    }

    template<class Stream>
    base::awaitable<void> serve(Stream stream, answers script) {
        std::string unread;
        for (auto answer : script) {
            auto const complete = co_await read_request(stream, unread);
            if (!complete) co_return;
            auto const waits = answer.ends_with(stall) || answer == silence;
            if (answer == silence) answer.clear();
            if (answer.ends_with(stall)) answer.resize(answer.size() - stall.size());
            boost::system::error_code ignored;
            co_await boost::asio::async_write(
                stream,
                boost::asio::buffer(answer),
                boost::asio::redirect_error(boost::asio::use_awaitable, ignored)
            );
            if (waits) co_await base::sleep_for(std::chrono::hours{1});
        }
    }

    template<class Stream>
    base::awaitable<bool> read_request(Stream& stream, std::string& unread) {
        boost::system::error_code ec;
        auto size = co_await boost::asio::async_read_until(
            stream,
            boost::asio::dynamic_buffer(unread),
            "\r\n\r\n",
            boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        if (ec) co_return false;
        if (auto at = unread.find("Content-Length: "); at < size)
            size += std::stoul(unread.substr(at + 16));
        if (size > unread.size())
            co_await boost::asio::async_read(
                stream,
                boost::asio::dynamic_buffer(unread),
                boost::asio::transfer_exactly(size - unread.size()),
                boost::asio::redirect_error(boost::asio::use_awaitable, ec)
            );
        requests_.push_back(unread.substr(0, size));
        unread.erase(0, size);
        co_return !ec;
    }

    tcp::acceptor acceptor_;
    std::vector<answers> scripts_;
    boost::asio::ssl::context* tls_;
    std::size_t connections_ = 0;
    std::vector<std::string> requests_;
    base::task_group tasks_;
};

} // namespace postrider::tests
