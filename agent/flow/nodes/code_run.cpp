#include "agent/flow/nodes/code_run.hpp"

#include "agent/flow/nodes/code_programs.hpp"
#include "agent/mcp/run_program.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

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

base::error reason_of_silence(std::string const& ending) {
    std::string reason = "the code ended its process, or used more memory than it may";
    if (!ending.empty()) reason += " (" + ending + ")";
    return {errc::invalid, std::move(reason)};
}

base::result<json::value> read_results(std::string const& output) {
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
    mcp::program_run run{
        .command = command_of(options, request),
        .most_output = most_code_output,
        .deadline = request.deadline};
    run.input = base::json_text(json::object{
        {"code", request.code},
        {"items", std::move(request.items)},
        {"values", std::move(request.values)},
        {"each", request.for_each},
    });
    auto const ran = co_await mcp::run_program(std::move(run));
    if (!ran && ran.error() == errc::timeout)
        co_return base::error(errc::timeout, "the code took too long");
    if (!ran && ran.error() == errc::too_large)
        co_return base::error(errc::too_large, "the code returned more than 1 MiB");
    if (!ran) co_return ran.error();
    if (ran->output.empty()) co_return reason_of_silence(ran->ending);
    co_return read_results(ran->output);
}

} // namespace postrider::agent::flow
