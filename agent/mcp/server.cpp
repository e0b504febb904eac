#include "agent/mcp/server.hpp"

#include "agent/mcp/revision.hpp"
#include "base/json/text.hpp"
#include "base/log.hpp"
#include "base/utf8.hpp"

#include <stdexcept>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;

constexpr std::string_view revision_member = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_member = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view server_member = "io.modelcontextprotocol/serverInfo";

// The tools are those of the binary.
constexpr std::int64_t fresh_for_ms = 3'600'000;

rpc_error invalid_params(std::string message) {
    return {rpc_code::invalid_params, std::move(message), {}};
}

rpc_error unknown_method(std::string const& method) {
    return {rpc_code::method_not_found, "unknown method " + base::shortened(method, 100), {}};
}

json::array spoken() {
    json::array all{stateless_revision};
    for (auto const revision : handshake_revisions) all.emplace_back(revision);
    return all;
}

rpc_error unsupported(std::string const& revision) {
    json::object data{{"supported", spoken()}, {"requested", base::shortened(revision, 100)}};
    return {rpc_code::unsupported_version, "Unsupported protocol version", std::move(data)};
}

json::value const* find_meta(json::object const& params, std::string_view name) {
    auto const* meta = params.if_contains("_meta");
    auto const* members = meta ? meta->if_object() : nullptr;
    return members ? members->if_contains(name) : nullptr;
}

// By which revision's rules the request is to be answered.
std::variant<std::string, rpc_error> revision_of(
    rpc_request const& request, served_session const& session
) {
    auto const* member = find_meta(request.params, revision_member);
    if (!member && !session.revision.empty() && request.method != "server/discover")
        return session.revision;
    if (!member)
        return invalid_params(
            "initialize comes first, or _meta names " + std::string(revision_member)
        );
    auto const* revision = member->if_string();
    if (!revision) return invalid_params(std::string(revision_member) + " must be a string");
    if (!is_stateless(*revision)) return unsupported(std::string(*revision));
    auto const* capabilities = find_meta(request.params, capabilities_member);
    if (!capabilities || !capabilities->is_object())
        return invalid_params("_meta lacks " + std::string(capabilities_member));
    return std::string(*revision);
}

json::object text_block(std::string text) {
    return {{"type", "text"}, {"text", std::move(text)}};
}

json::object failed_call(std::string reason) {
    return {{"content", json::array{text_block(std::move(reason))}}, {"isError", true}};
}

json::object failed_call(base::error const& failure) {
    auto call = failed_call(failure.detail);
    call["_meta"] = json::object{{error_class_member, base::to_string(failure.code)}};
    return call;
}

// The text repeats the structure, for clients that read nothing else.
json::object done_call(json::object structured) {
    auto text = base::json_text(structured);
    return {
        {"content", json::array{text_block(std::move(text))}},
        {"structuredContent", std::move(structured)},
        {"isError", false}};
}

// "" = there is none; nothing: it is no key.
std::optional<std::string> call_key(json::object const& params) {
    auto const* member = find_meta(params, call_key_member);
    if (!member || member->is_null()) return std::string();
    auto const* text = member->if_string();
    if (!text || text->empty() || base::count_characters(*text) > longest_call_key)
        return std::nullopt;
    return std::string(*text);
}

} // namespace

server::server(server_description description) : description_(std::move(description)) {
    for (auto const& tool : description_.tools) {
        auto const& name = tool.definition.name;
        auto compiled = json_schema::compile(json::value(tool.definition.input_schema));
        if (!compiled) throw std::invalid_argument(name + ": " + to_text(compiled.error()));
        tools_.emplace(name, compiled_tool{tool, std::move(*compiled)});
    }
}

awaitable<rpc_outcome> server::answer(rpc_request request, served_session& session) const {
    if (named_revision(request).empty()) {
        if (request.method == "initialize") co_return initialize(request.params, session);
        if (request.method == "ping") co_return json::value(json::object());
    }
    auto revision = revision_of(request, session);
    if (auto* refused = std::get_if<rpc_error>(&revision)) co_return std::move(*refused);
    co_return co_await answer_in(
        std::move(std::get<std::string>(revision)), std::move(request), session
    );
}

std::string server::named_revision(rpc_request const& request) {
    auto const* said = find_meta(request.params, revision_member);
    auto const* revision = said ? said->if_string() : nullptr;
    return revision ? std::string(*revision) : std::string();
}

std::string server::changing_tool(rpc_request const& request) const {
    if (request.method != "tools/call") return {};
    auto const* name = request.params.if_contains("name");
    if (!name || !name->is_string()) return {};
    auto const entry = tools_.find(std::string_view(name->get_string()));
    if (entry == tools_.end() || entry->second.tool.definition.annotations.read_only) return {};
    return entry->first;
}

