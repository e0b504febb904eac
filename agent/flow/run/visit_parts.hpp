#pragma once
// The parts of a node that is visited, and of its parts. Private to the walk.
#include "agent/flow/run/walk.hpp"

namespace postrider::agent::flow {

class visit_parts final : public node_parts {
public:
    // The visited node, with its input and its steps. All outlive it, and the parts that it makes.
    struct place {
        walk& owner;
        std::size_t visited;
        node_input const& input;
        std::size_t item;
        queue::workflow& steps;
    };
    // `host`: the visited node, or a part that hangs on it.
    visit_parts(place at, std::size_t host);

    std::vector<connected_part> connected(part_kind const& kind) const override;
    std::any& lasting(part_kind const& kind) const override;

private:
    base::awaitable<base::result<made_part>> make_any(connected_part const& part) override;

    place place_;
    compiled_node const& host_;
};

} // namespace postrider::agent::flow
