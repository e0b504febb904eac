#pragma once
// Branches of a job that run side by side, until each has ended or would be parked.
#include "queue/run/run_state.hpp"

#include <vector>

namespace postrider::queue {

// As workflow::parallel() says.
base::awaitable<void> run_side_by_side(run_state& run, std::vector<branch> branches);

} // namespace postrider::queue
