#include "agent/flow/nodes/code_run.hpp"

#include "agent/flow/nodes/code_programs.hpp"
#include "agent/mcp/child_process.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <array>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using base::errc;

constexpr std::uint64_t most_code_memory = 512u << 20; // bytes that the process may write to
// Memory that is only read costs the kernel a 512th of its size.
constexpr std::uint64_t most_code_addresses = 64ull << 30;
constexpr std::uint64_t most_code_stack = 8u << 20;
constexpr std::uint64_t most_code_threads =
    256; // Node.js has a dozen; others may start some meanwhile
constexpr auto time_to_end = std::chrono::seconds{1};

mcp::child_command command_of(code_options const& options, code_request const& request) {
    mcp::child_command command;
    if (request.language == "python") {
        command.program = options.python;
        // Isolated from the environment and from packages of this machine.
        command.arguments = {"-I", "-S", "-c", std::string(python_program)};
    } else {
        command.program = options.node;
        command.arguments = {"--max-old-space-size=256", "-e", std::string(javascript_program)};
    }
    auto const seconds = std::chrono::ceil<std::chrono::seconds>(request.deadline);
    command.limits = {
        .address_space = most_code_addresses,
        .open_files = 64,
        .cpu_seconds = static_cast<std::uint64_t>(seconds.count()) + 1,
        .data = most_code_memory,
        .stack = most_code_stack,
        .threads = most_code_threads};
    command.is_confined = true;
    return command;
}

// A child that does not read its input has its reasons: its output tells.
base::awaitable<base::result<std::string>> talk_to(mcp::child_process& child, std::string input) {
    boost::system::error_code ec;
    co_await boost::asio::async_write(
        child.input(),
        boost::asio::buffer(input),
        boost::asio::redirect_error(boost::asio::use_awaitable, ec)
    );
    child.input().close();
    std::string output;
    std::array<char, 16'384> piece{};
    for (ec.clear(); !ec && output.size() <= most_code_output;) {
        auto const size = co_await child.output().async_read_some(
            boost::asio::buffer(piece), boost::asio::redirect_error(boost::asio::use_awaitable, ec)
        );
        output.append(piece.data(), size);
    }
    if (ec == boost::asio::error::operation_aborted) co_return base::error(errc::timeout);
    co_return output;
}

base::awaitable<base::result<bool>> await_ending(mcp::child_process& child) {
    co_await child.wait();
    co_return true;
}

// Of a process that wrote nothing.
base::awaitable<base::error> reason_of_silence(mcp::child_process& child) {
    co_await base::with_timeout(await_ending(child), time_to_end);
    std::string reason = "the code ended its process, or used more memory than it may";
    if (!child.ending().empty()) reason += " (" + child.ending() + ")";
    co_return base::error(errc::invalid, std::move(reason));
}

base::result<json::value> read_results(std::string const& output) {
    if (output.size() > most_code_output)
        return base::error(errc::too_large, "the code returned more than 1 MiB");
    auto const answer = base::parse_json(output);
    if (!answer || !answer->is_object())
        return base::error(errc::invalid, "the code returned no JSON");
    base::json_reader const fields(*answer);
    if (auto const thrown = fields["error"].string_or(""); !thrown.empty())
        return base::error(errc::invalid, "the code failed: " + thrown);
    auto const* items = answer->get_object().if_contains("items");
    if (!items || !items->is_array())
        return base::error(errc::invalid, "the code returned no items");
    for (auto const& item : items->get_array())
        if (!item.is_object())
            return base::error(
                errc::invalid, "the code must return an object, or a list of objects"
            );
    return *items;
}

} // namespace

base::awaitable<base::result<json::value>> run_code(
    code_options const& options, code_request request
) {
    auto const executor = co_await boost::asio::this_coro::executor;
    auto const command = command_of(options, request);
    auto child = mcp::child_process::start(executor, command);
    if (!child) co_return child.error();
    auto input = base::json_text(json::object{
        {"code", request.code},
        {"items", std::move(request.items)},
        {"values", std::move(request.values)},
        {"each", request.for_each},
    });
    // The child dies with its value, however this ends.
    auto const output =
        co_await base::with_timeout(talk_to(**child, std::move(input)), request.deadline);
    if (!output) co_return base::error(errc::timeout, "the code took too long");
    if (output->empty()) co_return co_await reason_of_silence(**child);
    co_return read_results(*output);
}

} // namespace postrider::agent::flow
