// A tool of an MCP server as a step of a flow. Its author chose it, so no model and no approval is asked.
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/acting_step.hpp"
#include "agent/flow/parts/mcp_tool.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/tools/tool.hpp"
#include "base/json/nul.hpp"
#include "base/json/text.hpp"
#include "net/base64.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t largest_result = 4u << 20; // as JSON, in bytes
constexpr std::chrono::hours longest_run{1};     // of a node, with all its calls
constexpr std::chrono::seconds call_grace{5};

std::string member_text(json::object const& parameters, std::string_view name) {
    return std::string(parameters.at(name).get_string());
}

queue::effect_class class_of_call(std::string_view when_interrupted) {
    if (when_interrupted == "read") return queue::effect_class::pure;
    return when_interrupted == "repeat" ? queue::effect_class::at_least_once
                                        : queue::effect_class::at_most_once;
}

json::value item_of_result(tool_output const& result) {
    json::object item{{"text", result.text}};
    if (!result.value.is_null()) item["output"] = result.value;
    if (!result.media.empty()) {
        auto& media = item["media"].emplace_array();
        for (auto const& part : result.media)
            media.push_back(json::object{
                {"type", part.type}, {"base64", net::to_base64(part.bytes)}});
    }
    json::value value(std::move(item));
    base::drop_nul(value);
    return value;
}

std::size_t size_of(tool_output const& result) {
    auto size = result.text.size();
    if (!result.value.is_null()) size += base::json_text(result.value).size();
    for (auto const& part : result.media) size += part.bytes.size();
    return size;
}

base::awaitable<queue::step_value> call_server_tool(
    mcp::client& client, std::string tool, json::object arguments, bool only_reads
) {
    auto const heed = [](mcp::progress_report const&) {}; // with progress it is waited for longer
    auto const called = co_await client.call_tool(std::move(tool), std::move(arguments), heed);
    if (!called) {
        auto failure = called.error();
        if (failure == base::errc::ambiguous && only_reads) failure.code = base::errc::unavailable;
        co_return failure;
    }
    auto result = output_of(*called);
    if (!result) co_return result.error();
    // The tool has run: the record has that, and the node fails behind it.
    if (size_of(*result) > largest_result) co_return json::value(nullptr);
    co_return item_of_result(*result);
}

// `end`: no call begins behind it.
base::awaitable<queue::step_value> call_once(
    node_run& run, json::object const& parameters, std::string step, base::steady_time end
) {
    if (is_recorded(run, step)) co_return co_await recorded_result(run, step);
    if (run.services().clock.steady() >= end) {
        base::error const late(base::errc::timeout, "all calls together take longer than 1h");
        co_return co_await run.steps().record_value(step, late);
    }
    auto const server = member_text(parameters, "server");
    auto const* servers = run.services().servers;
    auto* const client = servers ? servers->find(server) : nullptr;
    if (!client) {
        base::error const missing(base::errc::not_found, "there is no [mcp." + server + "]");
        co_return co_await run.steps().record_value(step, missing);
    }
    auto const tool = member_text(parameters, "tool");
    auto const& arguments = parameters.at("arguments").get_object();
    acting_step acting{.name = step, .kind = "mcp." + server};
    acting.effect_class = class_of_call(member_text(parameters, "when_interrupted"));
    acting.request = json::object{{"tool", tool}, {"arguments", arguments}};
    acting.tries = usual_tool_tries;
    acting.tries.timeout =
        std::chrono::ceil<std::chrono::milliseconds>(client->longest_call()) + call_grace;
    acting.tries.total = acting.tries.timeout;
    bool const only_reads = acting.effect_class == queue::effect_class::pure;
    auto const work = [&] { return call_server_tool(*client, tool, arguments, only_reads); };
    co_return co_await act(run, std::move(acting), work);
}

base::awaitable<base::result<outputs>> call_mcp(node_run& run) {
    items results;
    std::size_t bytes = 0;
    auto const end = run.services().clock.steady() + longest_run;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto const parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto step = i == 0 ? std::string("call") : fmt::format("call-{}", i + 1);
        auto result = co_await call_once(run, *parameters, std::move(step), end);
        if (!result) co_return result.error();
        if (result->is_null())
            co_return base::error(base::errc::too_large, "the result is larger than 4 MiB");
        bytes += base::json_text(*result).size();
        if (bytes > most_bytes_of_answers)
            co_return base::error(
                base::errc::too_large, "all results together are larger than 64 MiB"
            );
        results.push_back({std::move(*result)});
    }
    outputs output;
    output.emplace("main", std::move(results));
    co_return output;
}

} // namespace

behaviour mcp_call_behaviour() {
    return durable{.execute = call_mcp};
}

} // namespace postrider::agent::flow
