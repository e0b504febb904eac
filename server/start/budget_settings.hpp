#pragma once
// What may be spent in a day, and where a day begins: [budgets] of the configuration.
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> budget_rows();

// Fills it in, and tells what no single row can. The models have been read.
void read_budgets(base::settings const& settings, config& into, std::vector<std::string>& problems);

} // namespace postrider::server
