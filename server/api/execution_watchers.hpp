#pragma once
// What all who watch executions in this process share. Their database is the same for all of them.
#include "server/api/execution_looks.hpp"
#include "server/api/watch_places.hpp"

#include <memory>

namespace postrider::api {

inline constexpr int most_execution_watchers = 2000; // of one process

struct execution_watchers {
    execution_looks& looks_at(storage::database& db, agent::flow::node_services const& nodes) {
        if (!looks) looks = std::make_unique<execution_looks>(db, nodes);
        return *looks;
    }

    watch_places places{most_execution_watchers};
    std::unique_ptr<execution_looks> looks;
};

} // namespace postrider::api
