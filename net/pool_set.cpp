#include "net/pool_set.hpp"

namespace postrider::net {

base::result<pool*> pool_set::find(std::string const& origin) {
    if (auto known = pools_.find(origin); known != pools_.end()) return &known->second;
    auto parsed = parse_origin(origin);
    if (!parsed) return parsed.error();
    auto inserted =
        pools_.try_emplace(origin, executor_, std::move(*parsed), options_, trust_, names_);
    return &inserted.first->second;
}

void pool_set::sweep() {
    for (auto& [origin, pool] : pools_) pool.sweep();
    std::erase_if(pools_, [](auto const& entry) { return entry.second.unused(); });
}

void pool_set::close() {
    for (auto& [origin, pool] : pools_) pool.close();
}

} // namespace postrider::net
