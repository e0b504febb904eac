#include "server/views/token_json.hpp"

#include "server/views/json_values.hpp"

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

} // namespace postrider::server
