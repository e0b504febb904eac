#pragma once
// Parameters with which statements can be executed.
#include "storage/database.hpp"
#include "tests/integration/storage/plans/source_statements.hpp"

#include <string>
#include <vector>

namespace postrider::tests {

// What stands in the world that statements are executed in.
struct sample_rows {
    std::int64_t job = 0; // runs, in the newest partition that has jobs
    std::int64_t lane = 0;
    std::string lane_key;
    std::int64_t node = 0;
    std::int64_t epoch = 0;
    std::int64_t conversation = 0;
    // Waits for an event, on a lane of its own that no node leases.
    std::int64_t parked_job = 0;
    std::int64_t parked_lane = 0;
    std::int64_t parked_epoch = 0;
};

bool is_of_a_batch(source_statement const& statement);

// `types` as in pg_prepared_statements.
std::vector<storage::param> parameters_for(
    source_statement const& statement,
    std::vector<std::string> const& types,
    sample_rows const& rows
);

} // namespace postrider::tests
