#pragma once
// Flows as text for a terminal. Pure.
#include "agent/flow/document/problem.hpp"
#include "storage/stores/flows.hpp"

#include <string>
#include <vector>

namespace postrider::cli {

std::string to_text(std::vector<storage::flow_row> const& flows);
std::string to_text(
    storage::flow_row const& flow, std::vector<storage::flow_version_row> const& versions
);
std::string to_text(std::vector<storage::flow_version_row> const& versions);
// A line each.
std::string to_text(std::vector<agent::flow::problem> const& problems);
// "2 errors, 1 warning".
std::string summary_of(std::vector<agent::flow::problem> const& problems);

} // namespace postrider::cli
