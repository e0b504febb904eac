#include "agent/mcp/run_program.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <csignal>

namespace postrider::agent::mcp {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_error_bytes = 4u << 10;
constexpr auto time_to_end = std::chrono::seconds{1};

// A child that does not read its input has its reasons: its output shows them.
base::awaitable<void> write_input(child_process& child, std::string const& input) {
    boost::system::error_code ec;
    co_await asio::async_write(
        child.input(), asio::buffer(input), asio::redirect_error(asio::use_awaitable, ec)
    );
    child.input().close();
}

// Reads to the end, or ends the child when it writes more than `most` and the rest is not dropped.
base::awaitable<void> read_pipe(
    child_process& child,
    child_process::pipe& pipe,
    std::string& output,
    std::size_t most,
    bool drops
) {
    std::array<char, 16'384> piece{};
    for (boost::system::error_code ec; !ec;) {
        auto const size = co_await pipe.async_read_some(
            asio::buffer(piece), asio::redirect_error(asio::use_awaitable, ec)
        );
        auto const added = drops ? std::min(size, most - output.size()) : size;
        output.append(piece.data(), added);
        if (output.size() <= most) continue;
        child.send_signal(SIGKILL);
        break;
    }
}

base::awaitable<base::result<void>> talk_to(
    child_process& child, program_run const& run, program_output& output
) {
    std::vector<base::awaitable<void>> tasks;
    tasks.push_back(write_input(child, run.input));
    tasks.push_back(read_pipe(child, child.output(), output.output, run.most_output, false));
    tasks.push_back(read_pipe(child, child.errors(), output.errors, most_error_bytes, true));
    co_await base::run_together("program", std::move(tasks));
    co_return base::result<void>();
}

base::awaitable<base::result<void>> await_ending(child_process& child) {
    co_await child.wait();
    co_return base::result<void>();
}

} // namespace

base::awaitable<base::result<program_output>> run_program(program_run run) {
    auto const executor = co_await asio::this_coro::executor;
    auto child = child_process::start(executor, run.command);
    if (!child) co_return child.error();
    // The child dies with its value, however this ends.
    program_output output;
    auto const talk = co_await base::with_timeout(talk_to(**child, run, output), run.deadline);
    if (!talk) co_return talk.error();
    if (output.output.size() > run.most_output)
        co_return base::error(base::errc::too_large, "the program wrote too much");
    co_await base::with_timeout(await_ending(**child), time_to_end);
    output.ending = (*child)->ending();
    co_return output;
}

} // namespace postrider::agent::mcp
