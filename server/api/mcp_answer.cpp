#include "server/api/mcp_answer.hpp"

#include "agent/mcp/header_value.hpp"
#include "agent/mcp/json_rpc.hpp"

namespace postrider::api {

namespace mcp = agent::mcp;

namespace {

int status_of(mcp::rpc_error const& error) {
    if (error.code == mcp::rpc_code::method_not_found) return 404;
    return error.code == mcp::rpc_code::internal_error ? 500 : 400;
}

// Absent and different are told alike.
bool says(net::header_list const& headers, std::string_view name, std::string_view value) {
    if (headers.count(name) != 1) return false;
    auto const decoded = mcp::decode_header_value(headers.find(name));
    return decoded && *decoded == value;
}

} // namespace

net::http_response mcp_failure(
    int status, mcp::rpc_error error, std::optional<mcp::request_id> id
) {
    return net::http_response::json(
        status, mcp::to_text(mcp::rpc_failure{std::move(id), std::move(error)})
    );
}

net::http_response mcp_answer(mcp::request_id id, mcp::rpc_outcome outcome, bool stateless) {
    if (auto* error = std::get_if<mcp::rpc_error>(&outcome)) {
        auto const status = stateless ? status_of(*error) : 200;
        return mcp_failure(status, std::move(*error), std::move(id));
    }
    auto& value = std::get<boost::json::value>(outcome);
    return net::http_response::json(
        200, mcp::to_text(mcp::rpc_result{std::move(id), std::move(value)})
    );
}

std::optional<std::string> header_mismatch(
    net::header_list const& headers, mcp::rpc_request const& request
) {
    auto const differs = [](std::string_view field) {
        return std::string(field) + " is missing or differs from the message";
    };
    if (!says(headers, "MCP-Protocol-Version", mcp::server::named_revision(request)))
        return differs("MCP-Protocol-Version");
    if (!says(headers, "Mcp-Method", request.method)) return differs("Mcp-Method");
    if (request.method != "tools/call") return std::nullopt;
    auto const* name = request.params.if_contains("name");
    if (name && name->is_string() &&
        !says(headers, "Mcp-Name", std::string_view(name->get_string())))
        return differs("Mcp-Name");
    return std::nullopt;
}

} // namespace postrider::api
