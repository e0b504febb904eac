#pragma once
// Sorts large values by a key; those of equal keys keep their order. std::stable_sort is compiled anew for
// each type, with many ways to move its values around. Here keys are sorted, and each value moves once.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace postrider::base {

// The key is a value, or a view into what it is the key of.
template<class Value, class Key>
void stable_sort_by(std::vector<Value>& values, Key const& key_of) {
    std::vector<std::pair<decltype(key_of(values.front())), std::size_t>> order;
    order.reserve(values.size());
    for (auto const& value : values) order.emplace_back(key_of(value), order.size());
    std::sort(order.begin(), order.end());
    std::vector<Value> sorted;
    sorted.reserve(values.size());
    for (auto const& [key, at] : order) sorted.push_back(std::move(values[at]));
    values = std::move(sorted);
}

} // namespace postrider::base
