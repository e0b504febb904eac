#pragma once
// Which lane a key names, for the keys seen last. A lane never changes its id, so an entry is wrong
// only when the row was deleted. On the executor's one thread.
#include "base/ids.hpp"

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace postrider::telegram {

class lane_cache {
public:
    explicit lane_cache(std::size_t most) : most_(most) {}

    std::optional<lane_id> find(std::string_view key);
    void put(std::string key, lane_id lane);
    void drop(std::string_view key);

private:
    struct entry {
        std::string key;
        lane_id lane;
    };

    std::size_t most_;
    std::list<entry> used_; // the last used first; the map's keys are its keys
    std::unordered_map<std::string_view, std::list<entry>::iterator> by_key_;
};

} // namespace postrider::telegram
