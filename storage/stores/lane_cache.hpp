#pragma once
// Which lane a key names and how it was told to take messages, for the keys seen last. A lane never
// changes its id, so an entry is wrong only when the row was deleted, or another process told it
// otherwise. On the executor's one thread.
#include "base/ids.hpp"
#include "storage/stores/lanes.hpp"

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace postrider::storage {

class lane_cache {
public:
    explicit lane_cache(std::size_t most) : most_(most) {}

    // Nothing also where the lane was told another manner.
    std::optional<lane_id> find(std::string_view key, lane_manner const& manner);
    void put(std::string key, lane_id lane, lane_manner manner);
    void drop(std::string_view key);

private:
    struct entry {
        std::string key;
        lane_id lane;
        lane_manner manner;
    };

    std::size_t most_;
    std::list<entry> used_; // the last used first; the map's keys are its keys
    std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
};

} // namespace postrider::storage
