#pragma once
// Authentic updates that could not be used, with the beginning of their bytes. Newest first.
#include "storage/database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::storage {

// Where an update stands: pages end there.
struct update_place {
    std::string received_at = "infinity"; // ISO 8601
    std::int64_t bot = 0;
    std::int64_t update = 0;
};

struct rejected_update {
    update_place at;
    std::string bot; // its name
    std::string reason;
    std::int64_t size = 0; // bytes of all of it
    std::string base64;    // the first most_raw_bytes of it
};

inline constexpr int most_raw_bytes = 4096;

// Throws as transaction::query() does.
std::vector<rejected_update> list_rejected_updates(
    transaction& tx, update_place const& before, int limit
);

} // namespace postrider::storage
