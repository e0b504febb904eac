#pragma once
// The last execution of each flow, as far as it is among the newest jobs: a flow that has not run for long
// has none here, whatever its history. Inside an open transaction; throws as transaction::query() does.
#include "storage/database.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace postrider::server {

inline constexpr int jobs_looked_through = 2'000;

struct flow_run {
    std::int64_t job = 0;
    std::string state;
    std::string created_at;
    std::string finished_at; // "" = it is not over
    bool degraded = false;
};

// By the flow's name.
std::map<std::string, flow_run, std::less<>> last_flow_runs(storage::transaction& tx);

boost::json::object flow_run_json(flow_run const& run);

} // namespace postrider::server
