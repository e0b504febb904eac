#pragma once
// Where traces go: [telemetry] of the configuration.
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> telemetry_rows();

// Fills it in, and tells what no single row can.
void read_telemetry(
    base::settings const& settings, config& into, std::vector<std::string>& problems
);

} // namespace postrider::server
