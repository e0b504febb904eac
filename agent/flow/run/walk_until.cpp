// Executions that end at a node in the middle: for trying a flow out.
#include "agent/flow/run/walk.hpp"

#include <algorithm>

namespace postrider::agent::flow {

// The nodes that lead to it, and whole loops that it is not in. Nothing where the execution goes to the end.
void walk::find_way() {
    auto const& name = context_.input.until;
    if (name.empty()) return;
    until_ = graph_.flow().find(name);
    is_on_way_.resize(places_.size());
    if (!until_) return;
    is_on_way_ = graph_.nodes()[*until_].before;
    is_on_way_[*until_] = true;
    auto const leads_there = is_on_way_;
    for (std::size_t index = 0; index < places_.size(); ++index) {
        auto const& body = graph_.nodes()[index].body;
        bool const is_within = std::ranges::find(body, *until_) != body.end();
        if (!leads_there[index] || is_within) continue;
        for (auto const inner : body) is_on_way_[inner] = true;
    }
}

bool walk::ends_here(std::size_t index) const {
    if (until_) return index == *until_;
    return is_last(index);
}

} // namespace postrider::agent::flow
