#pragma once
// Lanes that are no chat's: of flows, of conversations over HTTP.
#include "storage/stores/chats.hpp"

#include <string_view>

namespace postrider::storage {

// The lane of a key, made when there is none and told how it takes what arrives from now on. Throws
// as transaction::query() does.
lane_id ensure_lane(transaction& tx, std::string_view key, lane_manner const& manner);

} // namespace postrider::storage