awaitable<rpc_outcome> server::answer_in(
    std::string revision, rpc_request request, served_session const& session
) const {
    bool const stateless = is_stateless(revision);
    rpc_outcome outcome;
    if (request.method == "tools/list")
        outcome = list_tools(request.params, stateless);
    else if (request.method == "tools/call")
        outcome = co_await call_tool(std::move(request.params), session);
    else if (request.method == "server/discover" && stateless)
        outcome = discover();
    else
        outcome = unknown_method(request.method);
    auto* result = std::get_if<json::value>(&outcome);
    if (result && stateless) {
        auto& members = result->get_object();
        members["resultType"] = "complete";
        auto& meta = members["_meta"];
        if (!meta.is_object()) meta = json::object();
        meta.get_object()[server_member] = identity();
    }
    co_return outcome;
}

rpc_outcome server::initialize(json::object const& params, served_session& session) const {
    if (!session.revision.empty())
        return rpc_error{rpc_code::invalid_request, "the session is initialized already", {}};
    auto const* said = params.if_contains("protocolVersion");
    auto const* revision = said ? said->if_string() : nullptr;
    if (!revision) return invalid_params("protocolVersion must be a string");
    // The client ends the connection when it does not speak ours.
    session.revision = has_handshake(*revision) ? std::string(*revision)
                                                : std::string(handshake_revisions.front());
    json::object result{
        {"protocolVersion", session.revision},
        {"capabilities", {{"tools", json::object()}}},
        {"serverInfo", identity()},
        {"instructions", description_.instructions}};
    return json::value(std::move(result));
}

rpc_outcome server::discover() const {
    json::object result{
        {"supportedVersions", spoken()},
        {"capabilities", {{"tools", json::object()}}},
        {"instructions", description_.instructions},
        {"ttlMs", fresh_for_ms},
        {"cacheScope", "public"}};
    return json::value(std::move(result));
}

// All on one page, so that there is no cursor that it could have been asked for with.
rpc_outcome server::list_tools(json::object const& params, bool stateless) const {
    auto const* cursor = params.if_contains("cursor");
    if (cursor && !cursor->is_null()) return invalid_params("this cursor is not known");
    json::array all;
    for (auto const& tool : description_.tools) all.push_back(to_json(tool.definition));
    json::object result{{"tools", std::move(all)}};
    if (stateless) {
        result["ttlMs"] = fresh_for_ms;
        result["cacheScope"] = "public";
    }
    return json::value(std::move(result));
}

awaitable<rpc_outcome> server::call_tool(json::object params, served_session const& session) const {
    auto const* name = params.if_contains("name");
    if (!name || !name->is_string()) co_return invalid_params("name must be a string");
    auto const served_tool = tools_.find(std::string_view(name->get_string()));
    if (served_tool == tools_.end())
        co_return invalid_params(
            "unknown tool " + base::shortened(std::string_view(name->get_string()), 100)
        );
    auto key = call_key(params);
    if (!key) co_return invalid_params(std::string(call_key_member) + " must be a short string");
    json::value arguments = json::object();
    if (auto* member = params.if_contains("arguments"); member && !member->is_null())
        arguments = std::move(*member);
    if (!arguments.is_object()) co_return invalid_params("arguments must be an object");
    auto const& [tool, input] = served_tool->second;
    auto const violations = input.check(arguments);
    if (!violations.empty())
        co_return json::value(failed_call(json_schema::to_text(violations, "the arguments")));
    served_call call{
        session.caller, std::move(*key), std::move(arguments.get_object()), session.origin};
    auto result = co_await tool.run(std::move(call));
    if (!result) co_return json::value(failed_call(result.error()));
    co_return json::value(done_call(std::move(*result)));
}

json::object server::identity() const {
    return {
        {"name", description_.name},
        {"title", description_.title},
        {"version", description_.version}};
}

awaitable<std::optional<message>> answer_text(
    server const& serving, std::string text, served_session& session
) {
    auto parsed = parse_message(text);
    if (!parsed) co_return message(parsed.error().answer);
    auto* request = std::get_if<rpc_request>(&*parsed);
    if (!request) co_return std::nullopt;
    auto const id = request->id;
    rpc_outcome outcome = rpc_error{rpc_code::internal_error, "internal error", {}};
    try {
        outcome = co_await serving.answer(std::move(*request), session);
    } catch (boost::system::system_error const& e) {
        if (e.code() == boost::asio::error::operation_aborted) throw;
        base::log::error("mcp.answer_failed", {{"error", e.code().message()}});
    } catch (std::exception const& e) {
        base::log::error("mcp.answer_failed", {{"error", e.what()}});
    }
    if (auto* value = std::get_if<json::value>(&outcome))
        co_return message(rpc_result{id, std::move(*value)});
    co_return message(rpc_failure{id, std::move(std::get<rpc_error>(outcome))});
}

} // namespace postrider::agent::mcp
