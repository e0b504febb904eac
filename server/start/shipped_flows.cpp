#include "server/start/shipped_flows.hpp"

#include "agent/flow/library/lifecycle.hpp"
#include "base/log.hpp"

#include <array>

namespace postrider::server {

void ship_flows(storage::transaction& tx) {
    struct shipped {
        std::string_view name;
        std::string_view document;
    };
    std::array const all{shipped{"assistant", assistant_flow()}, shipped{"todo", todo_flow()}};
    auto const types = agent::flow::builtin_types();
    for (auto const& [name, document] : all) {
        auto const outcome = agent::flow::ship(tx, document, types);
        if (outcome == storage::shipped_outcome::unchanged) continue;
        base::log::info("flows.shipped", {{"flow", name}, {"outcome", to_string(outcome)}});
    }
}

} // namespace postrider::server
