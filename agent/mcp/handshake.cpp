#include "agent/mcp/handshake.hpp"

#include "agent/mcp/revision.hpp"
#include "base/json/json.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::agent::mcp {

namespace {

using base::awaitable;
using base::errc;
using base::error;
using base::json_reader;

constexpr std::size_t most_said = 300; // bytes of a server's words in an error

void read_server(json_reader const& info, agreement& agreed) {
    agreed.server_name = info["name"].string_or("");
    agreed.server_version = info["version"].string_or("");
}

void read_capabilities(json_reader const& root, agreement& agreed) {
    agreed.lists_change = root["capabilities"]["tools"]["listChanged"].boolean_or(false);
    agreed.instructions = root["instructions"].string_or("");
}

bool names(json_reader const& revisions, std::string_view revision) {
    return std::ranges::any_of(revisions.items_or_none(), [&](json_reader const& item) {
        return item.string_or("") == revision;
    });
}

// The newest among them that begins with a handshake; "" = there is none.
std::string handshake_among(json_reader const& revisions) {
    for (auto const revision : handshake_revisions)
        if (names(revisions, revision)) return std::string(revision);
    for (auto const revision : older_revisions)
        if (names(revisions, revision)) return std::string(revision);
    return {};
}

enum class era { stateless, handshake };

base::result<era> era_of(rpc_error const& failure) {
    bool const is_modern =
        failure.code <= rpc_code::header_mismatch && failure.code >= rpc_code::unsupported_version;
    if (!is_modern) return era::handshake;
    if (failure.code == rpc_code::unsupported_version && failure.data) {
        json_reader const data{*failure.data};
        if (!handshake_among(data["supported"]).empty()) return era::handshake;
    }
    return to_error(failure);
}

// An older server refuses an unknown method in any way it likes, or says nothing.
base::result<era> era_of(base::error const& failure) {
    switch (failure.code) {
    case errc::ambiguous:
    case errc::refused:
    case errc::not_found:
    case errc::invalid:
        return era::handshake;
    default:
        return failure;
    }
}

base::result<era> read_discovery(json_reader const& discovery, agreement& agreed) {
    auto const revisions = discovery["supportedVersions"];
    if (!names(revisions, stateless_revision)) {
        if (!handshake_among(revisions).empty()) return era::handshake;
        return error(errc::refused, "the server speaks no revision of the protocol that we do");
    }
    agreed.revision = stateless_revision;
    read_capabilities(discovery, agreed);
    read_server(discovery["_meta"]["io.modelcontextprotocol/serverInfo"], agreed);
    return era::stateless;
}

awaitable<base::result<era>> discover(
    peer& asking, transport& carrier, handshake_options const& options, agreement& agreed
) {
    carrier.use_revision(std::string(stateless_revision));
    json::object params;
    add_request_meta(params, options.identity);
    request_options limits;
    limits.timeout = limits.total_timeout = options.probe_timeout;
    auto outcome = co_await asking.request("server/discover", std::move(params), std::move(limits));
    if (!outcome) co_return era_of(outcome.error());
    if (auto const* failure = std::get_if<rpc_error>(&*outcome)) co_return era_of(*failure);
    json_reader const discovery{std::get<json::value>(*outcome)};
    co_return read_discovery(discovery, agreed);
}

awaitable<base::result<rpc_outcome>> greet(
    peer& asking, handshake_options const& options, std::string revision
) {
    json::object params{
        {"protocolVersion", std::move(revision)},
        {"capabilities", json::object()},
        {"clientInfo", {{"name", options.identity.name}, {"version", options.identity.version}}}};
    request_options limits;
    limits.timeout = limits.total_timeout = options.timeout;
    co_return co_await asking.request("initialize", std::move(params), std::move(limits));
}

// The revision that a server offers instead of the one that it refuses; "" = none of ours.
std::string offered_instead(base::result<rpc_outcome> const& outcome) {
    auto const* failure = outcome ? std::get_if<rpc_error>(&*outcome) : nullptr;
    if (!failure || !failure->data) return {};
    return handshake_among(json_reader{*failure->data}["supported"]);
}

awaitable<base::result<void>> initialize(
    peer& asking, transport& carrier, handshake_options const& options, agreement& agreed
) {
    carrier.use_revision("");
    auto const revision =
        options.revision.empty() ? std::string(handshake_revisions.front()) : options.revision;
    auto outcome = co_await greet(asking, options, revision);
    auto const instead = options.revision.empty() ? offered_instead(outcome) : std::string();
    if (!instead.empty()) outcome = co_await greet(asking, options, instead);
    if (!outcome) co_return outcome.error();
    if (auto const* failure = std::get_if<rpc_error>(&*outcome)) co_return to_error(*failure);
    json_reader const answer{std::get<json::value>(*outcome)};
    agreed.revision = answer["protocolVersion"].string();
    if (answer.failed()) co_return answer.failure();
    if (!has_handshake(agreed.revision) && !is_older(agreed.revision))
        co_return error(errc::refused, "the server speaks no revision of the protocol that we do");
    read_capabilities(answer, agreed);
    read_server(answer["serverInfo"], agreed);
    carrier.use_revision(agreed.revision);
    co_return asking.notify("notifications/initialized");
}

} // namespace

awaitable<base::result<agreement>> shake_hands(
    peer& asking, transport& carrier, handshake_options options
) {
    agreement agreed;
    auto speaks = era::handshake;
    if (options.revision.empty() || is_stateless(options.revision)) {
        auto discovered = co_await discover(asking, carrier, options, agreed);
        if (!discovered) co_return discovered.error();
        speaks = *discovered;
    }
    if (speaks == era::stateless) co_return agreed;
    if (is_stateless(options.revision))
        co_return error(errc::refused, "the server does not speak revision " + options.revision);
    auto initialized = co_await initialize(asking, carrier, options, agreed);
    if (!initialized) co_return initialized.error();
    co_return agreed;
}

void add_request_meta(json::object& params, client_identity const& identity) {
    auto& meta = params["_meta"];
    if (!meta.is_object()) meta = json::object();
    auto& members = meta.get_object();
    members["io.modelcontextprotocol/protocolVersion"] = stateless_revision;
    members["io.modelcontextprotocol/clientInfo"] = {
        {"name", identity.name}, {"version", identity.version}};
    members["io.modelcontextprotocol/clientCapabilities"] = json::object();
}

base::error to_error(rpc_error const& received) {
    auto code = errc::refused;
    if (received.code == rpc_code::invalid_params || received.code == rpc_code::invalid_request ||
        received.code == rpc_code::parse_error)
        code = errc::invalid;
    if (received.code == rpc_code::method_not_found) code = errc::not_found;
    auto const number = std::to_string(received.code);
    if (received.message.empty()) return error(code, "the server gave no reason but " + number);
    auto text = base::as_utf8(received.message.substr(0, most_said));
    return error(code, "the server said: " + text + " (" + number + ")");
}

} // namespace postrider::agent::mcp
