#pragma once
// Where traces go: [telemetry] of the configuration.
#include "base/secret.hpp"

#include <string>
#include <utility>
#include <vector>

namespace postrider::telemetry {

struct options {
    std::string endpoint; // base URL of a collector that takes OTLP over HTTP; empty = no traces
    std::vector<std::pair<std::string, base::secret>> headers = {}; // sent with each of them
    std::string service = "postrider";
    std::string version = {};  // of the service
    std::string unusable = {}; // the reason for which variables of OpenTelemetry give no traces
};

} // namespace postrider::telemetry
