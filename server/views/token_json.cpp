#include "server/views/token_json.hpp"

#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>

namespace postrider::server {

boost::json::object token_json(storage::token_row const& token) {
    auto const role = storage::to_string(token.role);
    return {
        {"id", base::raw(token.id)},
        {"user_id", base::raw(token.user)},
        {"role", boost::json::string_view(role.data(), role.size())},
        {"name", token.name},
        {"active", !token.revoked_at && !token.expired},
        {"created_at", token.created_at},
        {"last_used_at", or_null(token.last_used_at)},
        {"expires_at", or_null(token.expires_at)},
        {"revoked_at", or_null(token.revoked_at)}};
}

boost::json::object tokens_json(std::vector<storage::token_row> const& tokens, int limit) {
    boost::json::array all;
    for (auto const& token : tokens) all.push_back(token_json(token));
    boost::json::object page{{"tokens", std::move(all)}};
    if (std::ssize(tokens) == limit) page["next"] = base::to_string(tokens.back().id);
    return page;
}

} // namespace postrider::server
