#include "agent/flow/parts/mcp_tool.hpp"

#include "net/base64.hpp"
#include "net/digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr std::string_view effect_kind = "mcp."; // and the server's name
constexpr std::size_t longest_tool_name = 64;
constexpr std::size_t digest_size = 8;

bool is_taken_by_providers(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

risk risk_of(mcp::tool_annotations const& hints) {
    if (hints.read_only) return risk::low;
    return hints.destructive ? risk::high : risk::medium;
}

queue::effect_class effect_class_of(mcp::tool_annotations const& hints) {
    if (hints.read_only) return queue::effect_class::pure;
    return hints.idempotent ? queue::effect_class::idempotent : queue::effect_class::at_most_once;
}

// A tool of a server, without what it says of itself.
struct called_tool {
    mcp::servers* servers;
    std::string server;
    std::string name;
    bool only_reads;
};

base::awaitable<base::result<tool_output>> call_mcp_tool(called_tool tool, json::object arguments) {
    auto* const client = tool.servers ? tool.servers->find(tool.server) : nullptr;
    if (!client)
        co_return base::error(
            base::errc::not_found, "the server " + tool.server + " is not configured any more"
        );
    // A call that tells its progress is waited for longer; what it tells, nobody reads.
    auto const heed = [](mcp::progress_report const&) {};
    auto const result = co_await client->call_tool(tool.name, std::move(arguments), heed);
    if (result) co_return output_of(*result);
    auto failure = result.error();
    // Nobody needs to know whether something was read.
    if (failure == base::errc::ambiguous && tool.only_reads) failure.code = base::errc::unavailable;
    co_return failure;
}

struct part_writer {
    tool_output& output;

    void operator()(mcp::text_content const& text) { add(text.text); }
    void operator()(mcp::image_content const& image) {
        add_media("image", image.media_type, image.base64);
    }
    void operator()(mcp::audio_content const& audio) {
        add_media("sound", audio.media_type, audio.base64);
    }
    void operator()(mcp::resource_link const& link) {
        add(fmt::format("{} <{}> {}", link.name, link.uri, link.description));
    }
    void operator()(mcp::embedded_resource const& resource) {
        if (!resource.base64.empty())
            return add_media("file", resource.media_type, resource.base64);
        add(resource.text);
    }
    void operator()(mcp::unknown_content const& unknown) {
        if (unknown.type.empty()) return add("(a part without a kind, which is not read here)");
        add(fmt::format("(a part of the kind \"{}\", which is not read here)", unknown.type));
    }

    void add(std::string_view text) {
        if (text.empty()) return;
        if (!output.text.empty()) output.text += '\n';
        output.text += text;
    }
    void add_media(std::string_view kind, std::string const& type, std::string const& base64) {
        if (base64.empty()) return add(fmt::format("(the {} has no data)", kind));
        if (auto bytes = net::from_base64(base64))
            output.media.push_back({type, std::move(*bytes)});
        else
            add("(a part that is no base64)");
    }
};

} // namespace

std::string mcp_tool_name(std::string_view server, std::string_view tool) {
    auto const whole = fmt::format("{}_{}", server, tool);
    auto name = whole;
    std::ranges::replace_if(name, std::not_fn(is_taken_by_providers), '_');
    if (name == whole && name.size() <= longest_tool_name) return name;
    // Two names that differ in nothing else stay two.
    name.resize(std::min(name.size(), longest_tool_name - digest_size - 1));
    return name + '_' + net::sha256_hex(whole).substr(0, digest_size);
}

offered_tool offer_mcp_tool(
    mcp::servers* servers, std::string const& server, mcp::tool_definition const& tool
) {
    offered_tool offered;
    auto const& description = tool.description.empty() ? tool.title : tool.description;
    offered.spec = {mcp_tool_name(server, tool.name), description, tool.input_schema};
    offered.kind = effect_kind;
    offered.kind += server;
    offered.returns_untrusted = true;
    offered.risk = risk_of(tool.annotations);
    offered.effect_class = effect_class_of(tool.annotations);
    if (auto const* client = servers ? servers->find(server) : nullptr) {
        auto& tries = offered.tries;
        tries.timeout = std::chrono::ceil<std::chrono::milliseconds>(client->longest_call()) + 5s;
        tries.total = std::max(tries.total.value_or(tries.timeout), tries.timeout);
    }
    called_tool const called{servers, server, tool.name, tool.annotations.read_only};
    offered.work = tool_function([called](tool_context&, json::object arguments) {
        return call_mcp_tool(called, std::move(arguments));
    });
    return offered;
}

std::string_view mcp_server_of(offered_tool const& tool) {
    std::string_view const kind = tool.kind;
    return kind.starts_with(effect_kind) ? kind.substr(effect_kind.size()) : std::string_view();
}

base::result<tool_output> output_of(mcp::tool_result const& result) {
    tool_output output;
    for (auto const& part : result.content) std::visit(part_writer{output}, part);
    if (result.is_error)
        return base::error(
            base::errc::refused,
            output.text.empty() ? "the tool failed and did not say why" : output.text
        );
    if (result.structured) output.value = *result.structured;
    return output;
}

} // namespace postrider::agent::flow
