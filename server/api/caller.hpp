#pragma once
// Who asks, as their bearer token says.
#include "base/ids.hpp"
#include "storage/stores/tokens.hpp"

namespace postrider::api {

struct caller {
    storage::token_role role = storage::token_role::reader;
    token_id token{}; // 0 = the configured owner's token
    user_id user{};   // the person it acts as; 0 = nobody
};

} // namespace postrider::api
