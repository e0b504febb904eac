#pragma once
// Tools whose definition a model's server has refused, so that models are asked without them.
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// The last refusal counts. Order 65; returns no row.
write note_refused_tool(std::string_view model, std::string_view tool, std::string_view reason);

struct refused_tool_row {
    std::string model;
    std::string tool; // as models know it
    std::string reason;
    std::string refused_at; // a day: "2026-11-28"
};

// Of the last thirty days, by model and tool. Throws as transaction::query() does.
std::vector<refused_tool_row> refused_tools(transaction& tx);

} // namespace postrider::storage
