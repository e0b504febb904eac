#pragma once
// Who asks, as their bearer token says, or the session of their browser.
#include "base/ids.hpp"
#include "storage/stores/tokens.hpp"

namespace postrider::api {

struct caller {
    storage::token_role role = storage::token_role::reader;
    token_id token{};                // 0 = the configured owner's token, or a session
    user_id user{};                  // the person it acts as; 0 = nobody
    console_session_id session = {}; // 0 = a token

    // The configured owner's token: it is in no table, and need not be the person that it acts as.
    bool is_configured_owner() const noexcept {
        return token == token_id{} && session == console_session_id{};
    }
};

} // namespace postrider::api
