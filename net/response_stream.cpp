#include "net/response_stream.hpp"

#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace postrider::net {

namespace asio = boost::asio;
using base::awaitable;

namespace {

// Of a client that goes on sending, although nothing it says can be answered any more.
constexpr std::size_t most_ignored = 64u << 10;

base::steady_time now() {
    return base::system_clock().steady();
}

} // namespace

response_stream::response_stream(socket& connection, watchdog& deadline, options stream_options)
    : socket_(connection),
      deadline_(deadline),
      options_(std::move(stream_options)),
      stop_(connection.get_executor()),
      written_(connection.get_executor()),
      last_written_(now()) {}

awaitable<void> response_stream::send(body_stream body) {
    deadline_.rest();
    auto executor = co_await asio::this_coro::executor;
    co_await asio::experimental::make_parallel_group(
        asio::co_spawn(executor, produce(body), asio::deferred),
        asio::co_spawn(executor, read_until_gone(), asio::deferred),
        asio::co_spawn(executor, beat(body.heartbeat), asio::deferred)
    )
        .async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
}

void response_stream::stop() {
    stopped_ = true;
    stop_.notify();
}

awaitable<void> response_stream::produce(body_stream const& body) {
    std::optional<std::string> failure;
    try {
        co_await body.produce(*this);
    } catch (std::exception const& e) {
        failure = e.what();
    }
    auto const state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
    if (failure) {
        base::log::error(
            "http.stream_failed", {{"request", options_.request_id}, {"error", *failure}}
        );
        co_return;
    }
    pieces const last_chunk{asio::buffer("0\r\n\r\n", 5)};
    if (options_.chunked) co_await put(last_chunk);
}

awaitable<void> response_stream::read_until_gone() {
    std::array<char, 1024> ignored;
    for (std::size_t total = 0; total < most_ignored;) {
        boost::system::error_code ec;
        total += co_await socket_.async_read_some(
            asio::buffer(ignored), asio::redirect_error(asio::use_awaitable, ec)
        );
        if (ec) co_return;
    }
}

awaitable<void> response_stream::beat(std::string const& heartbeat) {
    auto rest = options_.longest_silence;
    while (!stopped_) {
        co_await stop_.wait_for(rest);
        auto const silence = now() - last_written_;
        bool const due = silence >= options_.longest_silence && !writing_;
        if (due && !stopped_) co_await write(heartbeat);
        rest = options_.longest_silence;
        if (!due && !writing_) rest -= silence;
    }
}

awaitable<bool> response_stream::write(std::string_view piece) {
    if (piece.empty()) co_return !broken_; // an empty chunk would be the last
    auto const head = fmt::format("{:x}\r\n", piece.size());
    pieces buffers{asio::buffer(piece)};
    if (options_.chunked)
        buffers = {asio::buffer(head), asio::buffer(piece), asio::buffer("\r\n", 2)};
    co_return co_await put(buffers);
}

awaitable<bool> response_stream::put(pieces buffers) {
    while (writing_) co_await written_.wait();
    if (broken_) co_return false;
    writing_ = true;
    deadline_.expect_within(options_.write_timeout);
    boost::system::error_code ec;
    co_await asio::async_write(socket_, buffers, asio::redirect_error(asio::use_awaitable, ec));
    deadline_.rest();
    writing_ = false;
    broken_ = static_cast<bool>(ec);
    last_written_ = now();
    written_.notify();
    co_return !broken_;
}

} // namespace postrider::net
