#include "storage/stores/lane_cache.hpp"

namespace postrider::storage {

std::optional<lane_id> lane_cache::find(std::string_view key, lane_manner const& manner) {
    auto const found = by_key_.find(key);
    if (found == by_key_.end() || found->second->manner != manner) return std::nullopt;
    used_.splice(used_.begin(), used_, found->second);
    return found->second->lane;
}

void lane_cache::put(std::string key, lane_id lane, lane_manner manner) {
    drop(key);
    used_.push_front({std::move(key), lane, std::move(manner)});
    by_key_[used_.front().key] = used_.begin();
    if (used_.size() > most_) drop(used_.back().key);
}

void lane_cache::drop(std::string_view key) {
    auto const found = by_key_.find(key);
    if (found == by_key_.end()) return;
    auto const place = found->second;
    by_key_.erase(found);
    used_.erase(place);
}

} // namespace postrider::storage
