#pragma once
// The families of /metrics about agents and what they need: models, tools, jobs, Telegram. Names and
// labels of gen_ai_* are OpenTelemetry's (docs/gen-ai of its semantic conventions, 1.41), as its
// exporter to Prometheus writes them. Pure.
#include "server/api/metric_families.hpp"
#include "server/telemetry/measures.hpp"

namespace postrider::api {

void add_agents(metric_families& families, telemetry::measures const& measures);

} // namespace postrider::api
