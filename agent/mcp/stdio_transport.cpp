#include "agent/mcp/stdio_transport.hpp"

#include "agent/mcp/answered_id.hpp"
#include "agent/mcp/line_reader.hpp"
#include "agent/mcp/stderr_tail.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <csignal>
#include <deque>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;
using base::errc;
using base::error;
using boost::system::error_code;

constexpr std::size_t read_size = 16u << 10;

std::vector<base::secret> values_of(child_command const& command) {
    std::vector<base::secret> values;
    for (auto const& [name, value] : command.environment)
        if (name != "PATH") values.push_back(value);
    return values;
}

class stdio_transport final : public transport {
public:
    stdio_transport(boost::asio::any_io_executor executor, stdio_options options)
        : executor_(executor),
          options_(std::move(options)),
          lines_(options_.limits.bytes),
          errors_(values_of(options_.command)),
          unsent_(executor),
          output_ended_(executor),
          errors_ended_(executor),
          tasks_(std::move(executor)) {}

    awaitable<base::result<void>> open(message_receiver& receiver) override;
    base::result<void> send(message const& content, send_options const& options) override;
    bool abandon(request_id const&) override { return false; }
    void use_revision(std::string const&) override {}
    void listen() override {}
    awaitable<void> close() override;
    std::string diagnostics() const override { return errors_.text(); }

private:
    awaitable<void> read_output();
    awaitable<void> read_errors();
    awaitable<void> write_input();
    awaitable<void> watch();
    awaitable<base::result<void>> end();
    awaitable<bool> ends_within(base::duration limit);
    bool take_lines(std::string_view bytes);
    bool take_message(parsed_message arrived, std::string const& line);
    void lose(errc code, std::string detail);

    boost::asio::any_io_executor executor_;
    stdio_options options_;
    line_reader lines_;
    stderr_tail errors_;
    std::unique_ptr<child_process> child_;
    message_receiver* receiver_ = nullptr; // while there is a connection
    std::deque<std::string> outbox_;
    std::size_t outbox_bytes_ = 0;
    std::size_t unreadable_ = 0; // since the last message
    bool output_has_ended_ = false;
    bool errors_have_ended_ = false;
    base::signal unsent_;
    base::signal output_ended_;
    base::signal errors_ended_;
    base::task_group tasks_;
};

awaitable<base::result<void>> stdio_transport::open(message_receiver& receiver) {
    auto started = child_process::start(executor_, options_.command);
    if (!started) co_return started.error();
    child_ = std::move(*started);
    receiver_ = &receiver;
    tasks_.spawn("mcp.output", read_output());
    tasks_.spawn("mcp.errors", read_errors());
    tasks_.spawn("mcp.input", write_input());
    tasks_.spawn("mcp.watch", watch());
    co_return base::result<void>{};
}

base::result<void> stdio_transport::send(message const& content, send_options const&) {
    if (!receiver_) return error(errc::unavailable, "the server does not run");
    auto line = to_text(content) + '\n';
    if (line.size() > options_.most_unsent - std::min(options_.most_unsent, outbox_bytes_))
        return error(errc::overloaded, "the server does not read its input");
    outbox_bytes_ += line.size();
    outbox_.push_back(std::move(line));
    unsent_.notify();
    return {};
}

awaitable<void> stdio_transport::write_input() {
    for (;;) {
        while (outbox_.empty()) co_await unsent_.wait();
        auto const line = std::move(outbox_.front());
        outbox_.pop_front();
        error_code ec;
        co_await boost::asio::async_write(
            child_->input(),
            boost::asio::buffer(line),
            boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        outbox_bytes_ -= line.size();
        if (ec) co_return; // it has ended or closed its input; read_output() and watch() tell
    }
}

awaitable<void> stdio_transport::read_output() {
    std::array<char, read_size> buffer;
    for (;;) {
        error_code ec;
        auto const size = co_await child_->output().async_read_some(
            boost::asio::buffer(buffer), boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        if (ec == boost::asio::error::operation_aborted) co_return;
        if (ec || !take_lines({buffer.data(), size})) break;
    }
    output_has_ended_ = true;
    output_ended_.notify();
    // How it ended says more than that it did.
    co_await ends_within(options_.grace);
    lose(errc::unavailable, "the server closed its output");
}

// False: nothing more is to be read.
bool stdio_transport::take_lines(std::string_view bytes) {
    auto lines = lines_.read(bytes);
    if (!lines) {
        lose(errc::too_large, "a line of the server is too long");
        return false;
    }
    for (auto const& line : *lines)
        for (auto& arrived : parse_messages(line, options_.limits))
            if (!take_message(std::move(arrived), line)) return false;
    return true;
}

bool stdio_transport::take_message(parsed_message arrived, std::string const& line) {
    if (!receiver_) return true; // closing: read so that the child is not stopped by a full pipe
    if (arrived) {
        unreadable_ = 0;
        receiver_->receive(std::move(*arrived));
    } else if (auto const id = answered_id(line)) {
        auto const& reason = arrived.error().answer.error.message;
        receiver_->fail_request(*id, error(errc::invalid, reason));
    } else if (++unreadable_ > options_.most_unreadable) {
        lose(errc::invalid, "the server writes lines that are no messages");
        return false;
    }
    return true;
}

awaitable<void> stdio_transport::read_errors() {
    std::array<char, read_size> buffer;
    error_code ec;
    while (!ec) {
        auto const size = co_await child_->errors().async_read_some(
            boost::asio::buffer(buffer), boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        errors_.add({buffer.data(), size});
    }
    errors_have_ended_ = true;
    errors_ended_.notify();
}

awaitable<void> stdio_transport::watch() {
    co_await child_->wait();
    // What it wrote before its end is still to be read, unless a process that left the group keeps
    // the pipe open.
    if (!output_has_ended_) co_await output_ended_.wait_for(options_.grace);
    lose(errc::unavailable, "the server ended");
}

awaitable<base::result<void>> stdio_transport::end() {
    co_await child_->wait();
    co_return base::result<void>{};
}

awaitable<bool> stdio_transport::ends_within(base::duration limit) {
    auto const ended = co_await base::with_timeout(end(), limit);
    co_return ended.has_value();
}

void stdio_transport::lose(errc code, std::string detail) {
    auto* receiver = std::exchange(receiver_, nullptr);
    if (!receiver) return;
    if (!child_->ending().empty()) detail += " (" + child_->ending() + ")";
    child_->send_signal(SIGKILL);
    receiver->lose(error(code, std::move(detail)));
}

awaitable<void> stdio_transport::close() {
    receiver_ = nullptr;
    if (!child_) co_return;
    error_code ignored;
    child_->input().close(ignored);
    constexpr std::array numbers{SIGTERM, SIGKILL};
    for (auto const number : numbers) {
        auto const ended = co_await ends_within(options_.grace);
        if (ended) break;
        child_->send_signal(number);
    }
    co_await child_->wait();
    // Its last words, unless a process that left the group keeps the pipe open.
    if (!errors_have_ended_) co_await errors_ended_.wait_for(options_.grace);
    tasks_.cancel();
    co_await tasks_.join();
}

} // namespace

std::unique_ptr<transport> make_stdio_transport(
    boost::asio::any_io_executor executor, stdio_options options
) {
    return std::make_unique<stdio_transport>(std::move(executor), std::move(options));
}

} // namespace postrider::agent::mcp
